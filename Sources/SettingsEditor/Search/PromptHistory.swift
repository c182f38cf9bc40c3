/// Remembers the texts typed into each kind of prompt since the editor was opened, so that the arrow keys
/// recall them.
struct PromptHistory: Sendable {
    enum Kind: Sendable, Hashable {
        case search, filter, jump, searchAll, place
    }

    /// The newest text is last. No text occurs twice.
    private var words: [Kind: [String]] = [:]
    /// How many texts back the open prompt has gone, and the text that was typed before.
    private var back = 0
    private var typed = ""

    /// Older texts are forgotten.
    private static let limit = 100

    /// Opens a prompt: the next recall gives the newest text.
    mutating func begin() { (back, typed) = (0, "") }

    /// Offers other texts from now on, the newest one last.
    mutating func replace(_ texts: [String], _ kind: Kind) { words[kind] = texts }

    /// Remembers the text of a prompt that is being closed.
    mutating func remember(_ text: String, _ kind: Kind) {
        guard !text.isEmpty else { return }
        var known = words[kind] ?? []
        known.removeAll { $0 == text }
        words[kind] = known.suffix(Self.limit - 1) + [text]
    }

    /// The text to put into the prompt. After the newest text comes the one that the user typed. Nil if there
    /// is no further text.
    mutating func word(_ recall: Recall, from text: String, _ kind: Kind) -> String? {
        let known = words[kind] ?? []
        // After an edit, the recall starts again at the newest text.
        if text != word(known) { (back, typed) = (0, text) }
        let next = back + (recall == .earlier ? 1 : -1)
        guard 0...known.count ~= next else { return nil }
        back = next
        return word(known)
    }

    /// Whether the text is empty or was recalled from the history.
    func isUntyped(_ text: String, _ kind: Kind) -> Bool {
        text.isEmpty || back > 0 && text == word(words[kind] ?? [])
    }

    private func word(_ known: [String]) -> String {
        back > 0 && back <= known.count ? known[known.count - back] : typed
    }
}
