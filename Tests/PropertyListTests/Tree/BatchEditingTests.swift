import Foundation
import ProgramHarness
import Testing

@testable import PropertyList

@Suite("Several edits of a value at once")
struct BatchEditingTests {
    private func json(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

    private func text(_ value: PropertyListValue) -> String {
        if case .data(let data) = value { String(decoding: data, as: UTF8.self) } else { "no data" }
    }

    @Test(
        "JSON keeps its white space, and new parts look like their neighbors",
        arguments: [
            ("[1, 2, 3]", [(.remove, [.index(0)]), (.remove, [.index(2)])], "[2]"),
            ("[ 1, 2, 3 ]", [(.remove, [.index(1)]), (.remove, [.index(2)])], "[ 1 ]"),
            ("[1,2,3]", [(.remove, [.index(0)]), (.remove, [.index(1)]), (.remove, [.index(2)])], "[]"),
            (
                "[1, 2]", [(.insert(.json("7")), [.index(1)]), (.insert(.json("8")), [.index(1)])],
                "[1, 7, 8, 2]"
            ),
            (
                "[\n  1,\n  2\n]",
                [
                    (.insert(.json("0")), [.index(0)]), (.remove, [.index(1)]),
                    (.insert(.json("3")), [.index(2)]),
                ],
                "[\n  0,\n  1,\n  3\n]"
            ),
            (
                "[1, 2]",
                [(.remove, [.index(0)]), (.remove, [.index(1)]), (.insert(.json("5")), [.index(1)])], "[5]"
            ),
            ("[1, 2,3]", [(.remove, [.index(0)]), (.insert(.json("9")), [.index(0)])], "[9, 2,3]"),
            (
                "[1 ,  2  ,   3 ,    4]", [(.remove, [.index(1)]), (.remove, [.index(2)])], "[1 ,    4]"
            ),
            ("[1,  2,   3]", [(.remove, [.index(1)]), (.insert(.json("9")), [.index(1)])], "[1,  9,   3]"),
            ("[1 ,2,   3]", [(.remove, [.index(1)]), (.insert(.json("9")), [.index(2)])], "[1 ,   9,   3]"),
            (
                #"{"a": [], "b": 1.50}"#,
                [
                    (.insert(.json("1")), [.key("a"), .index(0)]),
                    (.insert(.json("2")), [.key("a"), .index(0)]),
                    (.insert(.json("{ }")), [.key("c")]), (.insert(.json("0")), [.key("d")]),
                ],
                #"{"a": [1, 2], "b": 1.50, "c": { }, "d": 0}"#
            ),
            (
                #"{ "a" : {"x":1,"y":2} , "b":-0,"c" : "\u0041" }"#,
                [
                    (.replace(.json(" 7 ")), [.key("b")]), (.remove, [.key("a"), .key("x")]),
                    (.remove, [.key("c")]), (.insert(.json("1")), [.key("c")]),
                ],
                #"{ "a" : {"y":2} , "b":7,"c" : 1 }"#
            ),
            (" 1 ", [(.replace(.json("[2]")), [])], " [2] "),
        ] as [(String, [(ValueEdit.Action, ValuePath)], String)]
    )
    func jsonKeepsItsWhiteSpaceAndNewPartsLookLikeTheirNeighbors(
        old: String,
        edits: [(ValueEdit.Action, ValuePath)],
        new: String
    ) throws {
        let edits = edits.map { ValueEdit($0.0, at: $0.1) }
        #expect(text(try json(old).editing(edits)) == new)
        if old.hasPrefix(" ") { return }
        guard case .string(let result) = try PropertyListValue.string(old).editing(edits) else {
            Issue.record("no string")
            return
        }
        #expect(result == new)
    }

    @Test("An edit that is refused alone is refused in a batch, and changes nothing")
    func editThatIsRefusedAloneIsRefusedInABatchAndChangesNothing() {
        let value: PropertyListValue = ["a": [1, 2], "j": json(#"{"x":1,"x":2,"y":[]}"#)]
        let refused: [ValueEdit] = [
            ValueEdit(.remove, at: []),
            ValueEdit(.remove, at: [.key("b")]),
            ValueEdit(.insert(.propertyList(1)), at: [.key("a")]),
            ValueEdit(.insert(.propertyList(1)), at: [.key("a"), .index(3)]),
            ValueEdit(.remove, at: [.key("a"), .index(2)]),
            ValueEdit(.replace(.propertyList(1)), at: [.key("a"), .index(0), .index(0)]),
            ValueEdit(.replace(.json("1")), at: [.key("a"), .index(0)]),
            ValueEdit(.replace(.json("1")), at: [.key("j"), .key("x")]),
            ValueEdit(.replace(.json("{")), at: [.key("j"), .key("y")]),
            ValueEdit(.insert(.json("1")), at: [.key("j"), .key("y")]),
            ValueEdit(.insert(.json("1")), at: [.key("j"), .key("y"), .index(1)]),
        ]
        for edit in refused {
            #expect(throws: ValueEditError.self, "\(edit)") {
                try value.editing([ValueEdit(.replace(.propertyList(7)), at: [.key("a"), .index(1)]), edit])
            }
        }
    }

    @Test("A batch has the same result as its edits one by one", arguments: 0..<60)
    func batchHasTheSameResultAsItsEditsOneByOne(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let value = randomValue(depth: 0, &random)
            let list = PropertyListValue.data(Data(try value.encoded(as: .xml)))
            let text = json(randomText(value, &random))
            var places: [(ValueEdit.Action, ValuePath, Int)] = []
            choose(of: value, at: [], &places, &random)
            func edits(_ new: (Int) -> NewValue) -> [ValueEdit] {
                places.map { action, path, number in
                    let action: ValueEdit.Action =
                        switch action {
                        case .remove: .remove
                        case .insert: .insert(new(number))
                        case .replace: .replace(new(number))
                        case .rename(let name): .rename(name)
                        }
                    return ValueEdit(action, at: path)
                }
            }
            let plain = edits { .propertyList(.integer(PropertyListInteger($0))) }
            #expect(try value.editing(plain) == oneByOne(plain, in: value))
            #expect(try list.editing(plain) == oneByOne(plain, in: list))
            let inJSON = edits { .json("\($0)") }
            let (together, apart) = (try text.editing(inJSON), try oneByOne(inJSON, in: text))
            #expect(try canonical(together) == canonical(apart))
        }
    }

    /// Applies the edits one by one, the last index first, so that earlier indexes stay valid.
    private func oneByOne(_ edits: [ValueEdit], in value: PropertyListValue) throws -> PropertyListValue {
        let sorted = edits.enumerated().sorted { a, b in
            for (x, y) in zip(a.element.path.steps, b.element.path.steps) where x != y {
                switch (x, y) {
                case (.index(let x), .index(let y)): return x > y
                case (.key(let x), .key(let y)): return x > y
                default: return false
                }
            }
            let (first, second) = (a.element.path.steps.count, b.element.path.steps.count)
            if first != second { return first > second }
            // An element is inserted after the edit of the element at that index.
            switch (a.element.isInsertion, b.element.isInsertion) {
            case (false, true): return true
            case (true, true): return a.offset > b.offset
            default: return false
            }
        }
        return try sorted.reduce(value) { value, edit in
            switch edit.element.action {
            case .replace(let new): try value.replacing(at: edit.element.path, with: new)
            case .insert(let new): try value.inserting(new, at: edit.element.path)
            case .remove: try value.removing(at: edit.element.path)
            case .rename(let name): try value.renaming(at: edit.element.path, to: name)
            }
        }
    }

    private func canonical(_ value: PropertyListValue) throws -> String {
        guard case .data(let data) = value else { return "" }
        func text(_ node: JSONNode) -> String {
            switch node.kind {
            case .array: "[" + node.children.map { text($0.node) }.joined(separator: ",") + "]"
            case .object:
                // Members that are inserted one by one get another order.
                "{" + node.children.map { "\($0.step):" + text($0.node) }.sorted().joined(separator: ",")
                    + "}"
            default: node.source
            }
        }
        return text(try JSONDocument(parsing: data).root)
    }

    private func randomValue(depth: Int, _ random: inout SeededGenerator) -> PropertyListValue {
        let count = Int.random(in: 0...5, using: &random)
        switch depth == 0
            ? Int.random(in: 1...2, using: &random) : Int.random(in: 0...(4 - depth), using: &random)
        {
        case 1: return .array((0..<count).map { _ in randomValue(depth: depth + 1, &random) })
        case 2...:
            return .dictionary(
                Dictionary(
                    uniqueKeysWithValues: (0..<count).map {
                        ("k\($0)", randomValue(depth: depth + 1, &random))
                    }
                )
            )
        default: return .integer(PropertyListInteger(Int.random(in: 0...9, using: &random)))
        }
    }

    private func randomText(_ value: PropertyListValue, _ random: inout SeededGenerator) -> String {
        func space() -> String { ["", "", " ", "\n  "].randomElement(using: &random) ?? "" }
        switch value {
        case .array(let elements):
            var text = "[" + space()
            for (place, element) in elements.enumerated() {
                text += (place > 0 ? "," + space() : "") + randomText(element, &random) + space()
            }
            return text + "]"
        case .dictionary(let entries):
            var text = "{" + space()
            for (place, (key, value)) in entries.sorted(by: { $0.key < $1.key }).enumerated() {
                text +=
                    (place > 0 ? "," + space() : "") + "\"\(key)\":" + randomText(value, &random) + space()
            }
            return text + "}"
        case .integer(let number): return "\(number)"
        default: return "null"
        }
    }

    /// Chooses edits of which none is inside the part that another one changes.
    private func choose(
        of value: PropertyListValue,
        at path: ValuePath,
        _ edits: inout [(ValueEdit.Action, ValuePath, Int)],
        _ random: inout SeededGenerator
    ) {
        let children: [(PathStep, PropertyListValue)]
        switch value {
        case .array(let elements):
            children = elements.enumerated().map { (.index($0), $1) }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let index = Int.random(in: 0...elements.count, using: &random)
                edits.append((.insert(.json("")), path.appending(.index(index)), 100 + edits.count))
            }
        case .dictionary(let entries):
            children = entries.sorted { $0.key < $1.key }.map { (.key($0), $1) }
            for number in 0..<Int.random(in: 0...2, using: &random) {
                edits.append((.insert(.json("")), path.appending(.key("n\(number)")), 100 + edits.count))
            }
        default: return
        }
        for (step, child) in children {
            switch Int.random(in: 0...4, using: &random) {
            case 0: edits.append((.remove, path.appending(step), 0))
            case 1: edits.append((.replace(.json("")), path.appending(step), 100 + edits.count))
            default: choose(of: child, at: path.appending(step), &edits, &random)
            }
        }
    }
}

extension ValueEdit {
    fileprivate var isInsertion: Bool { if case .insert = action { true } else { false } }
}
