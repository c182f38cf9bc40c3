import Synchronization

/// State of any type behind a mutex.
///
/// `Mutex` by itself lets only `Sendable` values out. Values of other types pass between threads
/// here as they do through a publisher: whoever sets and whoever subscribes chose them.
final class Locked<State>: @unchecked Sendable {
    private let mutex = Mutex(())
    private var state: State

    init(_ state: State) { self.state = state }

    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        mutex.withLock { _ in Passed(value: body(&state)) }.value
    }
}
