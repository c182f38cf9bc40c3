import PropertyList

/// What the user has done, in that order, and how far each of it is done: what is can be taken back, and what is
/// not, or not any more, can be done again.
struct UndoHistory: Sendable {
    struct Entry: Sendable {
        var edit: Edit
        /// So many of its parts, from the first, are stored or on their way.
        var done: Int

        /// What is to be written to take back what is done, or to do the rest, unless that has changed since.
        func parts(_ purpose: InFlight.Purpose) -> [Edit.Part] {
            purpose == .undo
                ? edit.parts.prefix(done).reversed().map(\.reversed) : Array(edit.parts.dropFirst(done))
        }

        /// Nil where nothing is left of it.
        fileprivate func rounded(_ rounding: Rounding) -> Entry? {
            let done = edit.parts.prefix(done).compactMap(rounding.rounded)
            let rest = edit.parts.dropFirst(self.done).compactMap(rounding.rounded)
            return done.isEmpty && rest.isEmpty ? nil : Entry(edit: edit.part(done + rest), done: done.count)
        }
    }

    private(set) var entries: [Entry] = []
    /// What could be done again until an edit came, as long as nothing else has happened since.
    private var ended: (by: Int, entries: [Entry])?
    private var refused: [Refused: Obstacle] = [:]

    private struct Refused: Hashable {
        let number: Int
        let purpose: InFlight.Purpose
    }

    /// What was in an edit's way.
    enum Obstacle: Sendable, Hashable {
        /// It can be seen here, and so can that it is there no longer.
        case seen
        /// Only what was to become of the suite as a whole is known.
        case unseen(WholeSuite?)
    }

    private static let limit = 1000

    var hasPast: Bool { entries.contains { $0.done > 0 } }
    var hasFuture: Bool { entries.contains { $0.done < $0.edit.parts.count } }

    /// A new edit: what was taken back before can't be done again over it.
    mutating func add(_ edit: Edit) {
        let undone = entries.filter { $0.done == 0 }
        entries = entries.compactMap { entry in
            entry.done == 0
                ? nil : Entry(edit: entry.edit.part(entry.edit.parts.prefix(entry.done)), done: entry.done)
        }
        set(edit, done: edit.parts.count)
        ended = (edit.number, undone)
        if entries.count > Self.limit { entries.removeFirst() }
    }

    /// Has so many parts of an edit be done, from the first; one without parts is forgotten.
    mutating func set(_ edit: Edit, done: Int) {
        ended = nil
        entries.removeAll { $0.edit.number == edit.number }
        guard !edit.parts.isEmpty else { return }
        let index = entries.lastIndex { $0.edit.number < edit.number }.map { $0 + 1 } ?? 0
        entries.insert(Entry(edit: edit, done: done), at: index)
    }

    func holds(_ edit: Edit) -> Bool { entries.contains { $0.edit.number == edit.number } }

    /// Has an edit be another one with its number, if it is here.
    mutating func replace(_ edit: Edit) {
        for index in entries.indices where entries[index].edit.number == edit.number {
            entries[index].edit = edit
        }
    }

    /// Has all be about what is stored. An edit that has changed nothing is none, and ends nothing.
    mutating func round(_ rounding: Rounding) {
        entries = entries.compactMap { $0.rounded(rounding) }
        guard let ended, !entries.contains(where: { $0.edit.number == ended.by }) else { return }
        for entry in ended.entries.compactMap({ $0.rounded(rounding) }) { set(entry.edit, done: entry.done) }
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
                entry.edit.parts.prefix(entry.done).contains { part in
                    part.suite == suite && part.changes[key].map(isMeant) == true
                }
            }
        }
        // Where others had changed something else in it before, what it went over is no edit's any more.
        guard let place = last(where: { $0.old == base }) ?? last(where: { _ in true }) else { return }
        entries[place].edit.parts = entries[place].edit.parts.map { part in
            guard part.suite == suite, let change = part.changes[key] else { return part }
            var changes = part.changes
            changes[key] = ValueChange(old: ground, new: Merge(change, over: ground).value)
            return Edit.Part(
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
    mutating func stop(_ edit: Edit, _ purpose: InFlight.Purpose, missing: Int, isOver: Bool) {
        switch purpose {
        case .staged: break
        case .edit: set(edit.part(edit.parts.dropLast(missing)), done: edit.parts.count - missing)
        case .undo: set(isOver ? edit.part(edit.parts.dropFirst(missing)) : edit, done: isOver ? 0 : missing)
        case .redo:
            let done = edit.parts.count - missing
            set(isOver ? edit.part(edit.parts.prefix(done)) : edit, done: done)
        }
    }

    /// Has the next try pass over an edit that was refused.
    mutating func passOver(_ edit: Edit, _ purpose: InFlight.Purpose, _ obstacle: Obstacle) {
        refused[Refused(number: edit.number, purpose: purpose)] = obstacle
    }

    mutating func passOverNone() { refused = [:] }

    var passesOver: Bool { !refused.isEmpty }

    /// What an edit was refused for just now; nil where it was not.
    func refusal(of edit: Edit, _ purpose: InFlight.Purpose) -> Obstacle? {
        refused[Refused(number: edit.number, purpose: purpose)]
    }
}
