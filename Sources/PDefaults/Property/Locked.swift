import SettingsStore

/// A state of any type behind a lock.
///
/// Our own code, since a `Mutex` hands out only `Sendable` values, and a property may have a value of any type. Such
/// values pass between threads here as they do through a publisher: the program decides on which threads it sets and
/// subscribes. Hence `@unchecked`.
final class Locked<State>: @unchecked Sendable {
    private let lock = Lock()
    // Memory of its own, so that Swift does not check for overlapping accesses: the lock excludes them.
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

// MARK: - States that hold values of the program

/// A state that releases the program's values outside of its lock.
///
/// Problem: releasing the last reference to a value runs code of the program: the `deinit` of an object may set the
/// property that held the object. Approach: a state never releases a value, but adds it to ``dropped``; ``Locked``
/// releases these after it has unlocked. Without it, such a program would wait for itself for ever.
protocol DropsValues {
    var dropped: Dropped { get set }
}

extension Locked where State: DropsValues {
    /// Shadows the method without the constraint, so that no access to such a state can forget the dropped values.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        let result = body(&state.pointee)
        if state.pointee.dropped.isEmpty {
            lock.unlock()
            return result
        }
        // Not copied, because that would count references.
        var dropped = Dropped()
        swap(&dropped, &state.pointee.dropped)
        lock.unlock()
        withExtendedLifetime(dropped) {}
        return result
    }
}

/// Values that a state has dropped and that are not released yet. The two of a usual set need no allocation.
struct Dropped {
    private var first: AnyPropertyUpdate?
    private var second: AnyPropertyUpdate?
    private var others: [Any] = []

    var isEmpty: Bool { first == nil && others.isEmpty }

    mutating func add(_ update: AnyPropertyUpdate?) {
        guard let update, update !== first, update !== second else { return }
        if first == nil {
            first = update
        } else if second == nil {
            second = update
        } else {
            others.append(update)
        }
    }

    /// Adds an object or a collection that may hold values.
    mutating func add(holder: Any) { others.append(holder) }
}
