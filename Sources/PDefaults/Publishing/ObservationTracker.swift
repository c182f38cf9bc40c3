import Observation
import Synchronization

/// Reports reads and changes of a property to the Observation framework.
@usableFromInline
final class ObservationTracker: Observable, Sendable {
    @usableFromInline
    final class Registrar: Sendable {
        @usableFromInline let registrar = ObservationRegistrar()
    }

    @usableFromInline let current = Atomic(Unmanaged.passRetained(Registrar()))
    /// Whether this is a forked child that still has its parent's registrar. A thread of the parent may hold the
    /// registrar's lock for ever.
    private let isInherited = Mutex(false) { $0 = true }
    /// Stored, since making a key path takes longer than the rest of a read.
    @usableFromInline let path: KeyPath<ObservationTracker, Void> & Sendable = \ObservationTracker.value

    /// The target of the key path. The value itself is in the property.
    private var value: Void { () }

    deinit { current.load(ordering: .acquiring).release() }

    @usableFromInline var registrar: ObservationRegistrar {
        @inlinable get { current.load(ordering: .acquiring)._withUnsafeGuaranteedRef { $0.registrar } }
    }

    @inlinable
    func access() { registrar.access(self, keyPath: path) }

    func willChange() {
        isInherited.withLock { isInherited in
            if !isInherited { return }
            isInherited = false
            // The old registrar is never released: another thread may be about to use it.
            current.store(Unmanaged.passRetained(Registrar()), ordering: .releasing)
        }
        registrar.willSet(self, keyPath: path)
    }

    func didChange() { registrar.didSet(self, keyPath: path) }
}
