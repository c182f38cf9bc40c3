import PropertyList

/// Another value for a key; nil where nothing is stored.
public struct ValueChange: Sendable, Hashable {
    public let old: PropertyListValue?
    public let new: PropertyListValue?

    public init(old: PropertyListValue?, new: PropertyListValue?) {
        self.old = old
        self.new = new
    }

    var reversed: ValueChange { ValueChange(old: new, new: old) }
}

/// What the user did in one step: the keys that get other values.
struct Edit: Sendable, Hashable {
    /// What one suite has to store in one step.
    struct Part: Sendable, Hashable {
        let suite: String
        /// By key; empty only where the suite as a whole is made or removed.
        let changes: [String: ValueChange]
        /// It goes into a new file in place of one that was deleted, with what that held.
        var restores = false
        /// What becomes of the suite as a whole; nil: it stays.
        var whole: WholeSuite?

        var reversed: Part {
            Part(suite: suite, changes: changes.mapValues(\.reversed), whole: whole?.reversed)
        }

        /// The same with what is declared left as it is, where it is about this suite, or any.
        func leavingDeclarations(of suite: String?) -> Part {
            var part = self
            if suite == nil || suite == self.suite { part.whole = whole?.leavingDeclarations }
            return part
        }
    }

    /// Unlike every other's.
    let number: Int
    /// In the order in which they are written.
    var parts: [Part]
    /// What of it, where it has waited, is to wait together again if it is not written.
    var together: [Set<StagedKey>] = []

    func part(_ parts: some Sequence<Part>) -> Edit { Edit(number: number, parts: Array(parts)) }

    /// Its only change, where it has no more than one.
    var only: (suite: String, key: String, change: ValueChange)? {
        guard parts.count == 1, let part = parts.first, part.whole == nil, part.changes.count == 1,
            let (key, change) = part.changes.first
        else { return nil }
        return (part.suite, key, change)
    }

    var keyCount: Int { parts.reduce(0) { $0 + $1.changes.count } }
}

/// The edits that can be taken back, and those that were, both in the order in which they were made.
struct UndoHistory: Sendable {
    /// The one to take back next at the end.
    private(set) var past: [Edit] = []
    /// The one to do again next at the beginning.
    private(set) var future: [Edit] = []
    /// Those that were refused just now: the same key once more passes over them.
    private(set) var refused: Set<Int> = []

    private static let limit = 1000

    /// A new edit: what was taken back before can't be done again over it.
    mutating func add(_ edit: Edit) {
        future = []
        moveToPast(edit)
    }

    mutating func takePast(_ index: Int) -> Edit { past.remove(at: index) }
    mutating func takeFuture(_ index: Int) -> Edit { future.remove(at: index) }

    /// An edit that was taken back, or waits for that again.
    mutating func moveToFuture(_ edit: Edit) { Self.insert(edit, into: &future) }

    mutating func moveToPast(_ edit: Edit) {
        Self.insert(edit, into: &past)
        if past.count > Self.limit { past.removeFirst() }
    }

    /// Has an edit be another one with its number, if it is here.
    mutating func replace(_ edit: Edit) {
        for place in past.indices where past[place].number == edit.number { past[place] = edit }
        for place in future.indices where future[place].number == edit.number { future[place] = edit }
    }

    mutating func forget(_ edit: Edit) {
        past.removeAll { $0.number == edit.number }
        future.removeAll { $0.number == edit.number }
    }

    /// Has the next try pass over an edit that stays where it is.
    mutating func passOver(_ edit: Edit) { refused.insert(edit.number) }

    mutating func passOverNone() { refused = [] }

    private static func insert(_ edit: Edit, into edits: inout [Edit]) {
        guard !edit.parts.isEmpty else { return }
        let index = edits.lastIndex { $0.number < edit.number }.map { $0 + 1 } ?? 0
        edits.insert(edit, at: index)
    }
}
