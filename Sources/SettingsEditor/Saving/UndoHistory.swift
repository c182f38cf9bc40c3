import PropertyList
import ValueDiff

/// The user's transactions in order, and how far each one is done. Done parts can be undone, and all others can be
/// redone.
struct UndoHistory: Sendable {
    struct Entry: Sendable {
        var transaction: Transaction
        /// The number of parts, from the first, that are stored or in flight.
        var done: Int

        /// The parts to write for undo or redo, unless the values have changed since.
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

    /// Adds a transaction. Undone transactions can no longer be redone.
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

    /// Sets how many parts of a transaction are done. A transaction without parts is removed.
    mutating func set(_ transaction: Transaction, done: Int) {
        entries.removeAll { $0.transaction.number == transaction.number }
        guard !transaction.parts.isEmpty else { return }
        let index = entries.lastIndex { $0.transaction.number < transaction.number }.map { $0 + 1 } ?? 0
        entries.insert(Entry(transaction: transaction, done: done), at: index)
    }

    /// Replaces a transaction with the one of the same number.
    mutating func replace(_ transaction: Transaction) {
        for index in entries.indices where entries[index].transaction.number == transaction.number {
            entries[index].transaction = transaction
        }
    }

    /// Changes the base of the transaction that replaced a value, after the user agreed to write over a foreign
    /// value. Undo then restores the foreign value.
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
        // If another process changed the key in between, no transaction has exactly this base.
        guard let place = last(where: { $0.old == base }) ?? last(where: { _ in true }) else { return }
        entries[place].transaction.parts = entries[place].transaction.parts.map { part in
            guard part.suite == suite, let change = part.changes[key] else { return part }
            var part = part
            part.changes[key] = ValueChange(old: ground, new: ThreeWayMerge(change, over: ground).value)
            return part
        }
    }

    /// Records that a transaction was written only in part. The rest can be tried again, unless `isOver` is true.
    ///
    /// - Parameter missing: The number of parts, from the last, that were not written.
    mutating func stop(_ transaction: Transaction, _ purpose: InFlight.Purpose, missing: Int, isOver: Bool) {
        let done = transaction.parts.count - missing
        switch purpose {
        case .staged: break
        case .undo:
            set(
                isOver ? transaction.part(transaction.parts.dropFirst(missing)) : transaction,
                done: isOver ? 0 : missing
            )
        case .redo where !isOver: set(transaction, done: done)
        case .edit, .redo: set(transaction.part(transaction.parts.prefix(done)), done: done)
        }
    }
}
