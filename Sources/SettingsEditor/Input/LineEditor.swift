/// Edits one line of text: moves the cursor, deletes words, undoes. Works like readline, without a terminal.
struct LineEditor: Sendable, Hashable {
    /// The text before the cursor.
    private(set) var before: String
    private(set) var after = ""
    private var past: [Moment] = []
    private var future: [Moment] = []
    /// Whether the whole text is selected, so that typing replaces it. Any movement ends that.
    private(set) var isSelected = false
    /// The kind of the previous command. Commands of one kind are undone together.
    private var last = Kind.other

    private struct Moment: Sendable, Hashable {
        let before: String
        let after: String
    }

    private enum Kind: Sendable, Hashable {
        case insertion, killing, other
    }

    /// How many steps can be undone.
    private static let limit = 200

    /// The cursor is at the end.
    ///
    /// - Parameter isSelected: Whether the text is selected.
    init(_ text: String = "", isSelected: Bool = false) {
        before = text
        self.isSelected = isSelected && !text.isEmpty
    }

    var text: String { before + after }

    mutating func insert(_ text: String) {
        remember(.insertion)
        if isSelected { (before, after) = ("", "") }
        isSelected = false
        before += text
    }

    /// Replaces the whole text, as one step that can be undone.
    mutating func replace(with text: String) {
        remember(.other)
        before = text
        after = ""
        isSelected = false
    }

    /// - Parameter killed: the deleted text that ^Y inserts.
    mutating func apply(_ command: LineCommand, killed: inout String) {
        if isSelected, replacesSelection(with: command, &killed) { return }
        isSelected = false
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

    /// Applies a command that deletes or replaces the selected text. Returns false for any other command.
    private mutating func replacesSelection(with command: LineCommand, _ killed: inout String) -> Bool {
        switch command {
        case .deleteBackward, .deleteForward: replace(with: "")
        case .deleteToStart, .deleteToEnd, .deleteWord, .deleteWordBackward, .deleteWordForward:
            killed = text
            replace(with: "")
        case .yank: replace(with: killed)
        case .left:
            (before, after) = ("", text)
            isSelected = false
        default: return false
        }
        return true
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
    /// The start of the word before the cursor. A word consists of letters and digits.
    private var startOfWord: String.Index {
        let end = before.lastIndex { $0.isLetter || $0.isNumber } ?? before.startIndex
        return before[..<end].lastIndex { !($0.isLetter || $0.isNumber) }.map(before.index(after:))
            ?? before.startIndex
    }

    /// The start of the run of other characters than white space before the cursor.
    private var startOfBlankWord: String.Index {
        let end = before.lastIndex { !$0.isWhitespace } ?? before.startIndex
        return before[..<end].lastIndex(where: \.isWhitespace).map(before.index(after:)) ?? before.startIndex
    }

    /// The end of the word after the cursor.
    private var endOfWord: String.Index {
        let start = after.firstIndex { $0.isLetter || $0.isNumber } ?? after.endIndex
        return after[start...].firstIndex { !($0.isLetter || $0.isNumber) } ?? after.endIndex
    }
}

// Deleting and undoing.
extension LineEditor {
    private mutating func kill(_ range: PartialRangeFrom<String.Index>, _ killed: inout String) {
        let text = before[range]
        guard !text.isEmpty else { return }
        // Texts deleted in a row are inserted together.
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

    /// Called before each change.
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
        isSelected = false
        last = .other
    }
}

/// The commands of a line of text. Positions count characters as readers see them.
public enum LineCommand: Sendable, Hashable {
    case left, right, start, end
    case wordLeft, wordRight
    case deleteBackward, deleteForward
    // The text deleted by these can be inserted again with `yank`.
    case deleteToStart, deleteToEnd
    /// Deletes the word before the cursor, up to white space.
    case deleteWord
    case deleteWordBackward, deleteWordForward
    case yank
    case undo, redo
}
