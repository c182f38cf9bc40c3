import PropertyList
import ValueDiff

/// What the user has done, in that order, and how far each of it is done: what is can be taken back, and what is
/// not, or not any more, can be done again.
struct UndoHistory: Sendable {
    struct Entry: Sendable {
        var transaction: Transaction
        /// So many of its parts, from the first, are stored or on their way.
        var done: Int

        /// What is to be written to take back what is done, or to do the rest, unless that has changed since.
        func parts(_ purpose: InFlight.Purpose) -> [Transaction.Part] {
            purpose == .undo
                ? transaction.parts.prefix(done).reversed().map(\.reversed)
                : Array(transaction.parts.dropFirst(done))
        }
    }

    private(set) var entries: [Entry] = []

    private static let limit = 1000

    var hasPast: Bool { entries.contains { $0.done > 0 } }
    var hasFuture: Bool { entries.contains { $0.done < $0.transaction.parts.count } }

    /// A new edit: what was taken back before can't be done again over it.
    mutating func add(_ transaction: Transaction) {
        entries = entries.compactMap { entry in
            entry.done == 0
                ? nil
                : Entry(
                    transaction: entry.transaction.part(entry.transaction.parts.prefix(entry.done)),
                    done: entry.done
                )
        }
        set(transaction, done: transaction.parts.count)
        if entries.count > Self.limit { entries.removeFirst() }
    }

    /// Has so many parts of an edit be done, from the first; one without parts is forgotten.
    mutating func set(_ transaction: Transaction, done: Int) {
        entries.removeAll { $0.transaction.number == transaction.number }
        guard !transaction.parts.isEmpty else { return }
        let index = entries.lastIndex { $0.transaction.number < transaction.number }.map { $0 + 1 } ?? 0
        entries.insert(Entry(transaction: transaction, done: done), at: index)
    }

    /// Has an edit be another one with its number, if it is here.
    mutating func replace(_ transaction: Transaction) {
        for index in entries.indices where entries[index].transaction.number == transaction.number {
            entries[index].transaction = transaction
        }
    }

    /// Has the edit that went over a value that is there no longer go over what others have put there, which is
    /// what it is taken back to.
    mutating func rebase(
        _ key: String,
        of suite: String,
        from base: PropertyListValue?,
        to ground: PropertyListValue?
    ) {
        func last(where isMeant: (ValueChange) -> Bool) -> Int? {
            entries.lastIndex { entry in
                entry.transaction.parts.prefix(entry.done).contains { part in
                    part.suite == suite && part.changes[key].map(isMeant) == true
                }
            }
        }
        // Where others had changed something else in it before, what it went over is no edit's any more.
        guard let place = last(where: { $0.old == base }) ?? last(where: { _ in true }) else { return }
        entries[place].transaction.parts = entries[place].transaction.parts.map { part in
            guard part.suite == suite, let change = part.changes[key] else { return part }
            var changes = part.changes
            changes[key] = ValueChange(old: ground, new: ThreeWayMerge(change, over: ground).value)
            return Transaction.Part(
                suite: suite,
                changes: changes,
                restores: part.restores,
                whole: part.whole,
                wholeReversed: part.wholeReversed
            )
        }
    }

    /// Not all of an edit was written: what was is done, and what was not is as before, so that it can be tried
    /// again, unless that is over.
    ///
    /// - Parameter missing: So many of the parts that were to be written, from the last.
    mutating func stop(_ transaction: Transaction, _ purpose: InFlight.Purpose, missing: Int, isOver: Bool) {
        switch purpose {
        case .staged: break
        case .edit:
            set(
                transaction.part(transaction.parts.dropLast(missing)),
                done: transaction.parts.count - missing
            )
        case .undo:
            set(
                isOver ? transaction.part(transaction.parts.dropFirst(missing)) : transaction,
                done: isOver ? 0 : missing
            )
        case .redo:
            let done = transaction.parts.count - missing
            set(isOver ? transaction.part(transaction.parts.prefix(done)) : transaction, done: done)
        }
    }
}
