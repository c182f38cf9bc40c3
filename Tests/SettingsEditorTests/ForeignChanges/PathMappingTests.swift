import Foundation
import PropertyList
import SettingsStore
import Testing

@testable import SettingsEditor

/// An array in a suite, as a property list or as JSON.
private struct Form: CustomTestStringConvertible {
    let isJSON: Bool

    static let all = [Form(isJSON: false), Form(isJSON: true)]

    var testDescription: String { isJSON ? "JSON" : "property list" }

    func value(_ json: String) throws -> PropertyListValue {
        let data = Data(json.utf8)
        return isJSON ? .data(data) : try PropertyListValue(JSONDocument(parsing: data).root)
    }

    func holds(_ desk: Desk, _ json: String) throws -> Bool {
        let list = try PropertyListValue(JSONDocument(parsing: Data(json.utf8)).root)
        guard case .data(let data)? = desk.files["a"]?["arr"] else { return desk.files["a"]?["arr"] == list }
        return try PropertyListValue(JSONDocument(parsing: data).root) == list
    }

    /// An editor with the array opened.
    func desk(_ json: String, _ keys: String) throws -> Desk {
        Desk(["a": ["arr": try value(json)]], columns: 160, keys: "⏎⏎" + keys)
    }
}

@Suite("Following array elements through foreign changes")
struct PathMappingTests {
    /// Two elements. The tests edit `on` of the second one.
    private static let two = #"[{"id":"a","on":5},{"id":"b","on":5}]"#

    private static let drafts = [
        // Put in, and taken out, before it.
        (
            #"[{"id":"z","on":5},{"id":"a","on":5},{"id":"b","on":5}]"#,
            #"[{"id":"z","on":5},{"id":"a","on":5},{"id":"b","on":9}]"#
        ),
        (#"[{"id":"b","on":5}]"#, #"[{"id":"b","on":9}]"#),
        // Changed before and after it.
        (#"[{"id":"a","on":6},{"id":"b","on":5}]"#, #"[{"id":"a","on":6},{"id":"b","on":9}]"#),
        (
            #"[{"id":"a","on":5},{"id":"b","on":5},{"id":"a","on":5}]"#,
            #"[{"id":"a","on":5},{"id":"b","on":9},{"id":"a","on":5}]"#
        ),
        // In another order.
        (#"[{"id":"b","on":5},{"id":"a","on":5}]"#, #"[{"id":"b","on":9},{"id":"a","on":5}]"#),
    ]

    @Test("A draft is written into the element that it was opened for", arguments: Form.all, drafts)
    fileprivate func draft(form: Form, change: (now: String, then: String)) throws {
        var desk = try form.desk(Self.two, "jj⏎jj⏎9")
        desk.outside("a", "arr", try form.value(change.now))
        desk.type("⏎")
        #expect(try form.holds(desk, change.then), "\(desk.screen)")
        #expect(desk.state.modal == nil)
    }

    @Test(
        "If the element cannot be found with certainty, the editor asks, and does what the answer says",
        arguments: Form.all,
        [
            // Itself another, or more than one that it may be, or gone.
            #"[{"id":"z","on":5},{"id":"a","on":5},{"id":"c","on":5}]"#,
            #"[{"id":"a","on":5},{"id":"c","on":5}]"#,
            #"[{"id":"b","on":5},{"id":"b","on":5},{"id":"a","on":5}]"#,
            #"[{"id":"z","on":5},{"id":"a","on":5}]"#,
        ]
    )
    fileprivate func unsureDraft(form: Form, now: String) throws {
        var desk = try form.desk(Self.two, "jj⏎jj⏎9")
        desk.outside("a", "arr", try form.value(now))
        desk.type("⏎")
        #expect(try form.holds(desk, now))
        #expect(
            desk.screen.contains {
                $0.contains("this might be another element: /arr/1/on.")
            },
            "\(desk.screen)"
        )
        // Back to the draft it is asked again, and leaving it writes nothing.
        desk.type("⎋⏎")
        #expect(try form.holds(desk, now))
        var changed = desk
        desk.type("y")
        #expect(try !form.holds(desk, now))
        #expect(
            desk.files["a"]?["arr"].map { ValueNode($0).node(at: [.index(1), .key("on")]) }??.typedText == "9"
        )
        // If the value changes while the question is open, the path follows it, or the user is asked again.
        changed.outside("a", "arr", try form.value(#"[{"id":"q","on":5},{"id":"r","on":5}]"#))
        changed.type("y")
        #expect(try form.holds(changed, #"[{"id":"q","on":5},{"id":"r","on":5}]"#))
    }

    @Test(
        "The cursor stays on its element, which > moves",
        arguments: Form.all,
        [
            ("[1,2,3]", "", "[0,1,2,3]", "[0,2,1,3]"), ("[1,2,3]", "j", "[2,3]", "[3,2]"),
            ("[1,2,3]", "", "[1,2,4]", "[2,1,4]"), ("[1,2,3]", "", "[2,3]", "[3,2]"),
        ]
    )
    fileprivate func move(form: Form, change: (old: String, keys: String, now: String, then: String)) throws {
        var desk = try form.desk(change.old, "j" + change.keys)
        desk.outside("a", "arr", try form.value(change.now))
        desk.wait(1)
        desk.type(">")
        #expect(try form.holds(desk, change.then), "\(desk.screen)")
    }

    @Test(
        "Expanded elements stay expanded at their new index, and the cursor stays inside them",
        arguments: Form.all
    )
    fileprivate func opened(form: Form) throws {
        var desk = try form.desk(Self.two, "jj⏎jj")
        let z = #"{"id":"z","on":5}"#
        desk.outside("a", "arr", try form.value("[\(z)," + Self.two.dropFirst()))
        #expect(desk.state.selectedRow?.path == [.key("arr"), .index(2), .key("on")])
        #expect(desk.state.suite?.outline.index(of: [.key("arr"), .index(1), .key("on")]) == nil)
        // All of them changed where they stand: nothing closes.
        desk.outside(
            "a",
            "arr",
            try form.value(#"[{"id":"z","on":1},{"id":"a","on":2},{"id":"b","on":3}]"#)
        )
        #expect(desk.state.selectedRow?.path == [.key("arr"), .index(2), .key("on")])
    }

    @Test("Renamings, type menus, new elements and selections follow their elements", arguments: Form.all)
    fileprivate func others(form: Form) throws {
        let z = #"{"id":"z","on":5}"#
        let three = "[\(z)," + Self.two.dropFirst()
        var renaming = try form.desk(Self.two, "jj⏎jjr⌫⌫up")
        renaming.outside("a", "arr", try form.value(three))
        renaming.type("⏎")
        #expect(
            try form.holds(renaming, #"[{"id":"z","on":5},{"id":"a","on":5},{"id":"b","up":5}]"#),
            "\(renaming.screen)"
        )
        var marking = try form.desk("[1,2,3]", "jmm")
        marking.outside("a", "arr", try form.value("[0,1,2,3]"))
        marking.type("d")
        #expect(try form.holds(marking, "[0,3]"), "\(marking.screen)")
        var unsure = try form.desk(Self.two, "jj⏎jjr⌫⌫up")
        unsure.outside("a", "arr", try form.value(#"[{"id":"c","on":5},{"id":"d","on":5}]"#))
        unsure.type("⏎")
        #expect(try form.holds(unsure, #"[{"id":"c","on":5},{"id":"d","on":5}]"#))
        #expect(unsure.message.contains("this might be another element"))
    }

    @Test("A write that arrives too late asks about the element that it was meant for", arguments: Form.all)
    fileprivate func late(form: Form) throws {
        var desk = try form.desk(Self.two, "jj⏎jj⏎9")
        desk.holdsWrites = true
        desk.type("⏎")
        let now = #"[{"id":"z","on":5},{"id":"a","on":5},{"id":"b","on":5}]"#
        desk.files["a"]?["arr"] = try form.value(now)
        desk.holdsWrites = false
        desk.finishWrites()
        #expect(try form.holds(desk, now))
        desk.type("y")
        #expect(
            try form.holds(desk, #"[{"id":"z","on":5},{"id":"a","on":5},{"id":"b","on":9}]"#),
            "\(desk.screen)"
        )
    }
}
