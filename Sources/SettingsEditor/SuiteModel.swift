import PropertyList
import SettingsStore

/// A suite as the editor has it: what its storage holds, and what of that is being changed.
struct SuiteModel: Sendable {
    enum Presence: Sendable, Hashable {
        case listed
        /// Made here; its first write makes its file.
        case new
        /// No longer in the list of suites.
        case gone
    }

    enum Contents: Sendable, Hashable {
        case unknown, loading, loaded
    }

    let id: String
    var title: String
    var presence = Presence.listed
    var status: SuiteStatus?
    var contents = Contents.unknown
    /// As far as is known. What is shown has the writes in flight laid over it.
    private(set) var stored: [String: PropertyListValue] = [:]
    private(set) var inFlight: [InFlight] = []
    var tree = Tree()
    var marks = Marks()

    init(id: String, title: String, status: SuiteStatus? = nil) {
        self.id = id
        self.title = title
        self.status = status
    }

    /// What a key holds once the writes in flight are done.
    func value(forKey key: String) -> PropertyListValue? {
        for flight in inFlight.reversed() where !flight.overtaken.contains(key) {
            if let change = flight.write.changes[key] { return change.new }
        }
        return stored[key]
    }

    func isInFlight(_ key: String) -> Bool { inFlight.contains { $0.write.changes[key] != nil } }
}

/// A write whose end is not known yet.
struct InFlight: Sendable {
    enum Purpose: Sendable, Hashable {
        /// Typed or chosen; the draft, if there was one, can be opened again.
        case edit(Draft?)
        case undo, redo
    }

    let write: Write
    let purpose: Purpose
    /// What it belongs to; of an undo, what is taken back.
    let edit: Edit
    /// What is to be written once this is done.
    let rest: [Edit.Part]
    /// Keys that another process changed since: its values are the ones to show.
    var overtaken: Set<String> = []
}

extension SuiteModel {
    mutating func begin(_ flight: InFlight) {
        inFlight.append(flight)
        for key in flight.write.changes.keys { marks.remove(key) }
        show(flight.write.changes.keys)
    }

    /// Ends a write and returns it; nil if it is none of this suite's.
    mutating func end(_ id: WriteID, _ result: WriteResult, now: Double) -> InFlight? {
        guard let index = inFlight.firstIndex(where: { $0.write.id == id }) else { return nil }
        let flight = inFlight.remove(at: index)
        // What others have changed since was told already, and is newer.
        switch result {
        case .done:
            for (key, change) in flight.write.changes where !flight.overtaken.contains(key) {
                stored[key] = change.new
            }
        case .conflict(let current):
            for (key, value) in current where !flight.overtaken.contains(key) {
                marks.add(key, before: stored[key].map(ValueNode.init), now: now)
                stored[key] = value
            }
        case .failed: break
        }
        show(flight.write.changes.keys)
        return flight
    }

    /// Takes over everything that the suite holds and returns the keys that others have changed.
    mutating func load(_ values: [String: PropertyListValue], now: Double) -> [Change] {
        let isFirst = contents != .loaded
        contents = .loaded
        var changes: [Change] = []
        if !isFirst {
            for key in Set(stored.keys).union(values.keys) where stored[key] != values[key] {
                changes.append(
                    Change(key: key, old: stored[key], new: values[key], origin: .otherProcess, sequence: 0)
                )
            }
            // What differs may also be this editor's own, stored and not yet reported.
            changes.removeAll { change in
                inFlight.contains {
                    $0.write.changes[change.key].map { $0.new == change.new } ?? false
                }
            }
        }
        for change in changes { takeOver(change, now: now) }
        stored = values
        showAll()
        return changes.sorted { $0.key < $1.key }
    }

    /// Takes over changes, and returns those that others have made.
    mutating func change(_ changes: [Change], now: Double) -> [Change] {
        guard contents == .loaded else {
            let foreign = changes.filter(\.isForeign)
            if !foreign.isEmpty { marks.addSuite(now: now) }
            return foreign
        }
        for change in changes {
            if change.isForeign { takeOver(change, now: now) }
            stored[change.key] = change.new
        }
        show(changes.map(\.key))
        return changes.filter(\.isForeign)
    }

    private mutating func takeOver(_ change: Change, now: Double) {
        marks.add(change.key, before: tree.node(at: [.key(change.key)]), now: now)
        for index in inFlight.indices where inFlight[index].write.changes[change.key] != nil {
            inFlight[index].overtaken.insert(change.key)
        }
    }

    private mutating func show(_ keys: some Sequence<String>) {
        // Equal values have equal rows.
        tree.set(keys.map { ($0, value(forKey: $0)) }.filter { $1 != tree.value(forKey: $0) })
    }

    private mutating func showAll() {
        var shown = stored
        for key in inFlight.flatMap(\.write.changes.keys) { shown[key] = value(forKey: key) }
        tree.load(shown)
    }
}

extension Change {
    var isForeign: Bool { origin == .otherProcess }
}
