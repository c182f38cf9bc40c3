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
    /// The line with the error, if the file is unreadable.
    @Boxed var badLine: BadLine?
    /// The listed version; nil if it is unknown or older than the last write of this editor.
    private(set) var version: SuiteVersion?
    /// The staged values, those in flight, and those that other processes changed.
    private(set) var layers = LayeredValues()
    /// The new paths in keys that have changed since ``takeMappings()``.
    private(set) var mappings: [String: PathMapping] = [:]
    /// The path of the unreadable file that was set aside, until the values are stored in a new file.
    var setAsideFile: String?
    /// The path of the unreadable file that the user moved aside since the editor was opened.
    var movedAside: String?
    /// Whether the file was set aside or is about to be. The suite stays in the list even without a file.
    var beginsAnew = false
    /// The suite that was selected when this one was created. It is selected again if the user cancels.
    var madeBehind: String?
    /// Whether it was removed in this editor. It may still be listed.
    var wasRemovedHere = false
    /// Whether another process created it first.
    var isInTheWay = false
    var outline = Outline()
    /// The row to select first; nil for the first row.
    var firstRow: ValuePath?
    var highlights = ChangeHighlights()
    /// The rows that were chosen with m.
    var multiSelection: Set<ValuePath> = []
    private(set) var schema = SuiteSchema()
    /// The layers besides the user's own.
    var otherLayers = OtherLayers()
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

    var staged: [String: ValueChange] { layers.staged }
    var inFlight: [InFlight] { layers.inFlight }
    var changedByOthers: [String: PropertyListValue?] { layers.changedByOthers }
    /// The values at the time when the file was deleted. They are still shown. Nil if the file exists.
    var lost: [String: PropertyListValue]? {
        get { layers.lost }
        set { layers.lost = newValue }
    }
    /// The change of the whole suite that is written with the staged changes; nil if there is none.
    var stagedWhole: WholeSuite? {
        get { layers.stagedWhole }
        set { layers.stagedWhole = newValue }
    }

    /// The value of a key after all staged changes and writes in flight.
    func value(forKey key: String) -> PropertyListValue? {
        layers.value(forKey: key, row: outline.value(forKey: key))
    }

    /// The stored value of a key, as far as it is known.
    func storedValue(forKey key: String) -> PropertyListValue? {
        layers.storedValue(forKey: key, row: outline.value(forKey: key))
    }

    /// All stored values. This copies them.
    var storedValues: [String: PropertyListValue] {
        var values = Dictionary(uniqueKeysWithValues: outline.entries.map { ($0.key, $0.value) })
        layers.replaceRows(in: &values)
        return values
    }

    /// The keys whose values come from this editor.
    var ownKeys: Set<String> { layers.ownKeys }

    /// Whether the file cannot be read, so that the stored values are unknown.
    var isUnreadable: Bool { if case .unreadable? = status?.content { true } else { false } }

    func isInFlight(_ key: String) -> Bool { layers.isInFlight(key) }

    /// Keeps the declarations where they are for the rest of a transaction in flight: those of this suite, or all.
    mutating func leaveDeclarations(of id: WriteID, isAll: Bool) -> InFlight? {
        let suite = isAll ? nil : self.id
        return layers.update(id) { $0.leaveDeclarations(of: suite) }
    }
}

extension SuiteModel {
    mutating func begin(_ flight: InFlight) {
        layers.begin(flight)
        for (key, change) in flight.write.changes { highlights.carry(key, change) }
        updateRows(flight.write.changes.keys)
    }

    /// Ends a write and returns it; nil if it belongs to another suite.
    mutating func end(_ id: WriteID, _ result: WriteResult, now: Double) -> InFlight? {
        guard let flight = layers.take(id) else { return nil }
        // The next listed version may come from this write.
        version = nil
        // A foreign change that was reported meanwhile is newer than the result.
        switch result {
        case .done:
            for (key, change) in flight.write.changes where !flight.overtaken.contains(key) {
                layers.setStored(change.new, key)
            }
        case .conflict(let current):
            for (key, value) in current where !flight.overtaken.contains(key) {
                highlights.add(
                    key,
                    before: storedValue(forKey: key).map(ValueNode.init),
                    after: value,
                    now: now
                )
                layers.setStored(value, key)
            }
        case .failed: break
        }
        renewStaged(flight.write.changes.keys)
        updateRows(flight.write.changes.keys)
        return flight
    }

    /// Remembers the selection after a write began.
    mutating func noteSelection(behind write: Write) {
        let selected = outline.selectedRow?.path
        layers.update(write.id) { $0.selectedBehind = selected }
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
        let startsHere = isFirst && outline.rows.isEmpty
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
        let (before, earlier) = (valuesThere(isFirst ? [] : ownKeys.union(changes.map(\.key))), mappings)
        for change in changes { takeOver(change, now: now) }
        let selected = multiSelectedValues(of: Set(changes.map(\.key)))
        let own = ownKeys
        let moving = Set(outline.open.openKeys).union(selected.map(\.path.key)).subtracting(own)
        var followed: [String: PathMapping] = [:]
        for key in moving { followed[key] = mapping(of: key, to: values[key]) }
        outline.load(values, followed)
        updateMultiSelection(selected, followed)
        layers.forgetStored()
        let waiting = Array(staged.keys)
        renewStaged(waiting)
        renewHighlights(waiting)
        let others =
            (lost?.keys.map { $0 } ?? []) + staged.keys + schema.declarations.keys + otherLayers.keys
            + (layers.showsDeleted ? layers.deletedByOthers.keys.map { $0 } : [])
        updateRows(Set(inFlight.flatMap(\.write.changes.keys)).union(others).union(changes.map(\.key)))
        // The rows of declared settings come after those of stored values.
        if startsHere { selectFirstRow() }
        // The rows of one key may have changed twice.
        mappings = earlier
        for (key, old) in before {
            let new = outline.valueThere(forKey: key)
            if old != new {
                mappings[key] = (mappings[key] ?? PathMapping(from: old, to: new)).continued(to: new)
            }
        }
        return changes.sorted { $0.key < $1.key }
    }

    private func valuesThere(_ keys: Set<String>) -> [(key: String, value: PropertyListValue?)] {
        keys.map { ($0, outline.valueThere(forKey: $0)) }
    }

    private func mapping(
        of key: String,
        to new: PropertyListValue?,
        _ prepared: [PreparedDiff] = []
    ) -> PathMapping {
        PathMapping(
            from: outline.valueThere(forKey: key),
            outline.rows.openNode(forKey: key),
            to: new,
            prepared
        )
    }

    /// The mappings since the previous call.
    mutating func takeMappings() -> [String: PathMapping] {
        defer { mappings = [:] }
        return mappings
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
        var prepared: [String: [PreparedDiff]] = [:]
        for change in changes {
            if change.isForeign {
                let read = read[change.sequence].flatMap { isOwn(change.key) ? nil : $0 }
                takeOver(change, read, now: now)
                prepared[change.key] = read.map { (prepared[change.key] ?? []) + [$0] }
            }
            layers.setStored(change.new, change.key)
        }
        let foreign = changes.filter(\.isForeign)
        noteRemoved(foreign, now: now)
        let waiting = foreign.map(\.key).filter { staged[$0] != nil && !isInFlight($0) }
        renewStaged(changes.map(\.key))
        renewHighlights(waiting)
        updateRows(changes.map(\.key), changedByOthers: Set(foreign.map(\.key)), prepared)
        return foreign
    }

    /// Whether a row shows a value of this editor.
    private func isOwn(_ key: String) -> Bool { staged[key] != nil || isInFlight(key) }

    private mutating func takeOver(_ change: Change, _ read: PreparedDiff? = nil, now: Double) {
        if change.new == nil { multiSelection = multiSelection.filter { $0.key != change.key } }
        if otherLayers.override(ofKey: change.key) != nil {
            // The row shows the value of another layer, which has not changed.
        } else if let read {
            highlights.add(change.key, read, now: now)
        } else {
            // The value of a write in flight was never stored.
            let before =
                isInFlight(change.key) || isWithoutValue(change.key)
                ? storedValue(forKey: change.key).map(ValueNode.init) : outline.node(at: [.key(change.key)])
            highlights.add(change.key, before: before, after: change.new, now: now)
        }
        layers.takeOver(change)
    }

    /// Updates the rows of these keys. Every change of a row passes here, and gets its ``PathMapping`` here.
    ///
    /// - Parameters:
    ///   - others: The keys with foreign changes below staged ones.
    ///   - prepared: The foreign changes that were compared beforehand, by key, oldest first.
    mutating func updateRows(
        _ keys: some Sequence<String>,
        changedByOthers others: Set<String> = [],
        _ prepared: [String: [PreparedDiff]] = [:]
    ) {
        var changes: [(key: String, value: PropertyListValue?)] = []
        var followed: [String: PathMapping] = [:]
        let own = ownKeys.subtracting(others)
        for key in keys {
            let stored = storedValue(forKey: key)
            let value = shownValue(forKey: key)
            let deleted = deletedValue(forKey: key)
            let shown = value ?? deleted
            // Equal values have equal rows.
            let isChanged = shown != outline.value(forKey: key)
            if isChanged || outline.deleted.contains(key) != (deleted != nil) {
                let mapping = mapping(of: key, to: value, prepared[key] ?? [])
                mappings[key] = mappings[key]?.continued(to: value) ?? mapping
                if !own.contains(key) { followed[key] = mapping }
            }
            if deleted == nil { outline.deleted.remove(key) } else { outline.deleted.insert(key) }
            if isChanged { changes.append((key, shown)) }
            layers.keepStored(stored, key, below: shown)
        }
        let selected = multiSelectedValues(of: Set(changes.map(\.key)))
        outline.set(changes, followed)
        updateMultiSelection(selected, followed)
        if outline.filter != nil { renewFilter(Array(keys)) }
    }

    /// The value of a deleted key, if a row still shows it: until a staged deletion is written, and in the list of
    /// foreign changes.
    func deletedValue(forKey key: String) -> PropertyListValue? {
        guard shownValue(forKey: key) == nil else { return nil }
        if let staged = stagedDeletion(ofKey: key) { return staged }
        return layers.showsDeleted ? layers.deletedByOthers[key] : nil
    }

    /// The value of a key that will be deleted when the staged changes are written.
    func stagedDeletion(ofKey key: String) -> PropertyListValue? {
        guard let change = staged[key], change.new == nil else { return nil }
        return change.old
    }

    /// Shows only the keys that match a filter; all keys without one.
    ///
    /// - Parameter path: The row to select if it is shown.
    mutating func setFilter(_ filter: RowFilter?, from path: ValuePath?) {
        let showsDeleted = filter?.showsDeleted == true
        if showsDeleted == layers.showsDeleted { return outline.setFilter(filter, from: path) }
        layers.showsDeleted = showsDeleted
        // Deleted keys are added before others are hidden and removed after they return, so that the selection stays.
        if showsDeleted { updateRows(layers.deletedByOthers.keys) }
        outline.setFilter(filter, from: path)
        if !showsDeleted { updateRows(layers.deletedByOthers.keys) }
    }

    mutating func setStaged(_ change: ValueChange?, _ key: String) { layers.setStaged(change, key) }

    /// Remembers values that were just removed, because a deleted file reports each key as removed first.
    private mutating func noteRemoved(_ changes: [Change], now: Double) {
        for change in changes {
            if change.new != nil {
                layers.forgetRemoved()
                forgetLost()
            } else if let old = change.old {
                layers.noteRemoved(old, change.key, now: now)
            }
        }
    }

    /// The stored values, and those that were removed a moment ago.
    func lastValues(now: Double) -> [String: PropertyListValue] {
        let removed = layers.justRemoved
        let isOver = now - removed.time > LayeredValues.JustRemoved.span
        return (isOver ? [:] : removed.values).merging(storedValues) { $1 }
    }

    /// Stores the status. If the file was deleted, its values are still shown.
    mutating func take(_ new: SuiteStatus, now: Double) {
        let old = status
        status = new
        switch new.content {
        case .absent:
            if let old, old.content != .absent { lose(lastValues(now: now)) }
        case .stored: forgetLost()
        case .unreadable, .stale, .unfinished: break
        }
    }

    /// Keeps showing values that are no longer stored.
    mutating func lose(_ values: [String: PropertyListValue]) {
        let deletions = layers.justRemoved.stagedDeletions
        layers.forgetRemoved()
        guard lost == nil, contents == .loaded, !values.isEmpty, !isRemovedHere, !isInTheWay
        else { return }
        lost = values
        // Staged deletions apply again when the file exists again.
        for (key, change) in deletions where values[key] == change.old { setStaged(change, key) }
        updateRows(values.keys)
    }

    /// Stores the declarations.
    ///
    /// - Parameter problem: Why the declarations cannot be read.
    mutating func declare(_ schema: SuiteSchema, problem: String?) {
        learnSecrets(of: schema, problem: problem)
        guard schema != self.schema else { return }
        let keys = Set(self.schema.declarations.keys).union(schema.declarations.keys)
        self.schema = schema
        if contents == .loaded { updateRows(keys) }
        renewDecodingCheck()
    }

    /// Selects the row where a person starts to read.
    mutating func selectFirstRow() {
        outline.select(firstRow.flatMap { outline.index(of: $0) } ?? 0)
    }

    /// Stores the keys with values in quarantine.
    mutating func setAside(_ files: [String: String]) {
        guard files != setAside else { return }
        setAside = files
        renewDecodingCheck()
    }
}
