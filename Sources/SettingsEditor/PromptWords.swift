/// What was looked for in the prompts since the editor was opened, each kind by itself.
struct PromptWords: Sendable {
    enum Kind: Sendable, Hashable {
        case search, filter, jump, searchAll
    }

    /// The last one at the end, none twice.
    private var words: [Kind: [String]] = [:]
    /// How many words back the prompt that is open has gone, and what was typed in it before.
    private var back = 0
    private var typed = ""

    /// More are forgotten, the oldest first.
    private static let limit = 100

    /// Has a prompt begin behind the last word.
    mutating func begin() { (back, typed) = (0, "") }

    /// Keeps what a prompt was left with.
    mutating func remember(_ text: String, _ kind: Kind) {
        guard !text.isEmpty else { return }
        var known = words[kind] ?? []
        known.removeAll { $0 == text }
        words[kind] = known.suffix(Self.limit - 1) + [text]
    }

    /// What takes the place of a text in the prompt, behind the last word what was typed there; nil where there is
    /// nothing further.
    mutating func word(_ recall: Recall, from text: String, _ kind: Kind) -> String? {
        let known = words[kind] ?? []
        // What is changed is a new text.
        if text != word(known) { (back, typed) = (0, text) }
        let next = back + (recall == .earlier ? 1 : -1)
        guard 0...known.count ~= next else { return nil }
        back = next
        return word(known)
    }

    /// Whether a text is none that the user has typed.
    func isUntyped(_ text: String, _ kind: Kind) -> Bool {
        text.isEmpty || back > 0 && text == word(words[kind] ?? [])
    }

    private func word(_ known: [String]) -> String {
        back > 0 && back <= known.count ? known[known.count - back] : typed
    }
}
