import Observation
import SettingsStore
import Synchronization

/// Reports reads and changes of a property to the Observation framework.
@usableFromInline
final class ObservationTracker: Observable, Sendable {
    private final class Registrar: Sendable {
        let registrar = ObservationRegistrar()
    }

    @usableFromInline let first = ObservationRegistrar()
    /// The registrar of a forked child; nil in a process that did not inherit one. Apart from ``first``, because a read of
    /// a property takes twice as long if it has to retain a registrar.
    private let replacement = Atomic<Unmanaged<Registrar>?>(nil)
    /// Whether this is a forked child that still has its parent's registrar. A thread of the parent may hold the
    /// registrar's lock for ever.
    private let isInherited = Mutex(false) { $0 = true }
    /// Stored, since making a key path takes longer than the rest of a read.
    @usableFromInline let path: KeyPath<ObservationTracker, Void> & Sendable = \ObservationTracker.value

    /// The target of the key path. The value itself is in the property.
    private var value: Void { () }

    deinit { replacement.load(ordering: .acquiring)?.release() }

    private var registrar: ObservationRegistrar {
        replacement.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.registrar } ?? first
    }

    /// Reports a read while ``ReadShortcut`` is open, so that no registrar has been replaced.
    @inlinable
    func accessFirst() { first.access(self, keyPath: path) }

    func access() { registrar.access(self, keyPath: path) }

    func willChange() {
        if ForkHandlers.isChild.load(ordering: .relaxed) { return willChangeInChild() }
        first.willSet(self, keyPath: path)
    }

    func didChange() {
        if ForkHandlers.isChild.load(ordering: .relaxed) { return didChangeInChild() }
        first.didSet(self, keyPath: path)
    }

    // Not inlined, because a place for another registrar costs all sets time.
    @inline(never)
    private func willChangeInChild() {
        replaceInherited()
        registrar.willSet(self, keyPath: path)
    }

    @inline(never)
    private func didChangeInChild() { registrar.didSet(self, keyPath: path) }

    private func replaceInherited() {
        isInherited.withLock { isInherited in
            if !isInherited { return }
            isInherited = false
            // The old registrar is never released: another thread may be about to use it.
            replacement.store(Unmanaged.passRetained(Registrar()), ordering: .releasing)
            ReadShortcut.shared.close()
        }
    }
}
