import ProgramHarness
import PropertyList
import Testing

@testable import SettingsEditor

@Suite("What is deleted in JSON that others change meanwhile")
struct MergeDeletionTests {
    private static let three = #"{ "a" : 1 ,  "b" : 2  ,   "c" : 3   }"#
    private static let lines = "{\n  \"a\" : 1,\n\n  \"b\" : 2,\n    \"c\" : 3\n}"
    /// Commas at the beginning of lines.
    private static let commasFirst = "{ \"a\" : 1\n, \"b\" : 2\n,  \"c\" : 3\n}"

    /// The member that goes, what others have made of the text, and what that is without the member.
    ///
    /// What lies beside a bracket is the bracket's; before a member its own; before a comma that of the member there.
    static let cases: [(name: String, base: String, gone: String, theirs: String, merged: String)] = [
        // By itself.
        ("first", three, "a", three, #"{ "b" : 2  ,   "c" : 3   }"#),
        ("middle", three, "b", three, #"{ "a" : 1 ,   "c" : 3   }"#),
        ("last", three, "c", three, #"{ "a" : 1 ,  "b" : 2   }"#),
        ("only", #"{  "a" : 1 }"#, "a", #"{  "a" : 1 }"#, "{}"),
        (
            "middle, in lines", lines, "b", lines, "{\n  \"a\" : 1,\n    \"c\" : 3\n}"
        ),
        (
            "first, in lines", lines, "a", lines, "{\n  \"b\" : 2,\n    \"c\" : 3\n}"
        ),
        // Right behind it something comes.
        (
            "first, behind it new", three, "a",
            #"{ "a" : 1 ,    "n" : 9    ,  "b" : 2  ,   "c" : 3   }"#,
            #"{ "n" : 9    ,  "b" : 2  ,   "c" : 3   }"#
        ),
        (
            "middle, behind it new", three, "b",
            #"{ "a" : 1 ,  "b" : 2  ,    "n" : 9    ,   "c" : 3   }"#,
            #"{ "a" : 1 ,    "n" : 9    ,   "c" : 3   }"#
        ),
        (
            "middle, behind it new without spaces", three, "b",
            #"{ "a" : 1 ,  "b" : 2  ,"n" : 9,   "c" : 3   }"#, #"{ "a" : 1 ,"n" : 9,   "c" : 3   }"#
        ),
        (
            "last, behind it new", three, "c",
            #"{ "a" : 1 ,  "b" : 2  ,   "c" : 3 ,    "n" : 9   }"#,
            #"{ "a" : 1 ,  "b" : 2  ,    "n" : 9   }"#
        ),
        (
            "only, behind it new", #"{  "a" : 1 }"#, "a", #"{  "a" : 1 ,    "n" : 9 }"#,
            #"{  "n" : 9 }"#
        ),
        (
            "middle, behind it new, in lines", lines, "b",
            "{\n  \"a\" : 1,\n\n  \"b\" : 2,\n      \"n\" : 9,\n    \"c\" : 3\n}",
            "{\n  \"a\" : 1,\n      \"n\" : 9,\n    \"c\" : 3\n}"
        ),
        (
            "last, behind it new, commas first", commasFirst, "c",
            "{ \"a\" : 1\n, \"b\" : 2\n,  \"c\" : 3\n,   \"n\" : 9\n}",
            "{ \"a\" : 1\n, \"b\" : 2\n,   \"n\" : 9\n}"
        ),
        // Right before it.
        (
            "first, before it new", three, "a",
            #"{    "n" : 9    , "a" : 1 ,  "b" : 2  ,   "c" : 3   }"#,
            #"{    "n" : 9    ,  "b" : 2  ,   "c" : 3   }"#
        ),
        (
            "middle, before it new", three, "b",
            #"{ "a" : 1 ,    "n" : 9    ,  "b" : 2  ,   "c" : 3   }"#,
            #"{ "a" : 1 ,    "n" : 9    ,   "c" : 3   }"#
        ),
        (
            "last, before it new", three, "c",
            #"{ "a" : 1 ,  "b" : 2  ,    "n" : 9    ,   "c" : 3   }"#,
            #"{ "a" : 1 ,  "b" : 2  ,    "n" : 9   }"#
        ),
        (
            "only, before it new", #"{  "a" : 1 }"#, "a", #"{  "n" : 9    ,  "a" : 1 }"#,
            #"{  "n" : 9 }"#
        ),
        (
            "first, before it new, with names that begin alike", #"{ "a,x" : 1 ,  "a,y" : 2 }"#, "a,x",
            #"{ "n" : 9 ,    "a,x" : 1 ,  "a,y" : 2 }"#, #"{ "n" : 9 ,  "a,y" : 2 }"#
        ),
        // Further away.
        (
            "first, at the end new", three, "a",
            #"{ "a" : 1 ,  "b" : 2  ,   "c" : 3 ,    "n" : 9   }"#,
            #"{ "b" : 2  ,   "c" : 3 ,    "n" : 9   }"#
        ),
        (
            "last, at the beginning new", three, "c",
            #"{ "n" : 9    , "a" : 1 ,  "b" : 2  ,   "c" : 3   }"#,
            #"{ "n" : 9    , "a" : 1 ,  "b" : 2   }"#
        ),
        // Beside it something goes, too.
        (
            "first, and the next", three, "a", #"{ "a" : 1 ,   "c" : 3   }"#, #"{ "c" : 3   }"#
        ),
        (
            "middle, and the one before", three, "b", #"{ "b" : 2  ,   "c" : 3   }"#,
            #"{ "c" : 3   }"#
        ),
        (
            "middle, and the next", three, "b", #"{ "a" : 1 ,  "b" : 2   }"#, #"{ "a" : 1   }"#
        ),
        (
            "last, and the one before", three, "c", #"{ "a" : 1 ,   "c" : 3   }"#,
            #"{ "a" : 1   }"#
        ),
        ("of two, and the other", #"{ "a" : 1 , "b" : 2 }"#, "a", #"{ "a" : 1 }"#, "{}"),
        // Beside it something changes: what it holds, or its spaces.
        (
            "middle, behind it another value", three, "b",
            #"{ "a" : 1 ,  "b" : 2  ,   "c" : 33   }"#, #"{ "a" : 1 ,   "c" : 33   }"#
        ),
        (
            "middle, behind it other spaces", three, "b",
            #"{ "a" : 1 ,  "b" : 2  ,     "c" : 3   }"#, #"{ "a" : 1 ,     "c" : 3   }"#
        ),
        (
            "first, behind it other spaces", three, "a",
            #"{ "a" : 1 ,     "b" : 2  ,   "c" : 3   }"#, #"{ "b" : 2  ,   "c" : 3   }"#
        ),
        (
            "middle, before it another value", three, "b",
            #"{ "a" : 11 ,  "b" : 2  ,   "c" : 3   }"#, #"{ "a" : 11 ,   "c" : 3   }"#
        ),
        (
            "last, before it other spaces", three, "c",
            #"{ "a" : 1 ,     "b" : 2  ,   "c" : 3     }"#, #"{ "a" : 1 ,     "b" : 2     }"#
        ),
    ]

    @Test("What stays of an object keeps its own spaces, and what comes has its own", arguments: cases)
    func objects(name: String, base: String, gone: String, theirs: String, merged: String) throws {
        try check(base, .key(gone), theirs, merged)
    }

    @Test("What stays of an array keeps its own spaces, and what comes has its own", arguments: cases)
    func arrays(name: String, base: String, gone: String, theirs: String, merged: String) throws {
        func array(_ text: String) -> String {
            var text = text.replacing("{", with: "[").replacing("}", with: "]")
            for name in ["a", "b", "c", "n", "a,x", "a,y"] {
                text = text.replacing("\"\(name)\" : ", with: "")
            }
            return text
        }
        let index = ["a": 0, "b": 1, "c": 2][gone] ?? 0
        try check(array(base), .index(index), array(theirs), array(merged))
    }

    @Test("So it is with what was staged, and is written over what others wrote meanwhile")
    func staged() {
        for wrap in [json, PropertyListValue.string] as [(String) -> PropertyListValue] {
            var desk = Desk(["s": ["k": wrap(Self.three)]], keys: "⏎Sljjdy")
            desk.outside("s", "k", wrap(#"{ "a" : 1 ,  "b" : 2  ,    "n" : 9    ,   "c" : 3   }"#))
            desk.type("Ww")
            #expect(desk.files["s"]?["k"] == wrap(#"{ "a" : 1 ,    "n" : 9    ,   "c" : 3   }"#))
        }
    }

    /// A member, with the spaces before it and before the comma behind it.
    private struct Member {
        let name: String
        let lead: String
        let tail: String

        init(_ name: String, _ random: inout SeededGenerator) {
            self.name = name
            lead = ["", "", " ", "  ", "\n", "\n    "].randomElement(using: &random) ?? ""
            tail = ["", "", "", " ", "\n"].randomElement(using: &random) ?? ""
        }
    }

    @Test(
        "So it is wherever others put something in or delete something, too",
        arguments: 0..<UInt64(isLong ? 3000 : 300)
    )
    func anywhere(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let base = (0..<Int.random(in: 1...6, using: &random)).map { Member("m\($0)", &random) }
        // One is there at least, for others' object to have spaces beside its brackets.
        let stays = base[Int.random(in: base.indices, using: &random)].name
        var theirs = base.filter { $0.name == stays || Int.random(in: 0..<6, using: &random) > 0 }
        for number in 0..<Int.random(in: 0...3, using: &random) {
            theirs.insert(
                Member("n\(number)", &random),
                at: Int.random(in: 0...theirs.count, using: &random)
            )
        }
        let gone = Set(base.map(\.name).filter { _ in .random(using: &random) })
        let (start, end) = (Member("", &random).lead, Member("", &random).lead)
        func text(_ members: [Member], isArray: Bool) -> PropertyListValue {
            let (open, close) = isArray ? ("[", "]") : ("{", "}")
            if members.isEmpty { return json(open + close) }
            var text = open + start
            for (place, member) in members.enumerated() {
                if place > 0 { text += members[place - 1].tail + "," + member.lead }
                text += "\"\(member.name)\"" + (isArray ? "" : ":1")
            }
            return json(text + end + close)
        }
        for isArray in [false, true] {
            let old = text(base, isArray: isArray)
            let edits = base.indices.filter { gone.contains(base[$0].name) }.map { place in
                ValueEdit(.remove, at: [isArray ? .index(place) : .key(base[place].name)])
            }
            let mine = text(base.filter { !gone.contains($0.name) }, isArray: isArray)
            #expect(try old.editing(edits) == mine)
            let merge = Merge(ValueChange(old: old, new: mine), over: text(theirs, isArray: isArray))
            let merged = text(theirs.filter { !gone.contains($0.name) }, isArray: isArray)
            // Which element is which can't always be told, and is asked then.
            if isArray, !merge.clashes.isEmpty { continue }
            #expect(merge.clashes.isEmpty)
            #expect(merge.value == merged, "\(jsonText(merge.value) ?? "") is not \(jsonText(merged) ?? "")")
        }
    }

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
        let mine = try base.removing(at: gone)
        #expect(try base.editing([ValueEdit(.remove, at: gone)]) == mine)
        let merge = Merge(ValueChange(old: base, new: mine), over: theirs)
        #expect(merge.clashes.isEmpty)
        #expect(merge.value == merged)
    }
}
