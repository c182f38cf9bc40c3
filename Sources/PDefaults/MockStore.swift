import SettingsStore
import Synchronization

/// Suites in memory that stand in for the real ones.
final class MockStore: Sendable {
    /// The one that the current task uses.
    @TaskLocal static var current: MockStore?

    private let suites = Mutex<[SettingsSuite: SettingsSuite]>([:])
    /// The properties as tasks with this store have them, by the declared ones, which stay alive with
    /// them.
    private let properties = Locked<[ObjectIdentifier: (declared: AnyObject, here: AnyObject)]>([:])

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
    func property<Value>(for declared: Property<Value>) -> Property<Value> {
        let here = properties.withLock { properties -> AnyObject in
            if let known = properties[ObjectIdentifier(declared)] { return known.here }
            let here = Property(declared.declaration, in: self)
            properties[ObjectIdentifier(declared)] = (declared, here)
            return here
        }
        return unsafeDowncast(here, to: Property<Value>.self)
    }
}
