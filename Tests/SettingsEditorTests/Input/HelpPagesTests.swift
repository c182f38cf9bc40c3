import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Pages of the help")
struct HelpPagesTests {
    private static let sizes = [(60, 16), (80, 24), (120, 32), (200, 50)]

    /// The pages from the first to the last one.
    private func pages(_ columns: Int, _ rows: Int, keys: String = "⏎?") -> [[String]] {
        var desk = Desk(["s": ["k": 1]], columns: columns, rows: rows, keys: keys)
        var pages = [desk.body]
        while true {
            desk.type("⇟")
            if desk.body == pages.last { return pages }
            pages.append(desk.body)
        }
    }

    @Test("PageDown shows all lines", arguments: sizes)
    func all(columns: Int, rows: Int) {
        let text = pages(columns, rows).joined().joined(separator: "\n")
        for sign in Symbols(glyphs: .unicode).legend {
            for word in sign.meaning.split(separator: " ") { #expect(text.contains(word), "\(sign)") }
        }
        for section in KeySection.bindings(from: .keys, .standard) {
            #expect(text.contains(section.title))
            for binding in section.bindings where !binding.keys.isEmpty {
                #expect(text.contains(binding.name), "\(binding.name)")
            }
        }
    }

    @Test("End selects the last sign", arguments: sizes)
    func end(columns: Int, rows: Int) {
        let desk = Desk(["s": ["k": 1]], columns: columns, rows: rows, keys: "⏎?↘")
        #expect(desk.body == pages(columns, rows).last)
        #expect(desk.text.contains("this line differs"))
    }

    @Test("The filter finds signs too")
    func signs() {
        let desk = Desk(["s": ["k": 1]], columns: 80, rows: 24, keys: "⏎?/not saved")
        #expect(desk.body.contains { $0.contains(#/± +staged, not saved yet/#) }, "\(desk.body)")
    }
}
