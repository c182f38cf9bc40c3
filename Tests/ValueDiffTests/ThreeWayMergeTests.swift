import PropertyList
import Testing
import ValueDiff

@Suite("Merging a change into what another program stored")
struct ThreeWayMergeTests {
    struct Case: Sendable {
        let base: PropertyListValue?
        let mine: PropertyListValue?
        let theirs: PropertyListValue?
        /// `theirs` with the change applied.
        let merged: PropertyListValue?
        /// The paths that both have changed.
        var conflicts: [ValuePath] = []
        /// The value that the merged one replaces, if that is not `theirs`.
        var replaced: PropertyListValue?

        init(
            _ base: PropertyListValue?,
            _ mine: PropertyListValue?,
            _ theirs: PropertyListValue?,
            _ merged: PropertyListValue?,
            _ conflicts: [ValuePath] = [],
            replaced: PropertyListValue? = nil
        ) {
            (self.base, self.mine, self.theirs) = (base, mine, theirs)
            (self.merged, self.conflicts, self.replaced) = (merged, conflicts, replaced)
        }
    }

    static let examples: [Case] = [
        Case(1, 2, 1, 2),
        Case(1, 2, 2, 2),
        Case(1, 1, 2, 2),
        Case(1, 2, 3, 2, [[]], replaced: 1),
        Case(1, nil, 2, nil, [[]], replaced: 1),
        Case(nil, 1, 2, 1, [[]]),
        Case(nil, 1, nil, 1),
        Case(1, nil, nil, nil),
        Case(1, 2, nil, 2, [[]], replaced: 1),
        // Numbers of another kind are others.
        Case(
            ["a": 1, "b": 1],
            ["a": 2, "b": 1],
            ["a": .real(1), "b": 1],
            ["a": 2, "b": 1],
            [[.key("a")]],
            replaced: ["a": 1, "b": 1]
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
            replaced: ["a": 3]
        ),
        Case(
            ["a": 1, "b": 2],
            ["a": 9],
            ["a": 1, "b": 3, "c": 4],
            ["a": 9, "c": 4],
            [[.key("b")]],
            replaced: ["a": 1, "b": 2, "c": 4]
        ),
        Case(
            ["a": 1, "b": 2],
            ["a": 9, "b": 2],
            ["b": 3],
            ["a": 9, "b": 3],
            [[.key("a")]],
            replaced: ["a": 1, "b": 3]
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
            replaced: ["d": ["x": 1], "e": 2]
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
        // Both sides changed the same element at different paths.
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
            replaced: [["id": "a", "n": 1, "on": 5, "z": 0], 7]
        ),
        // One that was to go and that others have changed, and one that is gone.
        Case([10, 20, 30], [10, 30], [10, 21, 30], [10, 30], [[]], replaced: [10, 20, 30]),
        Case([10, 20, 30], [10, 77, 30], [10, 30], [10, 77, 30], [[]], replaced: [10, 20, 30]),
        Case([1, 2], [1, 3], [2, 1], [1, 3], [[]], replaced: [1, 2]),
    ]

    @Test("A part that only one side changed is what that side made of it", arguments: examples)
    func values(_ example: Case) { check(example) }

    /// Base, mine, theirs and merged.
    static let documents: [(String, String, String, String)] = [
        (#"{"a":5,"b":"x"}"#, #"{"a":5,"b":"m"}"#, #"{"a":6,"b":"x"}"#, #"{"a":6,"b":"m"}"#),
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
        (#"{"a":1}"#, #"{"a":1,"n":[1.0]}"#, #"{"a":7}"#, #"{"a":7,"n":[1.0]}"#),
        (#"{"l":[1, 2,  3]}"#, #"{"l":[1,  3]}"#, #"{"l":[1, 2]}"#, #"{"l":[1]}"#),
        (#"{"l":[1, 2, 3]}"#, #"{"l":[2, 3]}"#, #"{"l":[1, 3]}"#, #"{"l":[3]}"#),
        (
            #"{"a": 1,"b": 2}"#, #"{"a": 7,"b": 2}"#, #"{"a": 1 , "n":0,"b": 2}"#,
            #"{"a": 7 , "n":0,"b": 2}"#
        ),
        (#"{"a":1,"a":2,"b":3}"#, #"{"a":1,"a":9,"b":3}"#, #"{"a":1,"a":2,"b":4}"#, #"{"a":1,"a":9,"b":4}"#),
    ]

    @Test("JSON that the change leaves alone keeps the bytes of the other side", arguments: documents)
    func texts(base: String, mine: String, theirs: String, merged: String) {
        for (base, mine, theirs, merged) in wrapped(base, mine, theirs, merged) {
            check(Case(base, mine, theirs, merged))
        }
    }

    /// Members and elements that the change inserts: white space and the order of members may differ.
    static let insertions: [(String, String, String, String)] = [
        (
            #"{"list":[1, 3],"n":1}"#, #"{"list":[1, 2,  3],"n":1}"#, #"{"list":[0, 1, 3],"n":1}"#,
            #"{"list":[0, 1, 2, 3],"n":1}"#
        ),
        (
            #"{"o":{"k":"v"}}"#, #"{"o":{"kk":"v"}}"#, #"{"o":{"k":"v", "new": 1}}"#,
            #"{"o":{"kk":"v", "new": 1}}"#
        ),
        (#"{"a":1,"c" : 3}"#, #"{"a":1,"b" :2,"c" : 3}"#, #"{"a":1,"c" : 44}"#, #"{"a":1,"b":2,"c":44}"#),
        (#"{"l":[1, 3]}"#, #"{"l":[1, 2,  3]}"#, #"{"l":[1, 4]}"#, #"{"l":[1,2,4]}"#),
        (#"{"l":[1, 3]}"#, #"{"l":[1,   2, 3]}"#, #"{"l":[1]}"#, #"{"l":[1,2]}"#),
        (#"{"l":[1, 2]}"#, #"{"l":[1,  5, 2]}"#, #"{"l":[1, 6 , 2]}"#, #"{"l":[1,5,6,2]}"#),
        (#"{"a":1}"#, #"{"a":1,  "m" : 2}"#, #"{"a":1, "t":3 }"#, #"{"a":1,"m":2,"t":3}"#),
        (
            #"{"a":1,"b":2,"c" : 3}"#, #"{"a":9,"b":2,"c" : 3,  "z" :1}"#, #"{"a":1,"b" : 5,"c" : 3}"#,
            #"{"a":9,"b":5,"c":3,"z":1}"#
        ),
        (
            #"[{"a": 1}, {"a": 2}]"#, #"[{"a": 1},{"a": 0},  {"a": 2}]"#, #"[{"a": 1}, {"a": 3, "b": 4}]"#,
            #"[{"a":1},{"a":0},{"a":3,"b":4}]"#
        ),
        (
            "{\n  \"l\": [\n    1\n  ]\n}", "{\n  \"l\": [\n    1,\n    2\n  ]\n}",
            "{\n  \"l\": [\n    1, 5\n  ]\n}", #"{"l":[1,2,5]}"#
        ),
    ]

    @Test("Members and elements that the change inserts into JSON are inserted", arguments: insertions)
    func inserted(base: String, mine: String, theirs: String, merged: String) {
        for (base, mine, theirs, merged) in wrapped(base, mine, theirs, merged) {
            let merge = ThreeWayMerge(base: base, mine: mine, theirs: theirs)
            #expect(merge.conflicts.isEmpty)
            #expect(hasSameContent(merge.value, merged))
        }
    }

    /// The texts as data and as strings, by themselves and inside a dictionary.
    private func wrapped(_ base: String, _ mine: String, _ theirs: String, _ merged: String)
        -> [(PropertyListValue, PropertyListValue, PropertyListValue, PropertyListValue)]
    {
        [json, PropertyListValue.string].flatMap { (wrap: (String) -> PropertyListValue) in
            func inside(_ text: String, _ more: PropertyListValue) -> PropertyListValue {
                ["j": wrap(text), "k": more]
            }
            return [
                (wrap(base), wrap(mine), wrap(theirs), wrap(merged)),
                (inside(base, 1), inside(mine, 1), inside(theirs, 2), inside(merged, 2)),
            ]
        }
    }

    @Test("A conflict in JSON names its path; a number that is written differently is one")
    func conflictsInJSON() {
        check(
            Case(
                json(#"{"a":5,"b":{"c":1.0}}"#),
                json(#"{"a":5,"b":{"c":2}}"#),
                json(#"{"a":6,"b":{"c":1.00}}"#),
                json(#"{"a":6,"b":{"c":2}}"#),
                [[.key("b"), .key("c")]],
                replaced: json(#"{"a":6,"b":{"c":1.0}}"#)
            )
        )
        check(
            Case(
                json("[1,2,3]"),
                json("[100,2,3]"),
                json("[4,2,3,9]"),
                json("[100,2,3,9]"),
                [[.index(0)]],
                replaced: json("[1,2,3,9]")
            )
        )
    }

    @Test("Thousands of parts are merged one by one; with more the value is one part")
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
        let many = ThreeWayMerge.mostPlaces + 1
        check(
            Case(
                value(many, 1, others: 1),
                value(many, 2, others: 1),
                value(many, 1, others: 2),
                value(many, 2, others: 1),
                [[]],
                replaced: value(many, 1, others: 1)
            )
        )
    }

    @Test("Thousands of elements of an array are merged that both sides changed")
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
        let merge = ThreeWayMerge(base: example.base, mine: example.mine, theirs: example.theirs)
        #expect(merge.value == example.merged)
        #expect(merge.conflicts.map(\.path) == example.conflicts)
        #expect(merge.replaced == (example.conflicts.isEmpty ? example.theirs : example.replaced))
    }
}
