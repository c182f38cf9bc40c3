/// A text that is being typed, with a cursor in it, and what it was before.
struct LineEditor: Sendable, Hashable {
    /// What stands before the cursor, and behind it.
    private(set) var before: String
    private(set) var after = ""
    private var past: [Moment] = []
    private var future: [Moment] = []
    /// What the last command did: what follows it in kind is undone, or put back, with it.
    private var last = Kind.other

    private struct Moment: Sendable, Hashable {
        let before: String
        let after: String
    }

    private enum Kind: Sendable, Hashable {
        case insertion, killing, other
    }

    /// As many steps can be undone.
    private static let limit = 200

    /// The cursor stands at the end.
    init(_ text: String = "") { before = text }

    var text: String { before + after }

    mutating func insert(_ text: String) {
        remember(.insertion)
        before += text
    }

    /// Puts another text in place of the whole; that can be undone.
    mutating func replace(with text: String) {
        remember(.other)
        before = text
        after = ""
    }

    /// - Parameter killed: what ^Y brings back.
    mutating func apply(_ command: LineCommand, killed: inout String) {
        switch command {
        case .left, .right, .start, .end, .wordLeft, .wordRight: move(command)
        case .deleteBackward where !before.isEmpty:
            remember(.other)
            before.removeLast()
        case .deleteForward where !after.isEmpty:
            remember(.other)
            after.removeFirst()
        case .deleteBackward, .deleteForward: break
        case .deleteToStart: kill(before.startIndex..., &killed)
        case .deleteWord: kill(startOfBlankWord..., &killed)
        case .deleteWordBackward: kill(startOfWord..., &killed)
        case .deleteToEnd: kill(..<after.endIndex, &killed)
        case .deleteWordForward: kill(..<endOfWord, &killed)
        case .yank:
            remember(.other)
            before += killed
        case .undo: goTo(past.popLast()) { $0.future.append($1) }
        case .redo: goTo(future.popLast()) { $0.past.append($1) }
        }
    }

    private mutating func move(_ command: LineCommand) {
        last = .other
        switch command {
        case .left: if let character = before.popLast() { after.insert(character, at: after.startIndex) }
        case .right: if !after.isEmpty { before.append(after.removeFirst()) }
        case .start: (before, after) = ("", text)
        case .end: (before, after) = (text, "")
        case .wordLeft:
            let start = startOfWord
            (before, after) = (String(before[..<start]), before[start...] + after)
        case .wordRight:
            let end = endOfWord
            (before, after) = (before + after[..<end], String(after[end...]))
        default: break
        }
    }
}

// Words.
extension LineEditor {
    /// Where the word before the cursor begins: letters and digits.
    private var startOfWord: String.Index {
        let end = before.lastIndex { $0.isLetter || $0.isNumber } ?? before.startIndex
        return before[..<end].lastIndex { !($0.isLetter || $0.isNumber) }.map(before.index(after:))
            ?? before.startIndex
    }

    /// Likewise, of anything but white space.
    private var startOfBlankWord: String.Index {
        let end = before.lastIndex { !$0.isWhitespace } ?? before.startIndex
        return before[..<end].lastIndex(where: \.isWhitespace).map(before.index(after:)) ?? before.startIndex
    }

    /// Where the word behind the cursor ends.
    private var endOfWord: String.Index {
        let start = after.firstIndex { $0.isLetter || $0.isNumber } ?? after.endIndex
        return after[start...].firstIndex { !($0.isLetter || $0.isNumber) } ?? after.endIndex
    }
}

// Taking out, and going back.
extension LineEditor {
    private mutating func kill(_ range: PartialRangeFrom<String.Index>, _ killed: inout String) {
        let text = before[range]
        guard !text.isEmpty else { return }
        // What is taken out in a row comes back together.
        killed = last == .killing ? text + killed : String(text)
        remember(.killing)
        before.removeSubrange(range)
    }

    private mutating func kill(_ range: PartialRangeUpTo<String.Index>, _ killed: inout String) {
        let text = after[range]
        guard !text.isEmpty else { return }
        killed = last == .killing ? killed + text : String(text)
        remember(.killing)
        after.removeSubrange(range)
    }

    /// Called before a change.
    private mutating func remember(_ kind: Kind) {
        future = []
        if kind != .insertion || last != .insertion {
            past.append(Moment(before: before, after: after))
            if past.count > Self.limit { past.removeFirst() }
        }
        last = kind
    }

    private mutating func goTo(_ moment: Moment?, _ keep: (inout LineEditor, Moment) -> Void) {
        guard let moment else { return }
        keep(&self, Moment(before: before, after: after))
        (before, after) = (moment.before, moment.after)
        last = .other
    }
}

/// What a key does in a line besides inserting itself; in characters as readers see them.
public enum LineCommand: Sendable, Hashable {
    case left, right, start, end
    case wordLeft, wordRight
    case deleteBackward, deleteForward
    // What these take out, `yank` brings back.
    case deleteToStart, deleteToEnd
    /// The word before the cursor, up to white space.
    case deleteWord
    case deleteWordBackward, deleteWordForward
    case yank
    case undo, redo
}
