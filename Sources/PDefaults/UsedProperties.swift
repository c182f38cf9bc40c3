import SettingsStore

/// The properties of this process that are in use, so that each of them takes notice where all are mocked.
///
/// It keeps them alive; who holds a property takes it out.
final class UsedProperties: Sendable {
    static let shared = UsedProperties()

    private let properties = Mutex<[ObjectIdentifier: PropertyCore]>([:])

    func insert(_ property: PropertyCore) {
        properties.withLock { $0[ObjectIdentifier(property)] = property }
    }

    func remove(_ property: PropertyCore) {
        _ = properties.withLock { $0.removeValue(forKey: ObjectIdentifier(property)) }
    }

    /// Has each go over to the source that is wanted now.
    func takeNotice() {
        for property in properties.withLock({ Array($0.values) }) { property.takeNotice() }
    }
}
