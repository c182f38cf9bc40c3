import PropertyList
import Testing
import ValueDiff

@Suite("Differences between two values")
struct TreeDiffTests {
    struct Case: Sendable {
        let old: PropertyListValue?
        let new: PropertyListValue?
        let paths: [String]

        init(_ old: PropertyListValue?, _ new: PropertyListValue?, _ paths: [String]) {
            (self.old, self.new, self.paths) = (old, new, paths)
        }
    }

    static let cases: [Case] = [
        Case(1, 1, []),
        Case(1, 2, [""]),
        Case(nil, 1, [""]),
        Case(1, nil, [""]),
        Case(nil, nil, []),
        Case(["a": 1, "b": 2], ["a": 1, "b": 3], ["/b"]),
        Case(["a": 1], ["a": 1, "b": 2], ["/b"]),
        Case(["a": 1, "b": 2], ["a": 1], ["/b"]),
        Case(["a": ["x": 1, "y": 2]], ["a": ["x": 5, "y": 6]], ["/a/x", "/a/y"]),
        Case([1, 2, 3], [1, 9, 2, 3], ["/1"]),
        Case([1, 9, 2, 3], [1, 2, 3], ["/1"]),
        Case([1, 2, 3], [1, 7, 3], ["/1"]),
        // An integer and a real number are different values.
        Case(["a": 1], ["a": .real(1)], ["/a"]),
        // A container of another kind is another value.
        Case([[1]], [["k": 1]], ["/0"]),
        Case(json(#"{"a":{"b":[1,2]}}"#), json(#"{"a":{"b":[1,3]}}"#), ["/a/b/1"]),
        // Members that share a name.
        Case(json(#"{"a":1,"a":2}"#), json(#"{"a":1,"a":3}"#), ["/a (2)"]),
        // White space is a difference of the whole text, but only if it is the only one.
        Case(json(#"{"a":1}"#), json(#"{ "a": 1 }"#), [""]),
        Case(json(#"{"a":1}"#), json(#"{ "a": 2 }"#), ["/a"]),
        // JSON inside a property list.
        Case(["j": json(#"{"a":1}"#)], ["j": json(#"{"a":2}"#)], ["/j/a"]),
    ]

    @Test("The innermost differences are found", arguments: cases)
    func innermost(_ example: Case) {
        let diff = TreeDiff(example.old.map(ValueNode.init), example.new.map(ValueNode.init), limit: 10)
        #expect(diff.places.map(\.path.description) == example.paths)
        #expect(diff.count == example.paths.count)
    }

    @Test("The differences of the reverse change are at the same values", arguments: cases)
    func reverse(_ example: Case) {
        let forward = TreeDiff(example.old.map(ValueNode.init), example.new.map(ValueNode.init), limit: 10)
        let back = TreeDiff(example.new.map(ValueNode.init), example.old.map(ValueNode.init), limit: 10)
        #expect(forward.places.map(\.old) == back.places.map(\.new))
        #expect(forward.places.map(\.new) == back.places.map(\.old))
    }

    @Test("A limit cuts the list, not the count")
    func limit() {
        let diff = TreeDiff(ValueNode([1, 2, 3]), ValueNode([4, 5, 6]), limit: 2)
        #expect(diff.places.count == 2)
        #expect(diff.count == 3)
    }

    @Test("A removed element has its old path, and the path where it would be inserted")
    func removed() throws {
        let diff = TreeDiff(ValueNode([0, 1, 2, 3]), ValueNode([9, 0, 1, 3]), limit: 10)
        #expect(diff.places.map(\.path.description) == ["/0", "/2"])
        let removed = try #require(diff.places.last)
        #expect(removed.old == ValueNode(2))
        #expect(removed.new == nil)
        #expect(removed.target == [.index(3)])
    }

    @Test("Moved elements are found again by their new paths")
    func moved() {
        let diff = TreeDiff(ValueNode(["a": [1, 2]]), ValueNode(["a": [0, 1, 2]]), limit: 10)
        #expect(diff.moved == [[.key("a")]: [nil, 0, 1]])
        let path: ValuePath = [.key("a"), .index(2)]
        #expect(path.former(diff.moved) == [.key("a"), .index(1)])
        let new: ValuePath = [.key("a"), .index(0)]
        #expect(new.former(diff.moved) == nil)
        let other: ValuePath = [.key("b"), .index(0)]
        #expect(other.former(diff.moved) == other)
    }

    @Test("In long arrays of which everything changed elements are paired one by one")
    func longArrays() {
        let before = (0..<10_000).map { PropertyListValue.string("a\($0)") }
        var after = before.map { PropertyListValue.string("\($0)") }
        after[5000] = before[5000]
        let diff = TreeDiff(ValueNode(.array(before)), ValueNode(.array(after)), limit: 3)
        #expect(diff.count == 9999)
        #expect(diff.places.map(\.path.description) == ["/0", "/1", "/2"])
    }

    @Test("In long arrays a few inserted and removed elements leave the others paired")
    func longArraysMoved() {
        let before = (0..<10_000).map { ["n": .integer(PropertyListInteger($0))] as PropertyListValue }
        var after = before
        after.remove(at: 8000)
        after[5000] = ["n": -1]
        after.insert("new", at: 0)
        let diff = TreeDiff(ValueNode(.array(before)), ValueNode(.array(after)), limit: 10)
        #expect(diff.places.map(\.path.description) == ["/0", "/5001/n", "/8000"])
        let moved = diff.moved[[]] ?? []
        #expect([0, 1, 5001, 8000, 8001].map { moved[$0] } == [nil, 0, 5000, 7999, 8001])
    }

    @Test("Values nested more than 64 deep are compared as a whole")
    func deep() {
        func nested(_ value: PropertyListValue) -> PropertyListValue {
            (0..<100).reduce(value) { inner, _ in ["k": inner] }
        }
        let diff = TreeDiff(ValueNode(nested(1)), ValueNode(nested(2)), limit: 10)
        #expect(diff.places.map(\.path.steps.count) == [64])
    }
}
