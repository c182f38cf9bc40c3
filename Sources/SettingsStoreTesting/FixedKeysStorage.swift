// The rules use keys of any name, and a storage with a schema has only the keys of its schema. So each name that a rule uses
// stands for one of the storage's keys. Without this, such a storage could not be checked.

import PropertyList
import SettingsStore

/// Which key of a storage stands for each name that a rule uses.
final class FixedKeys: Sendable {
    private struct State {
        var unused: [String]
        var keys: [String: String] = [:]
        var names: [String: String] = [:]
    }

    private let state: Mutex<State>

    init(_ keys: [String]) { state = Mutex(State(unused: keys)) }

    func key(for name: String) -> String {
        state.withLock { state in
            if let key = state.keys[name] { return key }
            guard let key = state.unused.popLast() else { preconditionFailure("The rule needs more keys.") }
            (state.keys[name], state.names[key]) = (key, name)
            return key
        }
    }

    func name(of key: String) -> String { state.withLock { $0.names[key] } ?? key }
}

/// A storage whose keys have other names.
struct FixedKeysStorage: SuiteStorage, ValidatesValues, ReportsWriteAccess {
    private var storage: any SuiteStorage
    private let keys: FixedKeys

    init(_ storage: any SuiteStorage, _ keys: FixedKeys) {
        self.storage = storage
        self.keys = keys
    }

    var location: String { storage.location }

    var traits: StorageTraits { storage.traits }

    mutating func read() throws(SettingsError) -> StorageReading { renamed(try storage.read()) }

    mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        let this = self
        try storage.update { reading in
            var write = decide(this.renamed(reading))
            write.changes = this.keyed(write.changes)
            write.basis = Set(write.basis.map(this.keys.key(for:)))
            write.unlessChanged = Set(write.unlessChanged.map(this.keys.key(for:)))
            return write
        }
    }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch { storage.watch(notify) }

    var valueCheck: ValueCheck {
        guard let check = (storage as? any ValidatesValues)?.valueCheck else { return { _, _ in nil } }
        return { [keys] value, name in check(value, keys.key(for: name)) }
    }

    func readOnlyReason() -> String? { (storage as? any ReportsWriteAccess)?.readOnlyReason() }

    private func keyed(_ changes: [String: PropertyListValue?]) -> [String: PropertyListValue?] {
        Dictionary(uniqueKeysWithValues: changes.map { (keys.key(for: $0.key), $0.value) })
    }

    private func renamed(_ reading: StorageReading) -> StorageReading {
        var reading = reading
        switch reading.difference {
        case .none: break
        case .all(let values):
            let pairs = values.map { (keys.name(of: $0.key), $0.value) }
            reading.difference = .all(PropertyListEntries(Dictionary(uniqueKeysWithValues: pairs)))
        case .some(let changes):
            let pairs = changes.map { (keys.name(of: $0.key), $0.value) }
            reading.difference = .some(Dictionary(uniqueKeysWithValues: pairs))
        }
        return reading
    }
}
