import Foundation
import PropertyList
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Large values are read between keys")
struct LargeReadingTests {
    private static let names = (0..<5000).map { "name\(10_000 + $0)" }

    private static let values: [PropertyListValue] = [
        .data(Data(("{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}").utf8)),
        .string("{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"),
        .dictionary(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })),
    ]

    private func finish(_ desk: inout Desk) {
        while desk.state.hasWork { desk.act(.goOn(budget: 100)) }
    }

    private func isUnread(_ desk: Desk, _ index: Int) -> Bool? {
        desk.state.suite?.outline.rows[index].shown.isUnread
    }

    @Test(
        "Keys act at once while a value is being read, and its row says so",
        arguments: values
    )
    func between(value: PropertyListValue) {
        var desk = Desk(["a": ["after": 1, "k": value, "last": 2]], single: true)
        let isContainer = value.kind == .dictionary
        #expect(isUnread(desk, 1) == true)
        #expect(desk.text.contains("reading…") == !isContainer)
        // A preview would need the sorted keys.
        #expect(desk.text.contains("{5000 keys}") == isContainer)
        desk.type("jj")
        #expect(desk.selectedKey == "last")
        #expect(isUnread(desk, 1) == true)
        #expect(desk.state.hasWork)
        finish(&desk)
        #expect(isUnread(desk, 1) == false)
        #expect(!desk.text.contains("reading…"))
        #expect(desk.text.contains(", …+4998}"))
        // It is not read again.
        desk.type("kkj")
        #expect(!desk.state.hasWork)
    }

    @Test(
        "A key does the same whether or not the value has been read",
        arguments: values,
        ["l", "⏎", "lj", "⏎⏎", "lGk", "h", "r"]
    )
    func early(value: PropertyListValue, keys: String) {
        var early = Desk(["a": ["after": 1, "k": value, "last": 2]], single: true)
        var late = early
        early.type("j" + keys)
        late.type("j")
        finish(&late)
        late.type(keys)
        finish(&early)
        finish(&late)
        #expect(early.screen == late.screen)
        #expect(early.outline == late.outline)
    }

    @Test("A value that changes meanwhile is read again, and a value that leaves the screen is not")
    func changed() {
        var desk = Desk(["a": ["after": 1, "k": Self.values[0]]], single: true)
        desk.readsBeforehand = false
        desk.act(.goOn(budget: 100))
        #expect(desk.state.hasWork)
        desk.outside("a", "k", Self.values[2])
        finish(&desk)
        #expect(desk.text.contains("{5000 keys}"))
        desk.outside("a", "k", Self.values[1])
        #expect(desk.state.hasWork)
        desk.outside("a", "k", nil)
        #expect(!desk.state.hasWork)
    }

    @Test("Values inside an expanded value are read in the same way")
    func nested() {
        var desk = Desk(["a": ["k": ["in": Self.values[0], "other": 1]]], single: true, keys: "ljj")
        #expect(isUnread(desk, 1) == true)
        desk.type("k")
        finish(&desk)
        desk.type("lG")
        #expect(desk.selectedKey == "other")
        #expect(desk.state.suite?.outline.rows.count == 5003)
    }

    @Test("Searches, filters and levels read large values in slices", arguments: values)
    func searching(value: PropertyListValue) {
        // Not on the screen.
        var entries = Dictionary(
            uniqueKeysWithValues: (0..<100).map { ("a\(100 + $0)", PropertyListValue.boolean(true)) }
        )
        entries["k"] = value
        for (keys, selected) in [("/name14999", "name14999"), ("&name14999", "k"), ("z3", "a100")] {
            var desk = Desk(["a": entries], single: true, keys: keys)
            var slices = 0
            while desk.state.hasWork {
                desk.act(.goOn(budget: 200))
                slices += 1
            }
            #expect(slices > 5)
            #expect(desk.selectedKey == selected)
        }
    }
}
