import PropertyList
import Testing
import ValueDiff

@Suite("Matching of elements")
struct ElementMatchingTests {
    @Test(
        "Equal elements are partners; the others are paired one by one",
        arguments: [
            ("abc", "abc", [0, 1, 2]),
            ("abc", "abxc", [0, 1, 3]),
            ("abc", "ac", [0, nil, 1]),
            ("abc", "axc", [0, 1, 2]),
            ("abc", "", [nil, nil, nil]),
            ("", "abc", []),
            ("ab", "xyab", [2, 3]),
        ] as [(String, String, [Int?])]
    )
    func partners(first: String, second: String, partners: [Int?]) {
        let matching = ElementMatching(Array(first), Array(second))
        #expect(matching.partners == partners)
        #expect(matching.count == second.count)
        for (index, partner) in partners.enumerated() {
            let isSame = partner.map { Array(second)[$0] == Array(first)[index] } ?? false
            #expect(matching.areSame[index] == isSame)
        }
    }

    @Test("Owners are the partners, seen from the second sequence")
    func owners() {
        let matching = ElementMatching(Array("abc"), Array("xac"))
        #expect(matching.partners == [1, nil, 2])
        #expect(matching.owners == [nil, 0, 2])
        #expect(matching.areMoved)
        #expect(!ElementMatching(Array("abc"), Array("abd")).areMoved)
    }

    @Test("Members are matched by name, in dictionaries and in JSON")
    func members() {
        for (first, second) in [
            (ValueNode(["a": 1, "b": 2]), ValueNode(["b": 3, "c": 4])),
            (ValueNode(json(#"{"a":1,"b":2}"#)), ValueNode(json(#"{"b":3,"c":4}"#))),
        ] {
            let matching = ElementMatching(first, second)
            #expect(matching.partners == [nil, 0])
            #expect(matching.areSame == [false, false])
        }
    }

    @Test("Only containers of the same kind are compared inside")
    func opening() {
        let (array, dictionary) = (ValueNode([1]), ValueNode(["a": 1]))
        let (jsonArray, jsonObject) = (ValueNode(json("[1]")), ValueNode(json(#"{"a":1}"#)))
        let text = ValueNode(.string(#"{"a":1}"#))
        #expect(array.opens(like: ValueNode([2])))
        #expect(jsonObject.opens(like: ValueNode(json("{}"))))
        for (first, second) in [
            (array, dictionary), (array, jsonArray), (dictionary, jsonObject), (jsonObject, text),
            (array, ValueNode(1)), (ValueNode(1), ValueNode(1)),
        ] {
            #expect(!first.opens(like: second))
            #expect(!second.opens(like: first))
        }
    }

    @Test("Several sequences are laid side by side, row by row")
    func rows() {
        let first = Array("abcd")
        let others = [Array("abxcd"), Array("abycd")].map { ElementMatching(first, $0) }
        #expect(
            stretches(first.count, others) == [
                .same([0, 0, 0], count: 2),
                .row([nil, 2, 2], areSame: [false, false]),
                .same([2, 3, 3], count: 2),
            ]
        )
        #expect(
            stretches(first.count, others) { _, _ in false } == [
                .same([0, 0, 0], count: 2),
                .row([nil, 2, nil], areSame: [false, false]),
                .row([nil, nil, 2], areSame: [false, false]),
                .same([2, 3, 3], count: 2),
            ]
        )
    }
}

@Suite("Finding an element in a changed array")
struct ElementSearchTests {
    private func find(
        _ index: Int,
        _ old: PropertyListValue,
        _ new: PropertyListValue,
        isForMany: Bool
    ) -> (place: Int, isCertain: Bool, isGone: Bool) {
        ElementSearch(ValueNode(old), ValueNode(new), isForMany: isForMany).find(index, isNear: false)
    }

    @Test(
        "An element is found if it is certainly the same",
        arguments: [
            (1, [10, 20, 30], [10, 20, 30], 1, true, false),
            (1, [10, 20, 30], [10, 20, 30, 40], 1, true, false),
            (1, [10, 20, 30], [5, 10, 20, 30], 2, true, false),
            // Changed between its old neighbours.
            (1, [10, 20, 30], [10, 77, 30], 1, true, false),
            // Equal elements keep their order.
            (1, [7, 7], [1, 7, 7], 2, true, false),
            // Removed: the index of its successor.
            (1, [10, 20, 30], [10, 30], 1, false, true),
            // Swapped numbers may as well have been edited.
            (0, [1, 2], [2, 1], 0, false, false),
        ] as [(Int, PropertyListValue, PropertyListValue, Int, Bool, Bool)],
        [false, true]
    )
    func followed(
        _ example: (
            index: Int, old: PropertyListValue, new: PropertyListValue, place: Int, isCertain: Bool,
            isGone: Bool
        ),
        isForMany: Bool
    ) {
        let found = find(example.index, example.old, example.new, isForMany: isForMany)
        #expect(found.place == example.place)
        #expect(found.isCertain == example.isCertain)
        #expect(found.isGone == example.isGone)
    }

    @Test("A container is followed to another index, also if it was edited a little")
    func containers() {
        let item: (String, Int) -> PropertyListValue = {
            ["id": .string($0), "n": 1, "on": .integer(PropertyListInteger($1))]
        }
        let old: PropertyListValue = .array([item("a", 0), item("b", 0)])
        let swapped = find(0, old, .array([item("b", 0), item("a", 0)]), isForMany: false)
        #expect(swapped.place == 1)
        #expect(swapped.isCertain)
        let edited = find(0, old, .array([item("a", 9), item("b", 0)]), isForMany: false)
        #expect(edited.place == 0)
        #expect(edited.isCertain)
        let replaced = find(0, old, .array([["x": 1], item("b", 0)]), isForMany: false)
        #expect(!replaced.isCertain)
    }
}
