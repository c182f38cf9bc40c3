import PropertyList
import SettingsStore

/// A key whose change waits.
struct StagedKey: Sendable, Hashable {
    let suite: String
    let key: String

    init(_ suite: String, _ key: String) { (self.suite, self.key) = (suite, key) }
    init(_ pending: PendingChange) { self.init(pending.suite, pending.key) }
}

/// Changes that wait and are written, or dropped, together or not at all: what goes from one key has come to
/// another.
struct StagedTogether: Sendable {
    /// None has a key of another.
    private(set) var groups: [Set<StagedKey>] = []

    mutating func add(_ keys: Set<StagedKey>) {
        if keys.count < 2 { return }
        let all = groups.filter { !$0.isDisjoint(with: keys) }.reduce(keys) { $0.union($1) }
        groups.removeAll { !$0.isDisjoint(with: keys) }
        groups.append(all)
    }

    /// These, and all that any of them goes with.
    func closure(of keys: Set<StagedKey>) -> Set<StagedKey> {
        groups.filter { !$0.isDisjoint(with: keys) }.reduce(keys) { $0.union($1) }
    }

    /// Forgets all keys but these.
    mutating func keep(_ isKept: (StagedKey) -> Bool) {
        groups = groups.map { $0.filter(isKept) }.filter { $0.count > 1 }
    }
}

extension Edit {
    /// Its keys, where something goes from one to come to another; else none.
    var movedKeys: Set<StagedKey> {
        let changes = parts.flatMap(\.changes.values)
        if changes.count < 2 { return [] }
        // What goes to another suite, or comes from there, is moved; in one the same may be done to several keys.
        let isMoved =
            parts.count > 1
            || changes.contains { $0.growth < 0 } && changes.contains { $0.new != nil && $0.growth >= 0 }
        guard isMoved else { return [] }
        return Set(parts.flatMap { part in part.changes.keys.map { StagedKey(part.suite, $0) } })
    }
}

extension ValueChange {
    /// How much more there is than before; negative where something goes.
    fileprivate var growth: Int { (new?.extent ?? 0) - (old?.extent ?? 0) }
}

extension PropertyListValue {
    /// How many values that are, and of a text or data that holds values, how long it is.
    fileprivate var extent: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.extent }
        case .dictionary(let entries): entries.values.reduce(1) { $0 + $1.extent }
        case .string(let text) where "{[".contains(text.first ?? " "): text.utf8.count
        case .data(let data) where data.first.map("{[<b".utf8.contains) == true: data.count
        default: 1
        }
    }
}

extension EditorState {
    /// What waits goes together where it was moved.
    mutating func stageTogether(_ edit: Edit) {
        let moved = edit.movedKeys
        if moved.isEmpty, stagedTogether.groups.isEmpty { return }
        // What has been written since may be changed anew, by itself.
        let waiting = Set(pendingChanges.map { StagedKey($0) })
        // What is moved on is no longer where it came to first, and goes with where it came from all the same.
        stagedTogether.add(moved)
        stagedTogether.keep { waiting.contains($0) }
    }

    /// What waits with a change; nothing where that goes alone.
    func companions(of pending: PendingChange) -> [StagedKey] {
        let key = StagedKey(pending)
        return stagedTogether.closure(of: [key])
            .filter { other in
                other != key && suiteIndex(other.suite).map { suites[$0].staged[other.key] != nil } == true
            }
            .sorted { ($0.suite, $0.key) < ($1.suite, $1.key) }
    }

    /// What goes with a change of a suite, in a few words.
    func names(_ companions: [StagedKey], from suite: String) -> String {
        guard let first = companions.first else { return "" }
        let name = first.suite == suite ? "“\(first.key)”" : "“\(first.suite) › \(first.key)”"
        return companions.count == 1 ? name : "\(name) and \(companions.count - 1) more"
    }

    /// Takes these out of what waits, as edits in whose order they can be written: what comes from somewhere is
    /// stored before it goes from there.
    mutating func takeStaged(_ changes: [PendingChange]) -> [Edit] {
        let wanted = Dictionary(grouping: changes, by: \.suite)
        let keys = Set(changes.map { StagedKey($0) })
        let crossing = stagedTogether.groups.map { $0.intersection(keys) }.filter {
            Set($0.map(\.suite)).count > 1
        }
        let gone = Set(changes.filter { $0.change.new == nil || $0.change.growth < 0 }.map { StagedKey($0) })
        let goesLater = crossing.reduce(into: Set<StagedKey>()) { $0.formUnion($1.intersection(gone)) }
        // Suites that what is moved has to do with are written in one edit.
        var components: [[String]] = []
        for suite in suites.map(\.id) where wanted[suite] != nil {
            let neighbours = Set(
                crossing.filter { $0.contains { $0.suite == suite } }.flatMap { $0.map(\.suite) }
            )
            let touched = components.filter { !neighbours.isDisjoint(with: $0) }
            components.removeAll { !neighbours.isDisjoint(with: $0) }
            components.append(touched.flatMap { $0 } + [suite])
        }
        return components.map { component in
            var first: [Edit.Part] = []
            var last: [Edit.Part] = []
            for suite in component {
                guard let index = suiteIndex(suite) else { continue }
                let own = (wanted[suite] ?? []).map(\.key)
                let whole = suites[index].wholeOnceWritten(own)
                let later =
                    whole?.isRemoved == true ? own : own.filter { goesLater.contains(StagedKey(suite, $0)) }
                let now = own.filter { !later.contains($0) }
                if !now.isEmpty {
                    let changes = suites[index].unstage(now)
                    first.append(Edit.Part(suite: suite, changes: changes, whole: whole))
                }
                if !later.isEmpty {
                    let changes = suites[index].unstage(later)
                    last.append(
                        Edit.Part(
                            suite: suite,
                            changes: changes,
                            whole: whole?.isRemoved == true ? whole : nil
                        )
                    )
                }
            }
            var edit = Edit(number: nextNumber(), parts: first + last)
            edit.together = stagedTogether.groups.filter { group in
                group.contains { key in component.contains(key.suite) && keys.contains(key) }
            }
            return edit
        }
    }
}
