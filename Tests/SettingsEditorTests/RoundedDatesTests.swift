import Foundation
import PropertyList
import Testing

@testable import SettingsEditor

@Suite("Dates in a file that holds whole seconds")
struct RoundedDatesTests {
    private static func date(_ seconds: Double) -> PropertyListValue {
        .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    private let before = date(0)
    private let after = date(86_400)
    private static let nothing =
        "Nothing is written: XML holds whole seconds, and those of “dt” are the same."

    /// Types what is to be in place of the selected date, and has it written.
    private func put(_ text: String, _ desk: inout Desk) {
        desk.type("⏎")
        desk.press(.control("u"))
        desk.type(text + "⏎")
        writeStaged(&desk)
    }

    private func writeStaged(_ desk: inout Desk) { if !desk.state.pendingChanges.isEmpty { desk.type("Ww") } }

    private func desk(_ values: [String: PropertyListValue], staged: Bool) -> Desk {
        var desk = Desk(["a": values], columns: 100, keys: staged ? "⏎S" : "⏎")
        desk.roundsDates = true
        return desk
    }

    @Test(
        "A date of which the file keeps less is shown as that is, and taken back and done again",
        arguments: [false, true]
    )
    func shownAsStored(staged: Bool) {
        var desk = desk(["dt": before], staged: staged)
        put("2001-01-02T00:00:00.5Z", &desk)
        #expect(desk.files["a"] == ["dt": after])
        #expect(desk.screen.last == "XML holds whole seconds; the file has “dt” without the fraction.")
        #expect(desk.screen[1].contains(" 00:00:00 UTC"))
        for value in [before, after] {
            if value == before { desk.type("u") } else { desk.press(.control("r")) }
            writeStaged(&desk)
            #expect(desk.files["a"] == ["dt": value], "\(desk.screen.last ?? "")")
        }
    }

    @Test(
        "A date that differs from the file's by a fraction alone is not written, and no step that is taken back",
        arguments: [false, true]
    )
    func fractionAlone(staged: Bool) {
        var desk = desk(["dt": before], staged: staged)
        put("2001-01-01T00:00:00.5Z", &desk)
        #expect(desk.screen.last == Self.nothing)
        #expect(desk.screen[1].contains(" 00:00:00 UTC"))
        desk.type("u")
        #expect(desk.screen.last == "Nothing to undo.")
        desk.press(.control("r"))
        #expect(desk.screen.last == "Nothing to do again.")
        #expect(desk.state.pendingChanges.isEmpty)
        // Nor has anything changed for the list of changes.
        desk.type("H")
        #expect(desk.state.mode == .keys)
        #expect(desk.files["a"] == ["dt": before])
    }

    @Test("What was done before it is taken back, and what was taken back before it done again")
    func betweenSteps() {
        var desk = desk(["dt": before], staged: false)
        put("2001-01-02T00:00:00Z", &desk)
        put("2001-01-02T00:00:00.5Z", &desk)
        #expect(desk.screen.last == Self.nothing)
        desk.type("u")
        #expect(desk.files["a"] == ["dt": before])
        put("2001-01-01T00:00:00.5Z", &desk)
        #expect(desk.screen.last == Self.nothing)
        desk.press(.control("r"))
        #expect(desk.files["a"] == ["dt": after])
    }

    @Test("Of several keys that are changed at once those are taken back that were written")
    func severalKeys() {
        var desk = desk(["dt": before, "k": 1], staged: false)
        desk.outsideAnswers = [
            {
                let later = $0.text.replacing("00:00:00Z", with: "00:00:00.5Z")
                return .text(later.replacing("\"k\": 1", with: "\"k\": 2"))
            }
        ]
        desk.type("⇥E")
        #expect(desk.files["a"] == ["dt": before, "k": 2])
        #expect(desk.screen.last == "XML holds whole seconds; the file has “dt” without the fraction.")
        desk.type("u")
        #expect(desk.screen.last == "Undone: “k” is 1 again.")
        #expect(desk.files["a"] == ["dt": before, "k": 1])
    }

    @Test("What is taken back, or done again, in a file that has become XML says so where it writes nothing")
    func formatThatChanges() {
        for isUndo in [true, false] {
            var desk = Desk(["a": ["dt": isUndo ? Self.date(0.5) : before]], columns: 100, keys: "⏎")
            put(isUndo ? "2001-01-01T00:00:00Z" : "2001-01-01T00:00:00.5Z", &desk)
            if !isUndo { desk.type("u") }
            #expect(desk.files["a"] == ["dt": before])
            desk.roundsDates = true
            for nothing in [Self.nothing, isUndo ? "Nothing to undo." : "Nothing to do again."] {
                if isUndo { desk.type("u") } else { desk.press(.control("r")) }
                #expect(desk.screen.last == nothing)
            }
            #expect(desk.files["a"] == ["dt": before])
        }
    }

    @Test("What is typed before the file has answered goes on from what it has")
    func typedMeanwhile() {
        var desk = desk(["dt": before], staged: false)
        desk.holdsWrites = true
        put("2001-01-01T00:00:00.5Z", &desk)
        put("2001-01-02T00:00:00Z", &desk)
        desk.finishWrites()
        #expect(desk.files["a"] == ["dt": after])
        desk.holdsWrites = false
        desk.type("u")
        #expect(desk.files["a"] == ["dt": before])
        desk.type("u")
        #expect(desk.screen.last == "Nothing to undo.")
    }
}
