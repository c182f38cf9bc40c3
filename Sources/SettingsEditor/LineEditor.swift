/// A text that is being typed, with a cursor in it.
struct LineEditor: Sendable, Hashable {
    /// What stands before the cursor, and behind it.
    private(set) var before: String
    private(set) var after = ""

    /// The cursor stands at the end.
    init(_ text: String = "") { before = text }

    var text: String { before + after }

    mutating func insert(_ text: String) { before += text }

    mutating func apply(_ command: LineCommand) {
        switch command {
        case .left:
            if let last = before.popLast() { after.insert(last, at: after.startIndex) }
        case .right:
            if !after.isEmpty { before.append(after.removeFirst()) }
        case .start:
            after = text
            before = ""
        case .end:
            before = text
            after = ""
        case .deleteBackward: _ = before.popLast()
        case .deleteForward: if !after.isEmpty { after.removeFirst() }
        case .deleteToStart: before = ""
        case .deleteToEnd: after = ""
        case .deleteWord:
            while let last = before.last, last.isWhitespace { before.removeLast() }
            while let last = before.last, !last.isWhitespace { before.removeLast() }
        }
    }
}

/// What a key does in a line besides inserting itself; in characters as readers see them.
public enum LineCommand: Sendable, Hashable {
    case left, right, start, end
    case deleteBackward, deleteForward, deleteToStart, deleteToEnd
    /// The word before the cursor, up to white space.
    case deleteWord
}
