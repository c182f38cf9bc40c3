import Observation

/// Lets `withObservationTracking` and `@Observable` classes see a property read and changed.
@usableFromInline
final class Tracker: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    /// Stands for the value, which lives in the property.
    private var value: Void { () }

    @usableFromInline
    func access() { registrar.access(self, keyPath: \.value) }

    func willChange() { registrar.willSet(self, keyPath: \.value) }

    func didChange() { registrar.didSet(self, keyPath: \.value) }
}
