import SettingsStore

/// State of any type behind a lock.
///
/// Unchecked, since a mutex lets only `Sendable` values out. Values of other types pass between threads here as they do
/// through a publisher: whoever sets and whoever subscribes chose them.
final class Locked<State>: @unchecked Sendable {
    private let lock = Lock()
    // At an address of its own, so that no access to it is checked for overlap: the lock sees to that.
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

    init(_ initial: State) { state.initialize(to: initial) }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state.pointee)
    }
}
