/// Changes that wait until the user writes all of them.
///
/// A move changes two keys. If one of them could be written or dropped alone, the value would be there twice or not at
/// all. Therefore a staged move stays one transaction: its keys are written together, the target before the source, and
/// dropping one key drops all of them.
struct StagingState: Sendable {
    /// Whether new changes wait.
    var isOn: Bool
    /// The list of pending changes, while it is on the screen.
    var rows: [PendingRow] = []
    /// The keys of each staged move, with the step in which the key is written. No key belongs to two moves.
    private var moves: [[StagedKey: Int]] = []

    init(isOn: Bool) { self.isOn = isOn }

    /// Keeps the keys of a move together. If a moved value is moved on, both moves become one.
    mutating func tie(_ transaction: Transaction) {
        guard transaction.isMove else { return }
        var move: [StagedKey: Int] = [:]
        for (step, part) in transaction.parts.enumerated() {
            for key in part.changes.keys { move[StagedKey(part.suite, key)] = step }
        }
        let keys = Set(move.keys)
        let steps = transaction.parts.count
        for earlier in moves where !keys.isDisjoint(with: earlier.keys) {
            move.merge(earlier.mapValues { $0 + steps }) { new, _ in new }
        }
        moves.removeAll { $0.isEmpty || !keys.isDisjoint(with: $0.keys) }
        moves.append(move)
    }

    func isMoved(_ key: StagedKey) -> Bool { moves.contains { $0[key] != nil } }

    /// These keys, and all keys of their moves.
    func tied(_ keys: Set<StagedKey>) -> Set<StagedKey> {
        moves.reduce(into: keys) { all, move in
            if !keys.isDisjoint(with: move.keys) { all.formUnion(move.keys) }
        }
    }
}

struct StagedKey: Sendable, Hashable {
    let suite: String
    let key: String

    init(_ suite: String, _ key: String) { (self.suite, self.key) = (suite, key) }
    init(_ pending: PendingChange) { self.init(pending.suite, pending.key) }
}

extension StagingState {
    mutating func stage(_ transaction: Transaction, in list: inout SuiteList) {
        for part in transaction.parts {
            guard let index = list.index(of: part.suite) else { continue }
            let suite = list.suites[index]
            for key in part.changes.keys where suite.staged[key] == nil && !suite.isInFlight(key) {
                // The move of the key was written or dropped.
                for move in moves.indices { moves[move][StagedKey(part.suite, key)] = nil }
            }
        }
        tie(transaction)
        for part in transaction.parts {
            if let index = list.index(of: part.suite) { list.suites[index].stage(part.changes, part.whole) }
        }
    }

    /// The other keys of the move that a staged change belongs to.
    func companions(of pending: PendingChange, in list: SuiteList) -> [StagedKey] {
        let key = StagedKey(pending)
        return tied([key])
            .filter { other in
                other != key
                    && list.index(of: other.suite).map { list.suites[$0].staged[other.key] != nil } == true
            }
            .sorted { ($0.suite, $0.key) < ($1.suite, $1.key) }
    }

    /// The names of these keys, for a message about a key of a suite.
    static func names(_ companions: [StagedKey], from suite: String, _ title: (String) -> String) -> String {
        guard let first = companions.first else { return "" }
        let name = first.suite == suite ? "“\(first.key)”" : "“\(title(first.suite)) › \(first.key)”"
        return companions.count == 1 ? name : "\(name) and \(companions.count - 1) more"
    }

    /// Unstages changes, as transactions that can be written one by one. Suites between which values move are in one
    /// transaction, which writes every target before any source.
    ///
    /// - Parameter number: Gives each transaction its number.
    func take(
        _ changes: [PendingChange],
        from list: inout SuiteList,
        number: () -> Int
    ) -> [Transaction] {
        let bySuite = Dictionary(grouping: changes, by: \.suite).mapValues { $0.map(\.key) }
        let keys = Set(changes.map { StagedKey($0) })
        let moves = moves.map { $0.filter { keys.contains($0.key) } }.filter { !$0.isEmpty }
        let sources = moves.reduce(into: Set<StagedKey>()) { sources, move in
            let first = move.values.min() ?? 0
            sources.formUnion(move.filter { $0.value > first }.keys)
        }
        let suites = list.suites.map(\.id).filter { bySuite[$0] != nil }
        return connected(suites, by: moves.map { Set($0.keys.map(\.suite)) }).map { ids in
            var (targets, removals): ([Transaction.Part], [Transaction.Part]) = ([], [])
            for id in ids {
                guard let index = list.index(of: id), let own = bySuite[id] else { continue }
                let whole = list.suites[index].wholeOnceWritten(own)
                let isRemoved = whole?.isRemoved == true
                let later = own.filter { isRemoved || sources.contains(StagedKey(id, $0)) }
                let now = Set(own).subtracting(later)
                if !now.isEmpty {
                    let changes = list.suites[index].unstage(now)
                    targets.append(Transaction.Part(suite: id, changes: changes, whole: whole))
                }
                if !later.isEmpty {
                    let changes = list.suites[index].unstage(later)
                    let whole = isRemoved ? whole : nil
                    removals.append(Transaction.Part(suite: id, changes: changes, whole: whole))
                }
            }
            return Transaction(number: number(), parts: targets + removals)
        }
    }

    /// Groups the suites between which values move. Every other suite is alone.
    private func connected(_ suites: [String], by moves: [Set<String>]) -> [[String]] {
        suites.reduce(into: []) { groups, suite in
            let others = moves.filter { $0.contains(suite) }.reduce(into: Set()) { $0.formUnion($1) }
            let touched = groups.filter { !others.isDisjoint(with: $0) }
            groups.removeAll { !others.isDisjoint(with: $0) }
            groups.append(touched.flatMap { $0 } + [suite])
        }
    }
}
