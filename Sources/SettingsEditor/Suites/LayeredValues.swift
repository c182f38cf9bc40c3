import PropertyList
import SettingsStore
import ValueDiff

/// The values of a suite in layers. A row shows the top layer that has its key: staged, in flight, stored, deleted by
/// another process.
///
/// The stored values themselves are in the rows, because most keys have only that layer. This type keeps what differs
/// from the rows. Without it, each command would have to find out on its own which of these values counts.
struct LayeredValues: Sendable {
    /// The stored values of keys whose rows show another layer.
    private var beneath: [String: PropertyListValue?] = [:]
    private(set) var inFlight: [InFlight] = []
    /// The staged changes, by key. They hide all other layers.
    private(set) var staged: [String: ValueChange] = [:]
    /// The paths inside the keys that the staged changes touch. Empty for keys that are added or deleted.
    private(set) var stagedPlaces: [String: [TreeDiff.Place]] = [:]
    /// The change of the whole suite that is written with the staged changes; nil if there is none.
    var stagedWhole: WholeSuite?
    /// The keys that other processes changed since the editor was opened, with the values that they would have
    /// otherwise.
    private(set) var changedByOthers: [String: PropertyListValue?] = [:]
    /// The values of keys that other processes deleted. Only the list of foreign changes shows them.
    private(set) var deletedByOthers: [String: PropertyListValue] = [:]
    var showsDeleted = false

    /// The value of a key after all staged changes and writes in flight.
    ///
    /// - Parameter row: The value that the key's row shows.
    func value(forKey key: String, row: @autoclosure () -> PropertyListValue?) -> PropertyListValue? {
        if let change = staged[key] { return change.new }
        for flight in inFlight.reversed() where !flight.overtaken.contains(key) {
            if let change = flight.write.changes[key] { return change.new }
        }
        return storedValue(forKey: key, row: row())
    }

    /// The stored value of a key, as far as it is known.
    func storedValue(forKey key: String, row: @autoclosure () -> PropertyListValue?) -> PropertyListValue? {
        beneath[key] ?? row()
    }

    /// Puts the stored values of all keys in place of the values of the rows.
    func replaceRows(in values: inout [String: PropertyListValue]) {
        for (key, value) in beneath { values[key] = value }
    }

    /// The keys whose values come from this editor.
    var ownKeys: Set<String> {
        inFlight.reduce(into: Set(staged.keys)) {
            $0.formUnion(Set($1.write.changes.keys).subtracting($1.overtaken))
        }
    }

    func isInFlight(_ key: String) -> Bool { inFlight.contains { $0.write.changes[key] != nil } }

    mutating func setStored(_ value: PropertyListValue?, _ key: String) { beneath[key] = .some(value) }

    /// Forgets the stored value of a key if the key's row shows it now.
    mutating func keepStored(_ stored: PropertyListValue?, _ key: String, below shown: PropertyListValue?) {
        beneath[key] = shown == stored ? nil : .some(stored)
    }

    /// The rows show all stored values.
    mutating func forgetStored() { beneath = [:] }
}

// Staged changes.
extension LayeredValues {
    mutating func setStaged(_ change: ValueChange?, _ key: String) {
        staged[key] = change
        guard let old = change?.old, let new = change?.new else {
            stagedPlaces[key] = nil
            return
        }
        let differences = TreeDiff(ValueNode(old), ValueNode(new), limit: Self.mostStagedPlaces)
        stagedPlaces[key] = differences.places
    }

    /// The number of paths inside a key that get a sign of their own.
    private static let mostStagedPlaces = 200
}

// Writes in flight.
extension LayeredValues {
    mutating func begin(_ flight: InFlight) {
        inFlight.append(flight)
        for (key, change) in flight.write.changes {
            guard let former = changedByOthers[key] else { continue }
            // A change of the user does not count as a foreign change.
            if let carried = ThreeWayMerge(change, over: former).value {
                changedByOthers[key] = .some(carried)
            }
        }
    }

    /// Takes a write out of those in flight; nil if it belongs to another suite.
    mutating func take(_ id: WriteID) -> InFlight? {
        inFlight.firstIndex { $0.write.id == id }.map { inFlight.remove(at: $0) }
    }

    /// Changes a write in flight; nil if it belongs to another suite.
    @discardableResult
    mutating func update(_ id: WriteID, _ change: (inout InFlight) -> Void) -> InFlight? {
        guard let index = inFlight.firstIndex(where: { $0.write.id == id }) else { return nil }
        change(&inFlight[index])
        return inFlight[index]
    }
}

// Foreign changes.
extension LayeredValues {
    /// Remembers a foreign change. A write in flight of the same key no longer counts.
    mutating func takeOver(_ change: Change) {
        if changedByOthers[change.key] == nil { changedByOthers[change.key] = .some(change.old) }
        deletedByOthers[change.key] = change.new == nil ? change.old : nil
        for index in inFlight.indices where inFlight[index].write.changes[change.key] != nil {
            inFlight[index].overtaken.insert(change.key)
        }
    }
}
