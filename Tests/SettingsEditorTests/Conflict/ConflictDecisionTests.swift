import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("What becomes of a new value after a foreign change")
struct ConflictDecisionTests {
    @Test(
        "A value as a whole",
        arguments: [
            // base, now, new
            ("a", "a", "b", .write),
            ("a", "a", nil, .write),
            (nil, nil, "b", .write),
            ("a", "a", "a", .nothingToDo),
            ("a", "b", "b", .nothingToDo),
            ("a", nil, nil, .nothingToDo),
            (nil, "b", "b", .nothingToDo),
            ("a", "c", "b", .ask()),
            ("a", nil, "b", .ask()),
            ("a", "c", nil, .ask()),
            (nil, "c", "b", .ask()),
            // The user wrote the old value, although the screen showed the new one.
            ("a", "c", "a", .ask()),
            (["x": 1, "y": 1], ["x": 1, "y": 2], ["x": 2, "y": 1], .ask()),
        ] as [(PropertyListValue?, PropertyListValue?, PropertyListValue?, ConflictDecision)]
    )
    func wholes(
        base: PropertyListValue?,
        now: PropertyListValue?,
        new: PropertyListValue?,
        decision: ConflictDecision
    ) {
        #expect(ConflictDecision(base: base, now: now, new: new) == decision)
        // Another element must not be overwritten, even if it is equal.
        #expect(ConflictDecision(base: base, now: now, new: new, isCertain: false) == .ask())
    }

    @Test(
        "A key, whose parts are merged",
        arguments: [
            ("a", "a", "b", .write),
            ("a", "b", "b", .nothingToDo),
            (["x": 1, "y": 1], ["x": 1, "y": 2], ["x": 2, "y": 1], .merged(["x": 2, "y": 2])),
            ([1, 2], [0, 1, 2], [1, 2, 3], .merged([0, 1, 2, 3])),
            // The foreign change contains the user's change.
            (["x": 1, "y": 1], ["x": 2, "y": 2], ["x": 2, "y": 1], .nothingToDo),
        ] as [(PropertyListValue?, PropertyListValue?, PropertyListValue?, ConflictDecision)]
    )
    func keys(
        base: PropertyListValue?,
        now: PropertyListValue?,
        new: PropertyListValue?,
        decision: ConflictDecision
    ) {
        #expect(ConflictDecision(merging: ValueChange(old: base, new: new), into: now) == decision)
    }

    @Test("A question about a key names the parts that both changed")
    func parts() {
        let change = ValueChange(old: ["x": 1, "y": 1], new: ["x": 2, "y": 2])
        guard case .ask(let conflicts) = ConflictDecision(merging: change, into: ["x": 3, "y": 1]) else {
            Issue.record("There is no question")
            return
        }
        #expect(conflicts.map(\.path) == [[.key("x")]])
    }

    @Test(
        "If another program stored the same value first, nothing is asked and nothing is written",
        arguments: [("", "theirs"), ("lj", #"{"a":"theirs"}"#)]
    )
    func sameValue(way: String, theirs: String) {
        let isInside = !way.isEmpty
        var desk = Desk(["a": ["k": isInside ? json(#"{"a":"old"}"#) : "old"]], keys: "⏎\(way)⏎")
        desk.press(.control("u"))
        desk.type("theirs")
        desk.outside("a", "k", isInside ? json(theirs) : .string(theirs))
        desk.type("⏎")
        #expect(desk.state.mode == .keys)
        #expect(desk.foot == "Another program has stored the same value.")
        #expect(desk.writes.isEmpty)
    }

    @Test("A write that finds another part of the key changed asks first, and keeps that part")
    func otherPart() {
        var desk = Desk(["a": ["k": ["x": "old", "y": 1]]], keys: "⏎lj")
        desk.holdsWrites = true
        desk.type("⏎er⏎")
        desk.files["a"]?["k"] = ["x": "old", "y": 2]
        desk.finishWrites()
        desk.holdsWrites = false
        #expect(desk.state.mode == .conflict)
        desk.type("y")
        #expect(desk.files["a"]?["k"] == ["x": "older", "y": 2])
    }
}
