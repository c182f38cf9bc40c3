import Observation

/// Lets `withObservationTracking` and `@Observable` classes see a property read and changed.
@usableFromInline
final class Tracker: Observable, Sendable {
    @usableFromInline let registrar = ObservationRegistrar()
    /// Kept, since making it takes longer than all the rest.
    @usableFromInline let path: KeyPath<Tracker, Void> & Sendable = \Tracker.value

    /// Stands for the value, which lives in the property.
    private var value: Void { () }

    @inlinable
    func access() { registrar.access(self, keyPath: path) }

    func willChange() { registrar.willSet(self, keyPath: path) }

    func didChange() { registrar.didSet(self, keyPath: path) }
}
