import SettingsStore
import Synchronization

/// Suites in memory that replace the real ones for one task and its children (``PDefaultsConfiguration/withMock(_:)``).
final class MockStore: Sendable {
    /// The store that the current task uses.
    @TaskLocal static var current: MockStore?

    private let suites = Mutex<[SettingsSuite: SettingsSuite]>([:])
    /// The properties of tasks with this store, by the declared property that each one replaces.
    // It holds the declared property too, so that no other object gets the same identifier.
    private let references = Locked<[ObjectIdentifier: (declared: AnyObject, here: AnyObject)]>([:])

    /// The suite in memory that replaces a suite.
    func suite(for suite: SettingsSuite) -> SettingsSuite {
        suites.withLock { suites in
            if let mock = suites[suite] { return mock }
            let mock = SettingsSuite.inMemory()
            suites[suite] = mock
            return mock
        }
    }

    /// The property that replaces a declared one.
    func reference<Value>(for declared: PropertyReference<Value>) -> PropertyReference<Value> {
        let id = ObjectIdentifier(declared)
        var here = references.withLock { $0[id]?.here }
        if here == nil {
            // Without the lock, since a default that can't be registered is reported to code of the program.
            let declaration = declared.property.declaration.replacingSuite(
                with: suite(for:),
                defaultValue: declared.property.newDefault
            )
            let new = PropertyReference(declaration, isForTasks: true)
            here = references.withLock { references in
                let first = references[id] ?? (declared, new)
                references[id] = first
                return first.here
            }
        }
        guard let here else { return declared }
        // The property was made above, from a reference of the same type.
        return unsafeDowncast(here, to: PropertyReference<Value>.self)
    }
}

/// Whether reads of properties can take the shortcut: the snapshot of the declared property.
@usableFromInline
final class ReadShortcut: Sendable {
    static let shared = ReadShortcut()

    /// Closed for good once properties are mocked, because each read must ask then whether they are mocked for its task.
    @usableFromInline let isClosed = Atomic(false)

    func close() { isClosed.store(true, ordering: .releasing) }
}
