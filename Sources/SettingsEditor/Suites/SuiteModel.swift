import PropertyList
import SettingsStore
import ValueDiff

/// A suite in the editor: its stored values, and the changes to them that are staged or in flight.
struct SuiteModel: Sendable {
    enum Presence: Sendable, Hashable {
        case listed
        /// Created in this editor. The first write creates the file.
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
    /// The target of the file, if it is a symbolic link.
    var link: String?
    /// The listed version; nil if it is unknown or older than the last write of this editor.
    private(set) var version: SuiteVersion?
    /// The stored values of keys that show another value, because of a write in flight, a staged change or a deleted
    /// file. All other keys show their stored value.
    private var beneath: [String: PropertyListValue?] = [:]
    private(set) var inFlight: [InFlight] = []
    /// The values at the time when the file was deleted. They are still shown. Nil if the file exists.
    var lost: [String: PropertyListValue]?
    /// The path of the unreadable file that was set aside, until the values are stored in a new file.
    var setAsideFile: String?
    /// Whether the file was set aside or is about to be. The suite stays in the list even without a file.
    var beginsAnew = false
    /// The suite that was selected when this one was created. It is selected again if the user cancels.
    var madeBehind: String?
    /// Whether it was removed in this editor. It may still be listed.
    var wasRemovedHere = false
    /// Whether another process created it first.
    var isInTheWay = false
    /// What happens to the whole suite when the staged changes are written.
    var stagedWhole: WholeSuite?
    /// The values that other processes removed just now. Removing a file looks the same at first.
    var removed: [String: PropertyListValue] = [:]
    /// The staged deletions of those keys. They are staged again if the file was deleted.
    var stagedThen: [String: ValueChange] = [:]
    var removedAt = 0.0
    /// The keys that other processes changed since the editor was opened, with the values that they would have
    /// otherwise.
    private(set) var changedByOthers: [String: PropertyListValue?] = [:]
    /// The user's changes of these keys since then, newest last.
    private var ownOverOthers: [String: [OwnChange]] = [:]

    /// The value of a key without the foreign changes, before and after a change of the user.
    private struct OwnChange: Sendable {
        let change: ValueChange
        let former: PropertyListValue?
        let carried: PropertyListValue?
    }

    /// The values of keys that other processes deleted. Only the list of foreign changes shows them.
    private var deletedByOthers: [String: PropertyListValue] = [:]
    private var showsDeleted = false
    /// The staged changes, by key. They hide all other layers.
    private(set) var staged: [String: ValueChange] = [:]
    /// The paths inside the keys that the staged changes touch. Empty for keys that are added or deleted.
    private(set) var stagedPlaces: [String: [TreeDiff.Place]] = [:]
    var outline = Outline()
    var highlights = ChangeHighlights()
    /// The rows that were chosen with m.
    var multiSelection: Set<ValuePath> = []
    private(set) var schema = SuiteSchema()
    var secrets: Secrets { didSet { outline.hide(secrets) } }
    /// The keys that the file had in several Unicode forms. One form is shown.
    private(set) var keysInSeveralForms: Set<String> = []
    /// The keys with values in quarantine, with the file of the newest one.
    private(set) var setAside: [String: String] = [:]

    init(id: String, title: String, status: SuiteStatus? = nil, secrets: Secrets = Secrets()) {
        self.id = id
        self.title = title
        self.status = status
        self.secrets = secrets
        outline.hide(secrets)
    }

    /// The value of a key after all staged changes and writes in flight.
    func value(forKey key: String) -> PropertyListValue? {
        if let change = staged[key] { return change.new }
        for flight in inFlight.reversed() where !flight.overtaken.contains(key) {
            if let change = flight.write.changes[key] { return change.new }
        }
        return storedValue(forKey: key)
    }

    /// The stored value of a key, as far as it is known.
    func storedValue(forKey key: String) -> PropertyListValue? { beneath[key] ?? outline.value(forKey: key) }

    /// All stored values. This copies them.
    var storedValues: [String: PropertyListValue] {
        var values = Dictionary(uniqueKeysWithValues: outline.entries.map { ($0.key, $0.value) })
        for (key, value) in beneath { values[key] = value }
        return values
    }

    /// The keys whose values come from this editor.
    var ownKeys: Set<String> {
        inFlight.reduce(into: Set(staged.keys)) {
            $0.formUnion(Set($1.write.changes.keys).subtracting($1.overtaken))
        }
    }

    /// Whether the file cannot be read, so that the stored values are unknown.
    var isUnreadable: Bool { if case .unreadable? = status?.content { true } else { false } }

    func isInFlight(_ key: String) -> Bool { inFlight.contains { $0.write.changes[key] != nil } }

    /// Keeps the declarations where they are for the rest of a transaction in flight: those of this suite, or all.
    mutating func leaveDeclarations(of id: WriteID, isAll: Bool) -> InFlight? {
        guard let index = inFlight.firstIndex(where: { $0.write.id == id }) else { return nil }
        inFlight[index].leaveDeclarations(of: isAll ? nil : self.id)
        return inFlight[index]
    }
}

extension SuiteModel {
    mutating func begin(_ flight: InFlight) {
        inFlight.append(flight)
        for (key, change) in flight.write.changes {
            highlights.carry(key, change)
            carryFormer(key, change)
        }
        show(flight.write.changes.keys)
    }

    /// The number of own changes of a key that are remembered.
    private static let mostOwn = 100

    /// Applies a change of the user to the value without foreign changes, so that it does not count as a foreign
    /// change. If the change undoes the last one, the value before that one returns.
    private mutating func carryFormer(_ key: String, _ change: ValueChange) {
        guard let former = changedByOthers[key] else { return }
        if let last = ownOverOthers[key]?.last, last.change.reversed == change, last.carried == former {
            ownOverOthers[key]?.removeLast()
            changedByOthers[key] = .some(last.former)
        } else if let carried = ThreeWayMerge(change, over: former).value {
            let own = OwnChange(change: change, former: former, carried: carried)
            ownOverOthers[key] = (ownOverOthers[key] ?? []).suffix(Self.mostOwn - 1) + [own]
            changedByOthers[key] = .some(carried)
        }
    }

    /// Ends a write and returns it; nil if it belongs to another suite.
    mutating func end(_ id: WriteID, _ result: WriteResult, now: Double) -> InFlight? {
        guard let index = inFlight.firstIndex(where: { $0.write.id == id }) else { return nil }
        let flight = inFlight.remove(at: index)
        // The next listed version may come from this write.
        version = nil
        // A foreign change that was reported meanwhile is newer than the result.
        switch result {
        case .done:
            for (key, change) in flight.write.changes where !flight.overtaken.contains(key) {
                beneath[key] = .some(change.new)
            }
        case .conflict(let current):
            for (key, value) in current where !flight.overtaken.contains(key) {
                highlights.add(
                    key,
                    before: storedValue(forKey: key).map(ValueNode.init),
                    after: value,
                    now: now
                )
                beneath[key] = .some(value)
            }
        case .failed: break
        }
        renewStaged(flight.write.changes.keys)
        show(flight.write.changes.keys)
        return flight
    }

    /// Remembers the selection after a write began.
    mutating func noteSelection(behind write: Write) {
        guard let index = inFlight.firstIndex(where: { $0.write.id == write.id }) else { return }
        inFlight[index].selectedBehind = outline.selectedRow?.path
    }

    /// Stores the listed version. Returns whether another process changed the suite since it was listed before.
    mutating func take(_ version: SuiteVersion?) -> Bool {
        defer { self.version = version }
        guard contents == .unknown, inFlight.isEmpty, let old = self.version, let version else {
            return false
        }
        return version != old
    }

    /// Stores all values and returns the foreign changes.
    mutating func load(_ values: PropertyListEntries, now: Double) -> [Change] {
        let isFirst = contents != .loaded
        contents = .loaded
        keysInSeveralForms = Set(values.keysInSeveralForms)
        var changes: [Change] = []
        if !isFirst {
            let stored = storedValues
            for key in Set(stored.keys).union(values.keys) where stored[key] != values[key] {
                changes.append(
                    Change(key: key, old: stored[key], new: values[key], origin: .otherProcess, sequence: 0)
                )
            }
            // A difference may come from this editor's write, stored but not yet reported.
            changes.removeAll { change in
                inFlight.contains {
                    $0.write.changes[change.key].map { $0.new == change.new } ?? false
                }
            }
        }
        for change in changes { takeOver(change, now: now) }
        let highlights = multiSelectedValues(of: Set(changes.map(\.key)))
        let own = ownKeys
        outline.load(values) { !own.contains($0) }
        updateMultiSelection(highlights)
        beneath = [:]
        let waiting = Array(staged.keys)
        renewStaged(waiting)
        renewHighlights(waiting)
        let others =
            (lost?.keys.map { $0 } ?? []) + staged.keys + schema.declarations.keys
            + (showsDeleted ? deletedByOthers.keys.map { $0 } : [])
        show(Set(inFlight.flatMap(\.write.changes.keys)).union(others).union(changes.map(\.key)))
        return changes.sorted { $0.key < $1.key }
    }

    /// Applies changes and returns the foreign ones.
    ///
    /// - Parameter read: The large changes, compared beforehand.
    mutating func change(
        _ changes: [Change],
        _ read: [UInt64: PreparedDiff] = [:],
        now: Double
    ) -> [Change] {
        guard contents == .loaded else {
            let foreign = changes.filter(\.isForeign)
            if !foreign.isEmpty { highlights.addSuite(now: now) }
            return foreign
        }
        for change in changes {
            if change.isForeign { takeOver(change, read[change.sequence], now: now) }
            beneath[change.key] = .some(change.new)
        }
        defer { outline.known = [:] }
        let foreign = changes.filter(\.isForeign)
        noteRemoved(foreign, now: now)
        let waiting = foreign.map(\.key).filter { staged[$0] != nil && !isInFlight($0) }
        renewStaged(changes.map(\.key))
        renewHighlights(waiting)
        show(changes.map(\.key), changedByOthers: Set(foreign.map(\.key)))
        return foreign
    }

    private mutating func takeOver(_ change: Change, _ read: PreparedDiff? = nil, now: Double) {
        if changedByOthers[change.key] == nil { changedByOthers[change.key] = .some(change.old) }
        deletedByOthers[change.key] = change.new == nil ? change.old : nil
        if change.new == nil { multiSelection = multiSelection.filter { $0.key != change.key } }
        if let read, staged[change.key] == nil, !isInFlight(change.key) {
            highlights.add(change.key, read, now: now)
            outline.note(read, change.key)
        } else {
            // The value of a write in flight was never stored.
            let before =
                isInFlight(change.key)
                ? storedValue(forKey: change.key).map(ValueNode.init) : outline.node(at: [.key(change.key)])
            highlights.add(change.key, before: before, after: change.new, now: now)
            outline.known[change.key] = nil
        }
        for index in inFlight.indices where inFlight[index].write.changes[change.key] != nil {
            inFlight[index].overtaken.insert(change.key)
        }
    }

    /// Updates the rows of these keys.
    ///
    /// - Parameter others: The keys with foreign changes below staged ones.
    mutating func show(_ keys: some Sequence<String>, changedByOthers others: Set<String> = []) {
        var changes: [(key: String, value: PropertyListValue?)] = []
        for key in keys {
            let stored = storedValue(forKey: key)
            let deleted = deletedValue(forKey: key)
            if deleted == nil { outline.deleted.remove(key) } else { outline.deleted.insert(key) }
            let shown = shownValue(forKey: key) ?? deleted
            // Equal values have equal rows.
            if shown != outline.value(forKey: key) { changes.append((key, shown)) }
            beneath[key] = shown == stored ? nil : .some(stored)
        }
        let highlights = multiSelectedValues(of: Set(changes.map(\.key)))
        let own = ownKeys.subtracting(others)
        outline.set(changes) { !own.contains($0) }
        updateMultiSelection(highlights)
        if outline.filter != nil { renewFilter(Array(keys)) }
    }

    /// The value of a deleted key, if a row still shows it.
    func deletedValue(forKey key: String) -> PropertyListValue? {
        showsDeleted && shownValue(forKey: key) == nil ? deletedByOthers[key] : nil
    }

    /// Shows only the keys that match a filter; all keys without one.
    ///
    /// - Parameter path: The row to select if it is shown.
    mutating func setFilter(_ filter: RowFilter?, from path: ValuePath?) {
        let showsDeleted = filter?.showsDeleted == true
        if showsDeleted == self.showsDeleted { return outline.setFilter(filter, from: path) }
        self.showsDeleted = showsDeleted
        // Deleted keys are added before others are hidden and removed after they return, so that the selection stays.
        if showsDeleted { show(deletedByOthers.keys) }
        outline.setFilter(filter, from: path)
        if !showsDeleted { show(deletedByOthers.keys) }
    }

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

    /// Stores the declarations.
    ///
    /// - Parameter problem: Why the declarations cannot be read.
    mutating func declare(_ schema: SuiteSchema, problem: String?) {
        learnSecrets(of: schema, problem: problem)
        guard schema != self.schema else { return }
        let keys = Set(self.schema.declarations.keys).union(schema.declarations.keys)
        self.schema = schema
        if contents == .loaded { show(keys) }
        renewDecodingCheck()
    }

    /// Stores the keys with values in quarantine.
    mutating func setAside(_ files: [String: String]) {
        guard files != setAside else { return }
        setAside = files
        renewDecodingCheck()
    }
}
