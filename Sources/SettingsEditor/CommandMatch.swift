/// How well a command fits what was typed of it. Words of its name come before beginnings of words, these
/// before initials, these before letters with others between them; other words for it come in between, and
/// what is only in the sentence about it comes last.
struct CommandMatch {
    private let words: [String]

    init(_ text: String) { words = text.split(separator: " ").map(String.init) }

    var isEmpty: Bool { words.isEmpty }

    /// The greater the better; nil where one of the words that were typed is not in it.
    ///
    /// - Parameter keys: as they are called. A key finds its command.
    func score(_ command: CommandWords, keys: [String]) -> Int? {
        let whole = words.joined(separator: " ").lowercased()
        if command.name == whole { return 1000 }
        let (names, others, helps) = (command.names, command.others, command.helps)
        var sum = 0
        for word in words {
            if keys.contains(word) {
                sum += 95
            } else if let score = best(word.lowercased(), names, others) {
                sum += score
            } else if let score = score(word.lowercased(), helps: helps) {
                sum += score
            } else {
                return nil
            }
        }
        // What was typed begins the name, and of names that fit alike the shorter one is meant.
        return sum + (command.name.hasPrefix(whole) ? 4 : 0)
    }

    private func best(_ word: String, _ names: [Substring], _ others: [Substring]) -> Int? {
        [score(word, names), score(word, others: others)].compactMap(\.self).max()
    }

    private func score(_ word: String, _ names: [Substring]) -> Int? {
        if names.contains(where: { $0 == word }) { return 90 }
        if names.contains(where: { $0.hasPrefix(word) }) { return 80 }
        if begins(word[...], names[...]) { return 60 }
        if names.contains(where: { $0.contains(word) }) { return 40 }
        return names.contains(where: { isScattered(word, in: $0) }) ? 10 : nil
    }

    /// What people call it too, whole or what begins that and is more than a letter or two.
    private func score(_ word: String, others: [Substring]) -> Int? {
        if others.contains(where: { $0 == word }) { return 70 }
        return word.count > 2 && others.contains(where: { $0.hasPrefix(word) }) ? 50 : nil
    }

    /// Of a sentence only words, or what begins one and is more than a letter or two.
    private func score(_ word: String, helps: [Substring]) -> Int? {
        if helps.contains(where: { $0 == word }) { return 30 }
        return word.count > 2 && helps.contains(where: { $0.hasPrefix(word) }) ? 20 : nil
    }

    /// Whether the letters are beginnings of words that follow each other, such as `eo` of “edit outside”.
    private func begins(_ letters: Substring, _ names: ArraySlice<Substring>) -> Bool {
        if letters.isEmpty { return true }
        guard let name = names.first else { return false }
        let rest = names.dropFirst()
        let longest = zip(letters, name).prefix { $0 == $1 }.count
        for count in stride(from: longest, to: 0, by: -1)
        where begins(letters.dropFirst(count), rest) {
            return true
        }
        return begins(letters, rest)
    }

    /// Whether the letters stand in a word, the first of them at its beginning, in their order.
    private func isScattered(_ letters: String, in word: Substring) -> Bool {
        guard letters.count > 1, letters.first == word.first else { return false }
        var rest = letters[...]
        for letter in word where letter == rest.first { rest = rest.dropFirst() }
        return rest.isEmpty
    }
}

/// What a command is found by, in small letters.
struct CommandWords: Sendable {
    let name: String
    let names: [Substring]
    let others: [Substring]
    let helps: [Substring]

    init(_ binding: KeyBinding) {
        name = binding.name.lowercased()
        names = Self.words(of: name)
        others = Self.words(of: binding.also)
        helps = Self.words(of: binding.help.lowercased())
    }

    private static func words(of text: String) -> [Substring] {
        Substring(text).split { !($0.isLetter || $0.isNumber) }
    }
}
