import SettingsStore

/// The properties of this process that are in use, so that all of them can be mocked at once.
///
/// The registry keeps them alive. ``PropertyReference`` removes its property when it goes away.
final class PropertyRegistry: Sendable {
    static let shared = PropertyRegistry()

    private let properties = Mutex<[ObjectIdentifier: AnyProperty]>([:])

    func insert(_ property: AnyProperty) {
        properties.withLock { $0[ObjectIdentifier(property)] = property }
    }

    func remove(_ property: AnyProperty) {
        _ = properties.withLock { $0.removeValue(forKey: ObjectIdentifier(property)) }
    }

    /// Connects each property to the source that is wanted now.
    func reconnectAll() {
        for property in properties.withLock({ Array($0.values) }) { property.reconnect() }
    }
}
