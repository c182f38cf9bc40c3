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
    /// Where its file leads, if that is a symbolic link.
    var link: String?
    /// As it was listed; nil where nobody can tell, or what was written since is this editor's.
    private(set) var version: SuiteVersion?
    /// What the storage holds under keys that are shown with something else, as far as is known: with a
    /// write in flight, or as they were before their file was deleted. The rest is what is shown.
    private var beneath: [String: PropertyListValue?] = [:]
    private(set) var inFlight: [InFlight] = []
    /// What it held when its file was deleted, which is still shown; nil where its file is there.
    var lost: [String: PropertyListValue]?
    /// Where its file lies that could not be read, until what was lost is written into a new one.
    var setAsideFile: String?
    /// Its file was set aside, or is about to be: it stays in the list, be there a new one or not yet.
    var beginsAnew = false
    /// What was selected when it was made here, for whoever gives that up.
    var madeBehind: String?
    /// It was removed here, and may still be listed.
    var wasRemovedHere = false
    /// Others have made it where one was to be made here.
    var isInTheWay = false
    /// What becomes of it as a whole when what is kept back is written.
    var stagedWhole: WholeSuite?
    /// What others have removed just now, and when the last of it.
    var removed: [String: PropertyListValue] = [:]
    /// Deletions that were kept back then, which that has done if its file is there still.
    var stagedThen: [String: ValueChange] = [:]
    var removedAt = 0.0
    /// The keys that they have changed since the editor was opened, with what these would hold without that.
    private(set) var changedByOthers: [String: PropertyListValue?] = [:]
    /// What the user has changed of these since, the last at the end.
    private var ownOverOthers: [String: [OwnChange]] = [:]

    /// What a key would hold without what others have changed, before a change of the user's own and behind it.
    private struct OwnChange: Sendable {
        let change: ValueChange
        let former: PropertyListValue?
        let carried: PropertyListValue?
    }

    /// What those held that others have deleted since. They are shown among what others have changed alone.
    private var deletedByOthers: [String: PropertyListValue] = [:]
    private var showsDeleted = false
    /// Changes that are to be written only when the user says so, by key. They are laid over the rest.
    private(set) var staged: [String: ValueChange] = [:]
    /// The places inside these keys that they change; of keys that come or go there are none.
    private(set) var stagedPlaces: [String: [Differences.Place]] = [:]
    var tree = Tree()
    var marks = Marks()
    /// Places that the user has marked, to act upon them together.
    var marked: Set<ValuePath> = []
    private(set) var schema = SuiteSchema()
    var secrets: Secrets { didSet { tree.hide(secrets) } }
    /// The keys that its file had in several Unicode forms when it was read: one of them is shown.
    private(set) var keysInSeveralForms: Set<String> = []
    /// The keys of which a program has set values aside that it could not read, with the newest one's file.
    private(set) var setAside: [String: String] = [:]

    init(id: String, title: String, status: SuiteStatus? = nil, secrets: Secrets = Secrets()) {
        self.id = id
        self.title = title
        self.status = status
        self.secrets = secrets
        tree.hide(secrets)
    }

    /// What a key holds once the writes in flight are done.
    func value(forKey key: String) -> PropertyListValue? {
        if let change = staged[key] { return change.new }
        for flight in inFlight.reversed() where !flight.overtaken.contains(key) {
            if let change = flight.write.changes[key] { return change.new }
        }
        return storedValue(forKey: key)
    }

    /// What the storage holds, as far as is known.
    func storedValue(forKey key: String) -> PropertyListValue? { beneath[key] ?? tree.value(forKey: key) }

    /// All that it holds, which takes its time to make.
    var storedValues: [String: PropertyListValue] {
        var values = Dictionary(uniqueKeysWithValues: tree.entries.map { ($0.key, $0.value) })
        for (key, value) in beneath { values[key] = value }
        return values
    }

    /// Those that show what this editor has given them, and not what others have.
    var ownKeys: Set<String> {
        inFlight.reduce(into: Set(staged.keys)) {
            $0.formUnion(Set($1.write.changes.keys).subtracting($1.overtaken))
        }
    }

    /// Nobody can tell what the storage holds by now.
    var isUnreadable: Bool { if case .unreadable? = status?.content { true } else { false } }

    func isInFlight(_ key: String) -> Bool { inFlight.contains { $0.write.changes[key] != nil } }

    /// Has what goes with a write under way leave declarations as they are, all of it or this suite's part.
    mutating func leaveDeclarations(of id: WriteID, isAll: Bool) -> InFlight? {
        guard let index = inFlight.firstIndex(where: { $0.write.id == id }) else { return nil }
        inFlight[index].leaveDeclarations(of: isAll ? nil : self.id)
        return inFlight[index]
    }
}

extension SuiteModel {
    /// Has a write under way, and those that go on from it, be about what is stored with it.
    mutating func round(_ id: WriteID, _ rounding: Rounding) {
        guard let first = inFlight.firstIndex(where: { $0.write.id == id }) else { return }
        for index in first..<inFlight.count {
            rounding.round(&inFlight[index].write.changes)
            rounding.round(&inFlight[index].edit)
        }
    }

    mutating func begin(_ flight: InFlight) {
        inFlight.append(flight)
        for (key, change) in flight.write.changes {
            marks.carry(key, change)
            carryFormer(key, change)
        }
        show(flight.write.changes.keys)
    }

    /// So many of a key can be taken back so.
    private static let mostOwn = 100

    /// Has a change of the user's own be no difference to what others have changed. Where it takes the last one
    /// back that is as it was before that: of what that has put back, too.
    private mutating func carryFormer(_ key: String, _ change: ValueChange) {
        guard let former = changedByOthers[key] else { return }
        if let last = ownOverOthers[key]?.last, last.change.reversed == change, last.carried == former {
            ownOverOthers[key]?.removeLast()
            changedByOthers[key] = .some(last.former)
        } else if let carried = carried(former, by: change) {
            let own = OwnChange(change: change, former: former, carried: carried)
            ownOverOthers[key] = (ownOverOthers[key] ?? []).suffix(Self.mostOwn - 1) + [own]
            changedByOthers[key] = .some(carried)
        }
    }

    /// Ends a write and returns it; nil if it is none of this suite's.
    mutating func end(_ id: WriteID, _ result: WriteResult, now: Double) -> InFlight? {
        guard let index = inFlight.firstIndex(where: { $0.write.id == id }) else { return nil }
        let flight = inFlight.remove(at: index)
        // The next one that is listed may be the one that this has made.
        version = nil
        // What others have changed since was told already, and is newer.
        switch result {
        case .done:
            for (key, change) in flight.write.changes where !flight.overtaken.contains(key) {
                beneath[key] = .some(change.new)
            }
        case .conflict(let current):
            for (key, value) in current where !flight.overtaken.contains(key) {
                marks.add(
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

    /// Notes what is selected once a write was begun.
    mutating func noteSelection(behind write: Write) {
        guard let index = inFlight.firstIndex(where: { $0.write.id == write.id }) else { return }
        inFlight[index].selectedBehind = tree.selectedRow?.path
    }

    /// Takes over which version of it is listed, and says whether others have changed something in it that
    /// nobody has read.
    mutating func take(_ version: SuiteVersion?) -> Bool {
        defer { self.version = version }
        guard contents == .unknown, inFlight.isEmpty, let old = self.version, let version else {
            return false
        }
        return version != old
    }

    /// Takes over everything that the suite holds and returns the keys that others have changed.
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
            // What differs may also be this editor's own, stored and not yet reported.
            changes.removeAll { change in
                inFlight.contains {
                    $0.write.changes[change.key].map { $0.new == change.new } ?? false
                }
            }
        }
        for change in changes { takeOver(change, now: now) }
        let marks = markedPlaces(of: Set(changes.map(\.key)))
        let own = ownKeys
        tree.load(values) { !own.contains($0) }
        dropMarks(marks)
        beneath = [:]
        let waiting = Array(staged.keys)
        renewStaged(waiting)
        renewMarks(waiting)
        let others =
            (lost?.keys.map { $0 } ?? []) + staged.keys + schema.declarations.keys
            + (showsDeleted ? deletedByOthers.keys.map { $0 } : [])
        show(Set(inFlight.flatMap(\.write.changes.keys)).union(others).union(changes.map(\.key)))
        return changes.sorted { $0.key < $1.key }
    }

    /// Takes over changes, and returns those that others have made.
    ///
    /// - Parameter read: Those of them that were read beforehand.
    mutating func change(
        _ changes: [Change],
        _ read: [UInt64: ReadChange] = [:],
        now: Double
    ) -> [Change] {
        guard contents == .loaded else {
            let foreign = changes.filter(\.isForeign)
            if !foreign.isEmpty { marks.addSuite(now: now) }
            return foreign
        }
        for change in changes {
            if change.isForeign { takeOver(change, read[change.sequence], now: now) }
            beneath[change.key] = .some(change.new)
        }
        defer { tree.known = [:] }
        let foreign = changes.filter(\.isForeign)
        noteRemoved(foreign, now: now)
        let waiting = foreign.map(\.key).filter { staged[$0] != nil && !isInFlight($0) }
        renewStaged(changes.map(\.key))
        renewMarks(waiting)
        show(changes.map(\.key), changedByOthers: Set(foreign.map(\.key)))
        return foreign
    }

    private mutating func takeOver(_ change: Change, _ read: ReadChange? = nil, now: Double) {
        if changedByOthers[change.key] == nil { changedByOthers[change.key] = .some(change.old) }
        deletedByOthers[change.key] = change.new == nil ? change.old : nil
        if change.new == nil { marked = marked.filter { $0.key != change.key } }
        if let read, staged[change.key] == nil, !isInFlight(change.key) {
            marks.add(change.key, read, now: now)
            tree.note(read, change.key)
        } else {
            // What a write under way was to bring was never there.
            let before =
                isInFlight(change.key)
                ? storedValue(forKey: change.key).map(ValueNode.init) : tree.node(at: [.key(change.key)])
            marks.add(change.key, before: before, after: change.new, now: now)
            tree.known[change.key] = nil
        }
        for index in inFlight.indices where inFlight[index].write.changes[change.key] != nil {
            inFlight[index].overtaken.insert(change.key)
        }
    }

    /// Shows what these keys are to show now.
    ///
    /// - Parameter others: Those that others have changed, beneath what is kept back.
    mutating func show(_ keys: some Sequence<String>, changedByOthers others: Set<String> = []) {
        var changes: [(key: String, value: PropertyListValue?)] = []
        for key in keys {
            let stored = storedValue(forKey: key)
            let deleted = deletedValue(forKey: key)
            if deleted == nil { tree.deleted.remove(key) } else { tree.deleted.insert(key) }
            let shown = shownValue(forKey: key) ?? deleted
            // Equal values have equal rows.
            if shown != tree.value(forKey: key) { changes.append((key, shown)) }
            beneath[key] = shown == stored ? nil : .some(stored)
        }
        let marks = markedPlaces(of: Set(changes.map(\.key)))
        let own = ownKeys.subtracting(others)
        tree.set(changes) { !own.contains($0) }
        dropMarks(marks)
        if tree.filter != nil { renewFilter(Array(keys)) }
    }

    /// What a key held that others have deleted, where a row shows that.
    func deletedValue(forKey key: String) -> PropertyListValue? {
        showsDeleted && shownValue(forKey: key) == nil ? deletedByOthers[key] : nil
    }

    /// Shows only the keys that a filter leaves; with none all.
    ///
    /// - Parameter path: is selected if it is there.
    mutating func setFilter(_ filter: RowFilter?, from path: ValuePath?) {
        let showsDeleted = filter?.showsDeleted == true
        if showsDeleted == self.showsDeleted { return tree.setFilter(filter, from: path) }
        self.showsDeleted = showsDeleted
        // They come before the others go, and go when those are back: the selection stays where it can.
        if showsDeleted { show(deletedByOthers.keys) }
        tree.setFilter(filter, from: path)
        if !showsDeleted { show(deletedByOthers.keys) }
    }

    mutating func setStaged(_ change: ValueChange?, _ key: String) {
        staged[key] = change
        guard let old = change?.old, let new = change?.new else {
            stagedPlaces[key] = nil
            return
        }
        let differences = Differences(ValueNode(old), ValueNode(new), limit: Self.mostStagedPlaces)
        stagedPlaces[key] = differences.places
    }

    /// So many places of one key have a sign of their own.
    private static let mostStagedPlaces = 200

    /// Takes over what programs have declared, also by another version of that.
    ///
    /// - Parameter problem: why that can't be read.
    mutating func declare(_ schema: SuiteSchema, problem: String?) {
        learnSecrets(of: schema, problem: problem)
        guard schema != self.schema else { return }
        let keys = Set(self.schema.declarations.keys).union(schema.declarations.keys)
        self.schema = schema
        if contents == .loaded { show(keys) }
        renewDecodingCheck()
    }

    /// Takes over the keys of which a program has set values aside.
    mutating func setAside(_ files: [String: String]) {
        guard files != setAside else { return }
        setAside = files
        renewDecodingCheck()
    }
}
