/// What wrappers, publishers and subscriptions hold of a property. When nobody does any more, the
/// property leaves its suite, whose observation keeps it alive till then: a weak reference there would
/// make every read slower.
@usableFromInline
final class PropertyReference<Value>: Sendable {
    let property: Property<Value>
    @usableFromInline let shown: ShownValue<Value>
    @usableFromInline let tracker: Tracker
    @usableFromInline let mocking = Mocking.shared

    /// - Parameter isForTasks: whether this stands in for a declared property in tasks that have a
    ///   store of their own.
    init(_ declaration: Declaration<Value>, isForTasks: Bool = false) {
        property = Property(declaration, isForTasks: isForTasks)
        shown = property.shown
        tracker = property.tracker
    }

    deinit { property.disconnect() }
}
