/// A few letters of a name, by which it is found: each word of what is typed stands in the name, its
/// letters in their order, with others between them. Case matters only in words with a capital letter. A slash parts
/// words too, as in a path.
struct Fuzzy: Sendable, Hashable {
    fileprivate struct Word: Sendable, Hashable {
        let bytes: [UInt8]
        let heedsCase: Bool
    }

    private let words: [Word]

    init(_ text: String) {
        words = text.split { " /".contains($0) }.map { word in
            Word(bytes: Array(word.utf8), heedsCase: word.contains { $0.isUppercase })
        }
    }

    var isEmpty: Bool { words.isEmpty }

    /// How well a key of a suite fits, the greater the better; nil where it doesn't. What the key has
    /// counts more than what its suite's title has.
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
        // Of names that fit alike the shorter one is meant.
        return sum - key.utf8.count / 4
    }
}

extension Fuzzy.Word {
    fileprivate func score(in text: String) -> Int? {
        if let score = text.utf8.withContiguousStorageIfAvailable({ score(of: $0) }) { return score }
        return Array(text.utf8).withUnsafeBufferPointer { score(of: $0) }
    }

    /// The first letters in one text, as many as are in it, and the others in a second one.
    fileprivate func score(in first: String, and second: String) -> Int? {
        var next = 0
        for byte in first.utf8 where next < bytes.count && folded(byte) == bytes[next] { next += 1 }
        guard next > 0, next < bytes.count else { return nil }
        return Self(bytes: Array(bytes[next...]), heedsCase: heedsCase).score(in: second)
    }

    private func score(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        // Where the letters end first, and from there back, where they begin last.
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

    /// Letters that follow each other, and those at the beginnings of words, count more.
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

    private func folded(_ byte: UInt8) -> UInt8 { !heedsCase && isCapital(byte) ? byte | 0x20 : byte }
}
