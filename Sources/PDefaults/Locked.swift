import SettingsStore

/// State of any type behind a lock.
///
/// A mutex lets only `Sendable` values out. Values of other types pass between threads here as they do
/// through a publisher: whoever sets and whoever subscribes chose them.
final class Locked<State>: @unchecked Sendable {
    private let lock = Lock()
    private var state: State

    init(_ state: State) { self.state = state }

    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }
}
