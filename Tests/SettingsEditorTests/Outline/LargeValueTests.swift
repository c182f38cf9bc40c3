import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Large values")
struct LargeValueTests {
    /// All places inside a node, in the order of rows, as they come one after the other.
    private func places(_ node: ValueNode, _ path: ValuePath) -> [ValuePath] {
        guard node.isContainer else { return [] }
        return node.children.flatMap { child in
            let place = path.appending(child.step)
            return [place] + places(child.node, place)
        }
    }

    private func value(seed: UInt64) -> PropertyListValue {
        var random = SeededGenerator(seed: seed)
        return .array((0..<6).map { _ in randomValue(&random) } + [["x": [1, ["y": [2, 3]]], "z": [[4]]]])
    }

    @Test(
        "A cursor visits every value, forwards and backwards, from any path",
        arguments: 0..<40 as Range<UInt64>
    )
    func cursor(seed: UInt64) {
        let node = ValueNode(value(seed: seed))
        let all = places(node, [])
        #expect(Set(all).count == all.count)
        #expect(followed(TreeCursor(node)) == all)
        #expect(followed(TreeCursor(node, forwards: false)) == all.reversed())
        for (index, place) in all.enumerated() {
            #expect(
                followed(TreeCursor(node, from: place.steps[...], forwards: true))
                    == Array(all[(index + 1)...])
            )
            #expect(
                followed(TreeCursor(node, from: place.steps[...], forwards: false))
                    == all[..<index].reversed()
            )
        }
    }

    private func followed(_ cursor: TreeCursor) -> [ValuePath] {
        var cursor = cursor
        var places: [ValuePath] = []
        while cursor.next() != nil { places.append(ValuePath(cursor.steps)) }
        return places
    }

    @Test(
        "The rows of expanded values equal the expected list, and each row is found by its path",
        arguments: 0..<20 as Range<UInt64>
    )
    func rows(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var values = ["a": value(seed: seed), "b": 1, "c": value(seed: seed + 1000), "d": ["e": [1, 2]]]
        var outline = Outline()
        outline.load(PropertyListEntries(values))
        var open: Set<ValuePath> = []
        for _ in 0..<25 {
            let index = Int.random(in: 0..<outline.rows.count, using: &random)
            let row = outline.rows[index]
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<7:
                outline.open(index)
                if row.node.isContainer { open.insert(row.path) }
            case 7..<10:
                outline.close(index)
                if row.isOpen { open.remove(row.path) }
            default:
                let key = ["a", "c", "f"].randomElement(using: &random) ?? "a"
                let new: PropertyListValue? =
                    key == "f" && Bool.random(using: &random) ? nil : value(seed: seed)
                values[key] = new
                outline.set([(key, new)])
            }
            var expected: [Row] = []
            func add(_ path: ValuePath, _ node: ValueNode) {
                let isOpen = node.isContainer && open.contains(path)
                expected.append(Row(path: path, shown: node, isOpen: isOpen))
                if isOpen { for child in node.children { add(path.appending(child.step), child.node) } }
            }
            for (key, value) in values.sorted(by: { $0.key < $1.key }) { add([.key(key)], ValueNode(value)) }
            #expect(Array(outline.rows) == expected)
            var firsts: [ValuePath: Int] = [:]
            for (index, row) in expected.enumerated() where firsts[row.path] == nil {
                firsts[row.path] = index
                #expect(outline.index(of: row.path) == index)
                let parent = row.path.parent.flatMap { $0.steps.isEmpty ? nil : firsts[$0] }
                #expect(outline.parent(of: index) == parent)
            }
        }
    }

    @Test("Entries stay in order, whatever is inserted or removed, and whatever the order in the file is")
    func entries() {
        var random = SeededGenerator(seed: 7)
        var values = PropertyListEntries()
        for number in [5, 3, 9, 1, 7] { values["k\(number)"] = .integer(PropertyListInteger(number)) }
        var entries = SortedEntries(values)
        var expected = [String: PropertyListValue](values)
        for step in 0..<500 {
            let key = "k\(Int.random(in: 0..<30, using: &random))"
            let (index, isThere) = entries.find(key)
            switch (isThere, Bool.random(using: &random)) {
            case (true, true):
                entries.remove(at: index)
                expected[key] = nil
            case (true, false):
                entries.setValue(.integer(PropertyListInteger(step)), at: index)
                expected[key] = .integer(PropertyListInteger(step))
            case (false, _):
                entries.insert(.init(key: key, value: .boolean(true)), at: index)
                expected[key] = true
            }
            #expect(entries.map(\.key) == expected.keys.sorted())
            #expect(entries.allSatisfy { expected[$0.key] == $0.value })
        }
    }

    private static let count = 20_000

    /// One key that holds much, in each of the forms.
    private static let large: [PropertyListValue] = [
        .array((0..<count).map { .string("element \($0)") }),
        .dictionary(
            Dictionary(
                uniqueKeysWithValues: (0..<count).map { ("k\(100_000 + $0)", .string("element \($0)")) }
            )
        ),
        json("[" + (0..<count).map { "\"element \($0)\"" }.joined(separator: ",") + "]"),
        json("{" + (0..<count).map { "\"k\(100_000 + $0)\":\"element \($0)\"" }.joined(separator: ",") + "}"),
    ]

    private func finish(_ desk: inout Desk) -> Int {
        var slices = 0
        while desk.state.hasWork, slices < 10000 {
            desk.act(.goOn(budget: 1000))
            slices += 1
        }
        return slices
    }

    @Test("A container with many members is expanded, and its last row can be reached", arguments: large)
    func opening(value: PropertyListValue) {
        var desk = Desk(["a": ["after": 1, "k": value]], single: true, keys: "jlG")
        #expect(desk.state.suite?.outline.rows.count == Self.count + 2)
        #expect(desk.text.contains("element \(Self.count - 1)"))
        desk.type("10000k")
        #expect(desk.text.contains("element \(Self.count - 10001)"))
        desk.type("hh")
        #expect(desk.outline == ["after", "[k]"])
    }

    @Test("A search, a filter and the finder search one key in slices too", arguments: large)
    func searching(value: PropertyListValue) {
        var desk = Desk(["a": ["after": 1, "k": value, "last": 2]], single: true)
        desk.type("/element \(Self.count - 1)")
        #expect(desk.state.hasWork)
        #expect(finish(&desk) > 5)
        #expect(desk.selectedKey?.hasSuffix("19999") == true)
        desk.type("⏎n")
        #expect(finish(&desk) > 5)
        #expect(desk.foot == "Continued at the top.")
        desk.type("N")
        _ = finish(&desk)
        #expect(desk.selectedKey?.hasSuffix("19999") == true)
        desk.type("hg&element \(Self.count - 1)")
        #expect(finish(&desk) > 5)
        #expect(desk.state.suite?.outline.rows.keyCount == 1)
        desk.type("⎋Felement \(Self.count - 1)")
        #expect(finish(&desk) > 5)
        #expect(desk.foot.hasSuffix("1 of 1") == true)
        #expect(desk.body[0].contains("element 19999"))
    }

    @Test("A search continues with the new value of a key")
    func changedMeanwhile() {
        var desk = Desk(["a": ["after": 1, "k": Self.large[0]]], single: true, keys: "/at last")
        desk.act(.goOn(budget: 1000))
        #expect(desk.state.hasWork)
        desk.outside("a", "k", ["at last"])
        _ = finish(&desk)
        #expect(desk.selectedKey == "0")
    }
}
