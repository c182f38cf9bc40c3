import Testing

@testable import PropertyList

@Suite("The order in which keys are written")
struct KeySortingTests {
    static let lists: [(String, [String])] = [
        ("few", ["b", "", "a", "ab"]),
        ("numbers", (0..<300).map { "key\($0)" }),
        ("long beginnings", (0..<300).map { "com.example.application.window.\($0)" }),
        (
            "sixteen bytes in common behind a beginning",
            (0..<300).map { "\($0 % 7)" + String(repeating: "x", count: 20) + "\($0)" }
        ),
        ("beginnings of each other", (0..<100).map { String(repeating: "k", count: $0) }),
        ("zeros", (0..<100).map { "k" + String(repeating: "\0", count: $0) }),
        ("all characters", (0..<128).map { String(Unicode.Scalar($0 as UInt8)) }),
        ("thousands", (0..<9000).map { "key\($0 * 7919 % 9000)" }),
        (
            "thousands that differ in more bits than one number holds",
            (0..<9000).map { index in
                let number = String(UInt64(index) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
                return String(number.prefix(2)) + "//~~AAzz" + number
            }
        ),
        (
            "thousands, and a key that is much longer",
            (10_000...30_000).map { "key.\($0)" } + ["key.10000." + String(repeating: "long", count: 22)]
        ),
        ("other characters", (0..<100).map { "é\($0)" } + (0..<100).map { "e\u{301}x\($0)" } + ["z", "a"]),
    ]

    @Test("Keys are sorted as strings", arguments: lists)
    func keysAreSortedAsStrings(_ name: String, _ keys: [String]) {
        let entries = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
        let sorted = sortedByKey(entries)
        #expect(sorted.map(\.key) == keys.sorted())
        #expect(sorted.allSatisfy { entries[$0.key] == $0.value })
    }
}
