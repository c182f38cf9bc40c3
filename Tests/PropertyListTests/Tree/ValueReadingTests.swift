import Foundation
import Testing

@testable import PropertyList

@Suite("Reading a value in small steps")
struct ValueReadingTests {
    private static func data(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

    private static func dictionary(_ name: (Int) -> String) -> [String: PropertyListValue] {
        Dictionary((0..<5000).map { (name($0), .integer(PropertyListInteger($0))) }) { first, _ in first }
    }

    private static let members = (0..<2000).map {
        "\"k\($0 % 1990)\" : [\($0), {\"n\": \"\\u00e9\($0)\"}, []]"
    }
    .joined(separator: ",\n ")
    private static let binary =
        (try? PropertyListValue.dictionary(dictionary { "b\($0)" }).encoded(as: .binary)) ?? []

    private static let values: [PropertyListValue] = [
        data("{\(members)}"), .string("  {\(members)}"), data("{\(members)} }"), data("{\(members),}"),
        data("[" + (0..<3000).map { "\($0).5e3" }.joined(separator: ",") + "]"),
        data("[\"" + String(repeating: "plain \\n ü ", count: 1000) + "\", true, false, null]"),
        data(String(repeating: " ", count: 5000)), data("{\"a\": 1"), data("{}"), .string("{}"),
        .string("text"),
        .string(String(repeating: "{", count: 5000)), .data(Data(binary)),
        .data(Data(repeating: 0x3C, count: 5000)),
        .dictionary(dictionary { "key\($0)" }), .dictionary(dictionary { String(5000 - $0, radix: 7) }),
        .dictionary(dictionary { "ü\($0)" }),
        .dictionary(dictionary { _ in "one" }),
        .dictionary([:]), [1, 2], true,
    ]

    private func isSame(_ a: ValueNode, _ b: ValueNode, depth: Int = 0) -> Bool {
        guard a == b, a.canHold == b.canHold, a.childCount == b.childCount else { return false }
        let (inA, inB) = (a.children, b.children)
        return zip(inA, inB).enumerated().allSatisfy { place, pair in
            pair.0.step == pair.1.step && inA.place(of: pair.0.step) == inB.place(of: pair.0.step)
                && pair.0.node.json?.hasTwin == pair.1.node.json?.hasTwin
                && (depth > 1 || place > 40 || isSame(pair.0.node, pair.1.node, depth: depth + 1))
        }
    }

    @Test("Reading in steps of any size finds the same as reading at once", arguments: values)
    func readingInStepsOfAnySizeFindsTheSameAsReadingAtOnce(value: PropertyListValue) {
        let expected = ValueNode(value)
        for step in [1, 50, 3000, Int.max] {
            var reading = ValueReading(ValueNode(unread: value, level: 0))
            var node: ValueNode?
            var rounds = 0
            while node == nil, rounds < 2_000_000 {
                var work = step
                node = reading.goOn(&work)
                rounds += 1
            }
            #expect(node.map { isSame($0, expected) } == true, "\(step)")
            #expect(node?.isUnread == false)
        }
    }

    @Test(
        "A step does about as much work as its budget allows",
        arguments: [values[0], values[4], values[14], values[16]]
    )
    func stepDoesAboutAsMuchWorkAsItsBudgetAllows(value: PropertyListValue) {
        var reading = ValueReading(ValueNode(unread: value, level: 0))
        var rounds = 0
        var work = 1000
        while reading.goOn(&work) == nil {
            #expect(-32 * 512...0 ~= work)
            work = 1000
            rounds += 1
        }
        #expect(rounds > 10)
    }

    @Test("Only a value that takes long to read starts unread", arguments: values)
    func onlyAValueThatTakesLongToReadStartsUnread(value: PropertyListValue) {
        let node = ValueNode.unreadIfLong(value)
        #expect(node.isUnread == value.takesLongToRead)
        #expect(node == ValueNode(value))
        #expect(isSame(node.read, ValueNode(value)))
        if case .dictionary = value { #expect(node.isContainer) }
        if node.isUnread, node.embedded != nil { Issue.record("it was read") }
    }

    @Test("Sorting keys in steps gives the same order as sorting at once")
    func sortingKeysInStepsGivesTheSameOrderAsSortingAtOnce() {
        for count in [0, 1, 511, 512, 513, 1024, 5000] {
            let entries = Dictionary(
                uniqueKeysWithValues: (0..<count).map {
                    ("\($0 * 7919 % 5003)", PropertyListValue.boolean(true))
                }
            )
            var sorting = KeySorting(entries)
            var keys: [String]?
            while keys == nil {
                var work = 100
                keys = sorting.resume(&work)
            }
            #expect(keys == entries.keys.sorted())
        }
    }
}

extension ValueNode {
    fileprivate var canHold: Bool { isContainer }
}
