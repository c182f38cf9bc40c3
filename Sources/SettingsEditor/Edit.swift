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
        /// By key; never empty.
        let changes: [String: ValueChange]
        /// It goes into a new file in place of one that was deleted, with what that held.
        var restores = false

        var reversed: Part { Part(suite: suite, changes: changes.mapValues(\.reversed)) }
    }

    /// Unlike every other's.
    let number: Int
    /// In the order in which they are written.
    var parts: [Part]

    func part(_ parts: some Sequence<Part>) -> Edit { Edit(number: number, parts: Array(parts)) }

    /// Its only change, where it has no more than one.
    var only: (suite: String, key: String, change: ValueChange)? {
        guard parts.count == 1, let part = parts.first, part.changes.count == 1,
            let (key, change) = part.changes.first
        else { return nil }
        return (part.suite, key, change)
    }

    var keyCount: Int { parts.reduce(0) { $0 + $1.changes.count } }
}

/// The edits that can be taken back, and those that were.
struct UndoHistory: Sendable {
    /// The last one at the end.
    private(set) var past: [Edit] = []
    private(set) var future: [Edit] = []

    private static let limit = 1000

    /// A new edit: what was taken back before can't be done again over it.
    mutating func add(_ edit: Edit) {
        future = []
        append(edit)
    }

    mutating func takePast() -> Edit? { past.popLast() }
    mutating func takeFuture() -> Edit? { future.popLast() }

    /// An edit that was taken back, or waits for that again.
    mutating func moveToFuture(_ edit: Edit) { if !edit.parts.isEmpty { future.append(edit) } }
    mutating func moveToPast(_ edit: Edit) { append(edit) }

    mutating func forget(_ edit: Edit) {
        past.removeAll { $0.number == edit.number }
        future.removeAll { $0.number == edit.number }
    }

    private mutating func append(_ edit: Edit) {
        guard !edit.parts.isEmpty else { return }
        past.append(edit)
        if past.count > Self.limit { past.removeFirst() }
    }
}
