import Observation

/// Reports reads and changes of a property to the Observation framework.
@usableFromInline
final class ObservationTracker: Observable, Sendable {
    @usableFromInline let registrar = ObservationRegistrar()
    /// Stored, since making a key path takes longer than the rest of a read.
    @usableFromInline let path: KeyPath<ObservationTracker, Void> & Sendable = \ObservationTracker.value

    /// The target of the key path. The value itself is in the property.
    private var value: Void { () }

    @inlinable
    func access() { registrar.access(self, keyPath: path) }

    func willChange() { registrar.willSet(self, keyPath: path) }

    func didChange() { registrar.didSet(self, keyPath: path) }
}
