import SettingsStore
import Synchronization

/// Suites in memory that stand in for the real ones.
final class MockStore: Sendable {
    /// The one that the current task uses.
    @TaskLocal static var current: MockStore?

    private let suites = Mutex<[SettingsSuite: SettingsSuite]>([:])
    /// The properties as tasks with this store have them, by the declared ones, which stay alive with
    /// them.
    private let references = Locked<[ObjectIdentifier: (declared: AnyObject, here: AnyObject)]>([:])

    /// The suite that stands in for another.
    func suite(for suite: SettingsSuite) -> SettingsSuite {
        suites.withLock { suites in
            if let mock = suites[suite] { return mock }
            let mock = SettingsSuite.inMemory()
            suites[suite] = mock
            return mock
        }
    }

    /// The property that stands in for a declared one.
    func reference<Value>(for declared: PropertyReference<Value>) -> PropertyReference<Value> {
        let id = ObjectIdentifier(declared)
        var here = references.withLock { $0[id]?.here }
        if here == nil {
            // Outside the lock, since registering its default may report an error.
            let declaration = declared.property.declaration.replacingSuite(
                with: suite(for:),
                defaultValue: declared.property.defaultOfItsOwn
            )
            let new = PropertyReference(declaration, isForTasks: true)
            here = references.withLock { references in
                let first = references[id] ?? (declared, new)
                references[id] = first
                return first.here
            }
        }
        guard let here else { return declared }
        // What stands under a reference was made from it just here.
        return unsafeDowncast(here, to: PropertyReference<Value>.self)
    }
}

/// Whether properties may have to show other values than their own.
@usableFromInline
final class Mocking: Sendable {
    static let shared = Mocking()

    /// Whether all properties of the process, or of a task, have ever been mocked. From then on every
    /// reading asks in which way they are.
    @usableFromInline let hasBeenUsed = Atomic(false)
}
