import PropertyList
import Testing

@testable import SettingsEditor

@Suite("A change over what others have made of the key")
struct MergeTests {
    struct Case: Sendable {
        let base: PropertyListValue?
        let mine: PropertyListValue?
        let theirs: PropertyListValue?
        /// With the change over what others have made of it.
        let merged: PropertyListValue?
        /// The places that both have changed.
        var clashes: [ValuePath] = []
        /// What is replaced, where that is not what others have made of it.
        var ground: PropertyListValue?

        init(
            _ base: PropertyListValue?,
            _ mine: PropertyListValue?,
            _ theirs: PropertyListValue?,
            _ merged: PropertyListValue?,
            _ clashes: [ValuePath] = [],
            ground: PropertyListValue? = nil
        ) {
            (self.base, self.mine, self.theirs) = (base, mine, theirs)
            (self.merged, self.clashes, self.ground) = (merged, clashes, ground)
        }
    }

    static let examples: [Case] = [
        Case(1, 2, 1, 2),
        Case(1, 2, 2, 2),
        Case(1, 1, 2, 2),
        Case(1, 2, 3, 2, [[]], ground: 1),
        Case(1, nil, 2, nil, [[]], ground: 1),
        Case(nil, 1, 2, 1, [[]]),
        Case(nil, 1, nil, 1),
        Case(1, nil, nil, nil),
        Case(1, 2, nil, 2, [[]], ground: 1),
        // Numbers of another kind are others.
        Case(
            ["a": 1, "b": 1],
            ["a": 2, "b": 1],
            ["a": .real(1), "b": 1],
            ["a": 2, "b": 1],
            [[.key("a")]],
            ground: ["a": 1, "b": 1]
        ),
        Case(["a": 1, "b": 1], ["a": 2, "b": 1], ["a": 1, "b": 3], ["a": 2, "b": 3]),
        Case(["a": 1, "b": 1], ["a": 2, "b": 1], ["a": 1], ["a": 2]),
        Case(["a": 1, "b": 1], ["a": 1], ["a": 3, "b": 1], ["a": 3]),
        Case(["a": 1], ["a": 1, "n": 5], ["a": 3, "m": 4], ["a": 3, "m": 4, "n": 5]),
        Case(["a": 1], ["a": 1, "n": 5], ["a": 3, "n": 5], ["a": 3, "n": 5]),
        Case(
            ["a": 1],
            ["a": 1, "n": 5],
            ["a": 3, "n": 6],
            ["a": 3, "n": 5],
            [[.key("n")]],
            ground: ["a": 3]
        ),
        Case(
            ["a": 1, "b": 2],
            ["a": 9],
            ["a": 1, "b": 3, "c": 4],
            ["a": 9, "c": 4],
            [[.key("b")]],
            ground: ["a": 1, "b": 2, "c": 4]
        ),
        Case(
            ["a": 1, "b": 2],
            ["a": 9, "b": 2],
            ["b": 3],
            ["a": 9, "b": 3],
            [[.key("a")]],
            ground: ["a": 1, "b": 3]
        ),
        Case(
            ["d": ["x": 1, "y": 2], "e": 1],
            ["d": ["x": 1, "y": 3], "e": 1],
            ["d": ["x": 5, "y": 2, "z": 0], "e": 2],
            ["d": ["x": 5, "y": 3, "z": 0], "e": 2]
        ),
        Case(
            ["d": ["x": 1], "e": 1],
            ["d": ["x": 2], "e": 1],
            ["d": 7, "e": 2],
            ["d": ["x": 2], "e": 2],
            [[.key("d")]],
            ground: ["d": ["x": 1], "e": 2]
        ),
        // Elements, where nobody else has changed the array.
        Case(
            ["a": [1, 2, 3], "b": 1],
            ["a": [1, 9, 3], "b": 1],
            ["a": [1, 2, 3], "b": 2],
            ["a": [1, 9, 3], "b": 2]
        ),
        // Elements that others have moved, and what they have put in beside them.
        Case(
            ["a": [1, 2, 3], "b": 1],
            ["a": [1, 9, 3], "b": 1],
            ["a": [0, 1, 2, 3], "b": 2],
            ["a": [0, 1, 9, 3], "b": 2]
        ),
        Case(
            [["on": 5], ["on": 5]],
            [["on": 5], ["on": 9]],
            [["z": 1], ["on": 5], ["on": 5]],
            [["z": 1], ["on": 5], ["on": 9]]
        ),
        Case([10, 20, 30], [10, 77, 30], [11, 20, 30], [11, 77, 30]),
        Case([10, 20, 30], [10, 77, 30], [10, 20, 30, 40], [10, 77, 30, 40]),
        Case([10, 20, 30], [10, 30], [5, 10, 20, 30], [5, 10, 30]),
        Case([10, 20, 30], [30], [10, 20, 30, 40], [30, 40]),
        Case([10, 20, 30], [10, 15, 16, 20, 30, 35], [5, 10, 20, 30], [5, 10, 15, 16, 20, 30, 35]),
        Case([10, 20], [1, 2, 10, 20], [10, 20, 30], [1, 2, 10, 20, 30]),
        Case([10, 20, 30], [10, 21, 22, 30], [5, 10, 20, 30], [5, 10, 21, 22, 30]),
        Case([10, 20, 30], [20, 10, 30], [10, 20, 30, 40], [20, 10, 30, 40]),
        Case([10, 20, 30], [31, 10], [5, 10, 20, 30], [5, 31, 10]),
        // Of one that others have changed, too, its places.
        Case(
            [["id": "a", "n": 1, "on": 5, "z": 0], 7],
            [["id": "a", "n": 1, "on": 9, "z": 0], 7],
            [["id": "a", "n": 2, "on": 5, "z": 0], 7],
            [["id": "a", "n": 2, "on": 9, "z": 0], 7]
        ),
        Case(
            [["id": "a", "n": 1, "on": 5, "z": 0], 7],
            [["id": "a", "n": 1, "on": 9, "z": 0], 7],
            [["id": "a", "n": 1, "on": 6, "z": 0], 7],
            [["id": "a", "n": 1, "on": 9, "z": 0], 7],
            [[.index(0), .key("on")]],
            ground: [["id": "a", "n": 1, "on": 5, "z": 0], 7]
        ),
        // One that was to go and that others have changed, and one that is gone.
        Case([10, 20, 30], [10, 30], [10, 21, 30], [10, 30], [[]], ground: [10, 20, 30]),
        Case([10, 20, 30], [10, 77, 30], [10, 30], [10, 77, 30], [[]], ground: [10, 20, 30]),
        Case([1, 2], [1, 3], [2, 1], [1, 3], [[]], ground: [1, 2]),
    ]

    @Test("Places that only one of the two has changed are what that one made of them", arguments: examples)
    func values(_ example: Case) { check(example) }

    /// Base, one's own, the other's, and both.
    static let documents: [(String, String, String, String)] = [
        (#"{"a":5,"b":"x"}"#, #"{"a":5,"b":"m"}"#, #"{"a":6,"b":"x"}"#, #"{"a":6,"b":"m"}"#),
        // As it is written stays what nobody has changed.
        (
            #"{ "a" : 1.50 , "b":-0,"c" : "\u0041\/" }"#, #"{ "a" : 1.50 , "b":7,"c" : "\u0041\/" }"#,
            #"{ "a" : 1.500 , "b":-0,"c" : "\u0041\/" }"#, #"{ "a" : 1.500 , "b":7,"c" : "\u0041\/" }"#
        ),
        (
            #"{"a":1,"b":{"c":1e2,"d":[1.0, 2]}}"#, #"{"a":1,"b":{"c":1e2,"d":[1.0, 3]}}"#,
            "{ \"b\": {\n  \"c\": 1e2,\n  \"d\": [1.0, 2]\n}, \"a\": 2 }",
            "{ \"b\": {\n  \"c\": 1e2,\n  \"d\": [1.0, 3]\n}, \"a\": 2 }"
        ),
        (
            #"{"a":1,"d":[1.0,2,3,4]}"#, #"{"a":1,"d":[1.0,4,5]}"#, "{\"a\":2,\"d\":[\n1.0,\n2,\n3,\n4\n]}",
            "{\"a\":2,\"d\":[\n1.0,\n4,\n5\n]}"
        ),
        (
            #"{"d":[1.0,2,3,4]}"#, #"{"d":[1.0,2.5,4,{"x":[]}]}"#, "{\"d\":[\n0.50,\n1.0,\n2,\n3,\n4\n]}",
            "{\"d\":[\n0.50,\n1.0,\n2.5,\n4,\n{\"x\":[]}\n]}"
        ),
        (#"{"a":1,"b":2}"#, #"{"a":1}"#, #"{"a":7, "b":2}"#, #"{"a":7}"#),
        // What comes has the spaces and the place of its text.
        (
            #"{"list":[1, 3],"n":1}"#, #"{"list":[1, 2,  3],"n":1}"#, #"{"list":[0, 1, 3],"n":1}"#,
            #"{"list":[0, 1, 2,  3],"n":1}"#
        ),
        (
            #"{"o":{"k":"v"}}"#, #"{"o":{"kk":"v"}}"#, #"{"o":{"k":"v", "new": 1}}"#,
            #"{"o":{"kk":"v", "new": 1}}"#
        ),
        (#"{"a":1,"c" : 3}"#, #"{"a":1,"b" :2,"c" : 3}"#, #"{"a":1,"c" : 44}"#, #"{"a":1,"b" :2,"c" : 44}"#),
        (#"{"a":1}"#, #"{"a":1,"n":[1.0]}"#, #"{"a":7}"#, #"{"a":7,"n":[1.0]}"#),
        // Also beside what others have changed, put in or taken away, and between that.
        (#"{"l":[1, 3]}"#, #"{"l":[1, 2,  3]}"#, #"{"l":[1, 4]}"#, #"{"l":[1, 2,  4]}"#),
        (#"{"l":[1, 3]}"#, #"{"l":[1,   2, 3]}"#, #"{"l":[1]}"#, #"{"l":[1,   2]}"#),
        (#"{"l":[1, 2]}"#, #"{"l":[1,  5, 2]}"#, #"{"l":[1, 6 , 2]}"#, #"{"l":[1,  5, 6 , 2]}"#),
        (#"{"l":[1, 2,  3]}"#, #"{"l":[1,  3]}"#, #"{"l":[1, 2]}"#, #"{"l":[1]}"#),
        (#"{"l":[1, 2, 3]}"#, #"{"l":[2, 3]}"#, #"{"l":[1, 3]}"#, #"{"l":[3]}"#),
        (
            #"{"a":1}"#, #"{"a":1,  "m" : 2}"#, #"{"a":1, "t":3 }"#, #"{"a":1,  "m" : 2, "t":3 }"#
        ),
        (
            #"{"a": 1,"b": 2}"#, #"{"a": 7,"b": 2}"#, #"{"a": 1 , "n":0,"b": 2}"#,
            #"{"a": 7 , "n":0,"b": 2}"#
        ),
        (
            #"{"a":1,"b":2,"c" : 3}"#, #"{"a":9,"b":2,"c" : 3,  "z" :1}"#, #"{"a":1,"b" : 5,"c" : 3}"#,
            #"{"a":9,"b" : 5,"c" : 3,  "z" :1}"#
        ),
        (
            #"[{"a": 1}, {"a": 2}]"#, #"[{"a": 1},{"a": 0},  {"a": 2}]"#, #"[{"a": 1}, {"a": 3, "b": 4}]"#,
            #"[{"a": 1},{"a": 0},  {"a": 3, "b": 4}]"#
        ),
        (
            "{\n  \"l\": [\n    1\n  ]\n}", "{\n  \"l\": [\n    1,\n    2\n  ]\n}",
            "{\n  \"l\": [\n    1, 5\n  ]\n}", "{\n  \"l\": [\n    1,\n    2, 5\n  ]\n}"
        ),
        (#"{"a":1,"a":2,"b":3}"#, #"{"a":1,"a":9,"b":3}"#, #"{"a":1,"a":2,"b":4}"#, #"{"a":1,"a":9,"b":4}"#),
    ]

    @Test("In JSON what nobody has changed stays as it was written", arguments: documents)
    func texts(base: String, mine: String, theirs: String, merged: String) {
        for wrap in [json, PropertyListValue.string] as [(String) -> PropertyListValue] {
            check(Case(wrap(base), wrap(mine), wrap(theirs), wrap(merged)))
            func inside(_ text: String, _ more: PropertyListValue) -> PropertyListValue {
                ["j": wrap(text), "k": more]
            }
            check(Case(inside(base, 1), inside(mine, 1), inside(theirs, 2), inside(merged, 2)))
        }
    }

    @Test("In JSON, too, a clash names the place, and a number that is spelled otherwise is one")
    func clashesInJSON() {
        check(
            Case(
                json(#"{"a":5,"b":{"c":1.0}}"#),
                json(#"{"a":5,"b":{"c":2}}"#),
                json(#"{"a":6,"b":{"c":1.00}}"#),
                json(#"{"a":6,"b":{"c":2}}"#),
                [[.key("b"), .key("c")]],
                ground: json(#"{"a":6,"b":{"c":1.0}}"#)
            )
        )
        check(
            Case(
                json("[1,2,3]"),
                json("[100,2,3]"),
                json("[4,2,3,9]"),
                json("[100,2,3,9]"),
                [[.index(0)]],
                ground: json("[1,2,3,9]")
            )
        )
    }

    @Test("Thousands of places are merged one by one; what changes more than that is one place")
    func many() {
        func value(_ count: Int, _ number: PropertyListValue, others: PropertyListValue) -> PropertyListValue
        {
            var entries = Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", number) })
            entries["z"] = others
            return .dictionary(entries)
        }
        let few = 3000
        check(
            Case(
                value(few, 1, others: 1),
                value(few, 2, others: 1),
                value(few, 1, others: 2),
                value(few, 2, others: 2)
            )
        )
        let many = Merge.mostPlaces + 1
        check(
            Case(
                value(many, 1, others: 1),
                value(many, 2, others: 1),
                value(many, 1, others: 2),
                value(many, 2, others: 1),
                [[]],
                ground: value(many, 1, others: 1)
            )
        )
    }

    @Test("Of a long array that others have changed, too, thousands of elements are merged")
    func longArrays() {
        let base = (0..<5000).map { $0 * 10 }
        var mine = base
        for place in stride(from: 0, to: 5000, by: 2) { mine[place] += 1 }
        mine.removeSubrange(1001...1300)
        mine.insert(contentsOf: [-1, -2, -3], at: 101)
        var theirs = base
        var both = mine
        theirs.insert(-9, at: 4001)
        both.insert(-9, at: both.count - 999)
        theirs.insert(-8, at: 0)
        both.insert(-8, at: 0)
        theirs.append(-7)
        both.append(-7)
        func array(_ numbers: [Int]) -> PropertyListValue {
            .array(numbers.map { .integer(PropertyListInteger($0)) })
        }
        check(Case(array(base), array(mine), array(theirs), array(both)))
        func text(_ numbers: [Int]) -> PropertyListValue {
            json("[" + numbers.map(String.init).joined(separator: ", ") + "]")
        }
        check(Case(text(base), text(mine), text(theirs), text(both)))
    }

    private func check(_ example: Case) {
        let merge = Merge(ValueChange(old: example.base, new: example.mine), over: example.theirs)
        #expect(merge.value == example.merged)
        #expect(merge.clashes.map(\.path) == example.clashes)
        #expect(merge.ground == (example.clashes.isEmpty ? example.theirs : example.ground))
    }
}
