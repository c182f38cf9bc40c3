import PropertyList
import SettingsStore

/// A key whose change waits.
struct StagedKey: Sendable, Hashable {
    let suite: String
    let key: String

    init(_ suite: String, _ key: String) { (self.suite, self.key) = (suite, key) }
    init(_ pending: PendingChange) { self.init(pending.suite, pending.key) }
}

/// Keys between which something was moved while it waited, in one go or in several, or a key within which: they
/// are written, or dropped, together or not at all.
struct StagedMove: Sendable, Hashable {
    /// No other move has any of them.
    var keys: Set<StagedKey>
    /// Those from which something went.
    var sources: Set<StagedKey>

    /// - Parameter edit: A move: what goes to a suite comes before what goes from one.
    init(_ transaction: Transaction) {
        keys = Set(transaction.parts.flatMap { part in part.changes.keys.map { StagedKey(part.suite, $0) } })
        sources = []
        for (number, part) in transaction.parts.enumerated() {
            for (key, change) in part.changes where number > 0 || change.new == nil {
                sources.insert(StagedKey(part.suite, key))
            }
        }
    }

    mutating func add(_ other: StagedMove) {
        keys.formUnion(other.keys)
        sources.formUnion(other.sources)
    }

    var suites: Set<String> { Set(keys.map(\.suite)) }

    /// Whether a change takes something away that it may have brought elsewhere.
    func takesAway(_ pending: PendingChange) -> Bool {
        let key = StagedKey(pending)
        return keys.contains(key)
            && (pending.change.new == nil || pending.change.old != nil && sources.contains(key))
    }
}

extension EditorState {
    /// Has keys that wait from now on go with those that something came from, or went to.
    ///
    /// Said before they wait: a key that didn't until now goes with none.
    mutating func tie(_ transaction: Transaction) {
        if !transaction.isMove, staging.moves.isEmpty { return }
        let written = suiteList.suites.flatMap(\.inFlight).filter { $0.purpose == .staged }.flatMap(
            \.transaction.parts
        )
        for part in transaction.parts {
            guard let index = suiteIndex(part.suite) else { continue }
            for key in part.changes.keys where suiteList.suites[index].staged[key] == nil {
                // It waits again if it is refused.
                if written.contains(where: { $0.suite == part.suite && $0.changes[key] != nil }) { continue }
                for number in staging.moves.indices {
                    staging.moves[number].keys.remove(StagedKey(part.suite, key))
                }
            }
        }
        guard transaction.isMove else { return }
        var move = StagedMove(transaction)
        // What is moved on goes with where it came from first.
        for other in staging.moves where !other.keys.isDisjoint(with: move.keys) { move.add(other) }
        staging.moves.removeAll { $0.keys.isEmpty || !$0.keys.isDisjoint(with: move.keys) }
        staging.moves.append(move)
    }

    /// These, and all that any of them goes with.
    func tied(_ keys: Set<StagedKey>) -> Set<StagedKey> {
        staging.moves.reduce(into: keys) { all, move in
            if !move.keys.isDisjoint(with: keys) { all.formUnion(move.keys) }
        }
    }

    /// What waits with a change; nothing where that goes alone.
    func companions(of pending: PendingChange) -> [StagedKey] {
        let key = StagedKey(pending)
        return tied([key])
            .filter { other in
                other != key
                    && suiteIndex(other.suite).map { suiteList.suites[$0].staged[other.key] != nil } == true
            }
            .sorted { ($0.suite, $0.key) < ($1.suite, $1.key) }
    }

    /// Whether a place that has come or gone goes with others: something was moved or renamed inside its key, or
    /// from that to another one.
    func isMoved(_ row: PendingRow) -> Bool {
        guard let place = row.place, place.hasComeOrGone,
            staging.moves.contains(where: { $0.keys.contains(StagedKey(row.pending)) })
        else { return false }
        if !companions(of: row.pending).isEmpty { return true }
        return staging.rows.contains {
            guard let other = $0.place, $0.pending == row.pending else { return false }
            return other != place && other.hasComeOrGone && other.container == place.container
        }
    }

    /// What goes with a change of a suite, in a few words.
    func names(_ companions: [StagedKey], from suite: String) -> String {
        guard let first = companions.first else { return "" }
        let name = first.suite == suite ? "“\(first.key)”" : "“\(first.suite) › \(first.key)”"
        return companions.count == 1 ? name : "\(name) and \(companions.count - 1) more"
    }

    /// Takes these out of what waits, as edits that can be written one by one: in each what goes to a suite is
    /// stored before it goes from another.
    mutating func takeStaged(_ changes: [PendingChange]) -> [Transaction] {
        let bySuite = Dictionary(grouping: changes, by: \.suite)
        let keys = Set(changes.map { StagedKey($0) })
        let crossing = staging.moves.filter { Set($0.keys.intersection(keys).map(\.suite)).count > 1 }
        return connected(suiteList.suites.map(\.id).filter { bySuite[$0] != nil }, by: crossing).map { ids in
            var (first, last): ([Transaction.Part], [Transaction.Part]) = ([], [])
            for id in ids {
                guard let index = suiteIndex(id), let own = bySuite[id] else { continue }
                let whole = suiteList.suites[index].wholeOnceWritten(own.map(\.key))
                let isGoing = whole?.isRemoved == true
                let later = own.filter { change in
                    isGoing || crossing.contains { $0.takesAway(change) }
                }.map(\.key)
                let now = Set(own.map(\.key)).subtracting(later)
                if !now.isEmpty {
                    let changes = suiteList.suites[index].unstage(now)
                    first.append(Transaction.Part(suite: id, changes: changes, whole: whole))
                }
                if !later.isEmpty {
                    let changes = suiteList.suites[index].unstage(later)
                    last.append(Transaction.Part(suite: id, changes: changes, whole: isGoing ? whole : nil))
                }
            }
            return Transaction(number: history.nextNumber(), parts: first + last)
        }
    }

    /// Suites between which something is moved are together, and each other is alone.
    private func connected(_ suites: [String], by moves: [StagedMove]) -> [[String]] {
        suites.reduce(into: []) { groups, suite in
            let others = moves.map(\.suites).filter { $0.contains(suite) }.reduce(into: Set()) {
                $0.formUnion($1)
            }
            let touched = groups.filter { !others.isDisjoint(with: $0) }
            groups.removeAll { !others.isDisjoint(with: $0) }
            groups.append(touched.flatMap { $0 } + [suite])
        }
    }
}
