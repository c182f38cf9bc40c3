import PropertyList
import SettingsStore
import Testing

@testable import SettingsEditor

@Suite("Foreign changes of large values are read and compared before they are shown")
struct PreparedDiffTests {
    /// More than that is read at once.
    private static let padding = String(repeating: "x", count: 20_000)

    /// A value with elements, as a program might write it.
    private static func value(_ elements: [String], asString: Bool = false) -> PropertyListValue {
        let text = #"{"list":[\#(elements.joined(separator: ","))],"padding":"\#(padding)"}"#
        return asString ? .string(text) : json(text)
    }

    private static func list(_ elements: [String]) -> PropertyListValue {
        ["list": .array(elements.map { ["n": .string($0)] }), "padding": .string(padding)]
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let changes: [[String]]
        var keys = "⏎lljljjj"
        var testDescription: String { "\(changes) \(keys)" }
    }

    private static let first = ["[1,2]", "[3]", "[4,5,6]", "[7]"]

    static let cases = [
        Case(changes: [["[1,2]", "[33]", "[4,5,6]", "[7]"]]),
        Case(changes: [["[0]", "[1,2]", "[3]", "[4,5,6]", "[7]"]]),
        Case(changes: [["[1,2]", "[4,5,6]", "[7]"]]),
        Case(changes: [["[4,5,6]", "[7]"]]),
        Case(changes: [["[7]", "[1,2]", "[3]", "[4,5,6]"]]),
        Case(changes: [[]]),
        Case(changes: [["[1,2]", "[33]", "[4,5,6]", "[7]"]], keys: ""),
        Case(changes: [["[1,2]", "[33]", "[4,5,6]", "[7]"]], keys: "⏎"),
        Case(changes: [["[1,2]", "[3]", "[4,5,66]", "[7]"]], keys: "⏎lljjlj"),
        Case(changes: [["[1,2]", "[3]", "[4,5,66]", "[7]"]], keys: "⏎&5⏎"),
    ]

    @Test("The screen is the same as after reading at once", arguments: cases, [false, true])
    func sameScreen(_ change: Case, asString: Bool) {
        func screens(beforehand: Bool) -> [[String]] {
            var desk = Desk(["a": ["k": Self.value(Self.first, asString: asString), "z": 1]])
            desk.readsBeforehand = beforehand
            desk.type(change.keys)
            desk.idle()
            var screens = [desk.screen]
            for elements in change.changes {
                desk.outside("a", "k", Self.value(elements, asString: asString))
                desk.idle()
                screens.append(desk.screen)
            }
            desk.type("H")
            screens.append(desk.screen)
            return screens
        }
        #expect(screens(beforehand: true) == screens(beforehand: false))
    }

    @Test("All changes since the first highlight stay highlighted, even if elements have moved")
    func inARow() {
        var desk = Desk(["a": ["k": Self.list(["a", "b", "c"])]], columns: 120, keys: "⏎z3")
        #expect(desk.outline == ["[k]", "  list", "    0", "    1", "    2", "  padding"])
        desk.outside("a", "k", Self.list(["a", "B", "c"]))
        desk.wait(1)
        desk.outside("a", "k", Self.list(["new", "a", "B", "c"]))
        let marked = desk.screen.filter { $0.contains("●") }
        #expect(marked.contains { $0.contains("/n was “b”") })
        #expect(desk.screen.contains { $0.contains(" 0 ") && $0.contains("●") })
        #expect(desk.screen.contains { $0.contains(" 1 ") && !$0.contains("●") })
        #expect(desk.screen.contains { $0.contains(" 3 ") && !$0.contains("●") })
        desk.wait(6)
        #expect(!desk.body.contains { $0.contains("●") })
    }

    @Test("The screen is also the same if many keys change at once")
    func manyAtOnce() {
        func screen(beforehand: Bool) -> [String] {
            let keys = (0..<60).map { "n\($0)" }
            var files = Dictionary(uniqueKeysWithValues: keys.map { ($0, PropertyListValue.integer(1)) })
            files["k"] = Self.value(Self.first)
            var desk = Desk(["a": files], keys: "⏎llljj")
            desk.idle()
            let new = Self.value(["[0]"] + Self.first)
            let changes = (["k"] + keys).enumerated().map { number, key in
                Change(
                    key: key,
                    old: files[key],
                    new: key == "k" ? new : .integer(2),
                    origin: .otherProcess,
                    sequence: UInt64(number + 1)
                )
            }
            desk.act(.changed("a", changes, beforehand ? PreparedDiff.of(changes) : [:]))
            desk.idle()
            #expect(desk.outline.filter { $0.hasPrefix("    ") }.count > 4)
            return desk.screen
        }
        #expect(screen(beforehand: true) == screen(beforehand: false))
    }

    static let quick: [(old: String?, new: String?, origin: ChangeOrigin)] = [
        ("[1]", "[2]", .otherProcess), (nil, padding, .otherProcess), (padding, nil, .otherProcess),
        ("[1]", padding, .set(by: nil)),
    ]

    @Test("Small values, the user's own changes and removed keys are not prepared", arguments: quick)
    func left(old: String?, new: String?, origin: ChangeOrigin) {
        let change = Change(
            key: "k",
            old: old.map(PropertyListValue.string),
            new: new.map(PropertyListValue.string),
            origin: origin,
            sequence: 1
        )
        #expect(PreparedDiff.of([change]).isEmpty)
    }
}
