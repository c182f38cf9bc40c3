/// A reference to a property, for wrappers, publishers and subscriptions. With the last reference, the property leaves
/// its suite.
///
/// The suite's observation keeps the property itself alive until then: a weak reference there would make every change
/// slower.
@usableFromInline
final class PropertyReference<Value>: Sendable {
    let property: Property<Value>
    @usableFromInline let snapshot: ValueSnapshot<Value>
    @usableFromInline let tracker: ObservationTracker
    @usableFromInline let shortcut = ReadShortcut.shared

    /// - Parameter isForTasks: whether the property replaces a declared one in tasks with a ``MockStore``.
    init(_ declaration: PropertyConfiguration<Value>, isForTasks: Bool = false) {
        property = Property(declaration, isForTasks: isForTasks)
        snapshot = property.snapshot
        tracker = property.tracker
    }

    deinit { property.disconnect() }
}
