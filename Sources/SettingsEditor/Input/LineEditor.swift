/// Edits one line of text: moves the cursor, deletes words. Works like readline, without a terminal.
struct LineEditor: Sendable, Hashable {
    /// The text before the cursor.
    private(set) var before: String
    private(set) var after = ""
    /// Whether the whole text is selected, so that typing replaces it. Any movement ends that.
    private(set) var isSelected = false
    /// Whether the previous command cut text. Texts cut in a row are inserted together.
    private var isCutting = false

    /// The cursor is at the end.
    ///
    /// - Parameter isSelected: Whether the text is selected.
    init(_ text: String = "", isSelected: Bool = false) {
        before = text
        self.isSelected = isSelected && !text.isEmpty
    }

    var text: String { before + after }

    mutating func insert(_ text: String) {
        isCutting = false
        if isSelected { (before, after) = ("", "") }
        isSelected = false
        before += text
    }

    mutating func replace(with text: String) {
        isCutting = false
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
            isCutting = false
            before.removeLast()
        case .deleteForward where !after.isEmpty:
            isCutting = false
            after.removeFirst()
        case .deleteBackward, .deleteForward: break
        case .deleteToStart: kill(before.startIndex..., &killed)
        case .deleteWord: kill(startOfBlankWord..., &killed)
        case .deleteWordBackward: kill(startOfWord..., &killed)
        case .deleteToEnd: kill(..<after.endIndex, &killed)
        case .deleteWordForward: kill(..<endOfWord, &killed)
        case .yank:
            isCutting = false
            before += killed
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
        isCutting = false
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

// Cutting.
extension LineEditor {
    private mutating func kill(_ range: PartialRangeFrom<String.Index>, _ killed: inout String) {
        let text = before[range]
        guard !text.isEmpty else { return }
        killed = isCutting ? text + killed : String(text)
        isCutting = true
        before.removeSubrange(range)
    }

    private mutating func kill(_ range: PartialRangeUpTo<String.Index>, _ killed: inout String) {
        let text = after[range]
        guard !text.isEmpty else { return }
        killed = isCutting ? killed + text : String(text)
        isCutting = true
        after.removeSubrange(range)
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
}
