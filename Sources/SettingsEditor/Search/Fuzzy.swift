/// Finds a name by some of its letters, so that a few keys suffice for a long name.
///
/// The words of the pattern are separated by spaces or slashes. The name contains the letters of each word in
/// order, with other letters between them. Case matters only in words with a capital letter.
struct Fuzzy: Sendable, Hashable {
    fileprivate struct Word: Sendable, Hashable {
        let bytes: [UInt8]
        let isCaseSensitive: Bool
    }

    private let words: [Word]

    init(_ text: String) {
        words = text.split { " /".contains($0) }.map { word in
            Word(bytes: Array(word.utf8), isCaseSensitive: word.contains { $0.isUppercase })
        }
    }

    var isEmpty: Bool { words.isEmpty }

    /// How well a key of a suite matches: a higher score is better, nil is no match. Letters found in the key
    /// count more than letters found in the suite's title.
    func score(_ key: String, of title: String) -> Int? {
        var sum = 0
        for word in words {
            if let score = word.score(in: key) {
                sum += score + 20
            } else if let score = word.score(in: title) ?? word.score(in: title, and: key) {
                sum += score
            } else {
                return nil
            }
        }
        // Among equal matches a shorter name is more likely the right one.
        return sum - key.utf8.count / 4
    }
}

extension Fuzzy.Word {
    fileprivate func score(in text: String) -> Int? {
        if let score = text.utf8.withContiguousStorageIfAvailable({ score(of: $0) }) { return score }
        return Array(text.utf8).withUnsafeBufferPointer { score(of: $0) }
    }

    /// Matches the first letters in one text, as many as possible, and the rest in a second text.
    fileprivate func score(in first: String, and second: String) -> Int? {
        var next = 0
        for byte in first.utf8 where next < bytes.count && folded(byte) == bytes[next] { next += 1 }
        guard next > 0, next < bytes.count else { return nil }
        return Self(bytes: Array(bytes[next...]), isCaseSensitive: isCaseSensitive).score(in: second)
    }

    private func score(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        // Finds the first place where the letters end. From there backwards finds the last place where they
        // begin.
        var next = 0
        var end = 0
        while end < text.count, next < bytes.count {
            if folded(text[end]) == bytes[next] { next += 1 }
            end += 1
        }
        guard next == bytes.count else { return nil }
        var start = end
        while next > 0 {
            start -= 1
            if folded(text[start]) == bytes[next - 1] { next -= 1 }
        }
        return score(of: start..<end, in: text)
    }

    /// Adjacent letters, and letters at the beginnings of words, count more.
    private func score(of range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var score = bytes.count == text.count ? 40 : 0
        var next = 0
        var follows = false
        for index in range {
            guard next < bytes.count, folded(text[index]) == bytes[next] else {
                score -= 1
                follows = false
                continue
            }
            score += follows ? 12 : 4
            if isBeginning(index, in: text) { score += 10 }
            follows = true
            next += 1
        }
        return score
    }

    private func isBeginning(_ index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard index > 0 else { return true }
        let (before, here) = (text[index - 1], text[index])
        return !isLetter(before) && isLetter(here) || !isCapital(before) && isCapital(here)
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte >= 0x80
    }

    private func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

    private func folded(_ byte: UInt8) -> UInt8 { !isCaseSensitive && isCapital(byte) ? byte | 0x20 : byte }
}

/// Finds a command of the palette by what the user typed.
///
/// From best to worst: words of the name, beginnings of words, letters inside words. Other words for the
/// command rank between these. Words of the help sentence rank last.
struct CommandMatch {
    private let words: [String]

    init(_ text: String) { words = text.split(separator: " ").map(String.init) }

    var isEmpty: Bool { words.isEmpty }

    /// A higher score is better. Nil if one of the typed words does not match.
    ///
    /// - Parameter keys: the names of the command's keys, which find the command too.
    func score(_ command: CommandWords, keys: [String]) -> Int? {
        let whole = words.joined(separator: " ").lowercased()
        if command.name == whole { return 1000 }
        var sum = 0
        for word in words {
            guard let score = keys.contains(word) ? 95 : score(word.lowercased(), command) else { return nil }
            sum += score
        }
        // A name that begins with the typed text is better. Among equal matches a shorter name is better.
        return sum + (command.name.hasPrefix(whole) ? 4 : 0)
    }

    private func score(_ word: String, _ command: CommandWords) -> Int? {
        func begins(_ words: [Substring]) -> Bool { words.contains { $0.hasPrefix(word) } }
        // Outside the name, the first letters of a word count if there are at least three.
        let isLong = word.count > 2
        if command.names.contains(word[...]) { return 90 }
        if begins(command.names) { return 80 }
        if command.others.contains(word[...]) { return 70 }
        if isLong, begins(command.others) { return 50 }
        if command.names.contains(where: { $0.contains(word) }) { return 40 }
        if command.helps.contains(word[...]) { return 30 }
        return isLong && begins(command.helps) ? 20 : nil
    }
}

/// The words by which a command is found, in lower case.
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
