import Foundation
import ProgramHarness
import PropertyList
import Testing
import ValueDiff

@Suite("Deleting in JSON that another program changes")
struct MergeDeletionTests {
    /// The members before, the deleted one, and the members that another program left. Each letter is a member.
    static let cases: [(base: String, gone: Character, theirs: String)] = [
        ("abc", "a", "abc"), ("abc", "b", "abc"), ("abc", "c", "abc"), ("a", "a", "a"),
        // The other program inserts a member after the deleted one, before it, or elsewhere.
        ("abc", "a", "anbc"), ("abc", "b", "abnc"), ("abc", "c", "abcn"), ("a", "a", "an"),
        ("abc", "a", "nabc"), ("abc", "b", "anbc"), ("abc", "c", "abnc"), ("a", "a", "na"),
        ("abc", "a", "abcn"), ("abc", "c", "nabc"),
        // The other program deletes a member beside it.
        ("abc", "a", "ac"), ("abc", "b", "bc"), ("abc", "b", "ab"), ("abc", "c", "ac"), ("ab", "a", "a"),
    ]

    @Test("The deleted member goes, and every other member of the other program stays", arguments: cases)
    func objects(base: String, gone: Character, theirs: String) throws {
        try check(object(base), .key(String(gone)), object(theirs), object(theirs.filter { $0 != gone }))
    }

    @Test("The same in an array", arguments: cases)
    func arrays(base: String, gone: Character, theirs: String) throws {
        let index = base.distance(from: base.startIndex, to: try #require(base.firstIndex(of: gone)))
        try check(array(base), .index(index), array(theirs), array(theirs.filter { $0 != gone }))
    }

    @Test("The other program's text keeps its white space")
    func whiteSpace() throws {
        try check(
            #"{ "a" : 1 ,  "b" : 2  ,   "c" : 3   }"#,
            .key("b"),
            #"{ "a" : 1 ,  "b" : 2  ,   "c" : 33   }"#,
            #"{ "a" : 1 ,   "c" : 33   }"#
        )
        let merge = ThreeWayMerge(
            base: json(#"{"a":1,"b":2,"c":3}"#),
            mine: json(#"{"a":1,"c":3}"#),
            theirs: json("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 33\n}")
        )
        #expect(merge.value == json("{\n  \"a\": 1,\n  \"c\": 33\n}"))
    }

    @Test("The same wherever both delete and the other program inserts", arguments: 0..<300 as Range<UInt64>)
    func anywhere(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let base = String("abcdef".prefix(Int.random(in: 1...6, using: &random)))
        var theirs = base.filter { _ in Int.random(in: 0..<6, using: &random) > 0 }
        for letter in "xyz".prefix(Int.random(in: 0...3, using: &random)) {
            let offset = Int.random(in: 0...theirs.count, using: &random)
            theirs.insert(letter, at: theirs.index(theirs.startIndex, offsetBy: offset))
        }
        let gone = base.filter { _ in .random(using: &random) }
        for write in [object, array] {
            let merge = ThreeWayMerge(
                base: json(write(base)),
                mine: json(write(base.filter { !gone.contains($0) })),
                theirs: json(write(theirs))
            )
            // Array elements cannot always be followed; then the editor asks.
            if write("") == "[]", !merge.conflicts.isEmpty { continue }
            #expect(merge.conflicts.isEmpty)
            #expect(hasSameContent(merge.value, json(write(theirs.filter { !gone.contains($0) }))))
        }
    }

    private func object(_ members: String) -> String {
        "{" + members.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ") + "}"
    }

    private func array(_ elements: String) -> String {
        "[" + elements.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }

    /// Checks the texts as data and as strings, by themselves and inside a dictionary.
    private func check(_ base: String, _ gone: PathStep, _ theirs: String, _ merged: String) throws {
        for wrap in [json, PropertyListValue.string] as [(String) -> PropertyListValue] {
            try check(wrap(base), [gone], wrap(theirs), wrap(merged))
            try check(["j": wrap(base)], [.key("j"), gone], ["j": wrap(theirs)], ["j": wrap(merged)])
        }
    }

    private func check(
        _ base: PropertyListValue,
        _ gone: ValuePath,
        _ theirs: PropertyListValue,
        _ merged: PropertyListValue
    ) throws {
        let merge = ThreeWayMerge(base: base, mine: try base.removing(at: gone), theirs: theirs)
        #expect(merge.conflicts.isEmpty)
        #expect(hasSameContent(merge.value, merged))
    }
}
