import Foundation
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Switching themes")
struct ThemeSwitchTests {
    @Test("T switches through all themes, and names each of them")
    func names() {
        var desk = Desk(["a": ["k": 1]])
        var names: [String?] = []
        for _ in ThemeChoice.allCases {
            desk.type("T")
            names.append(desk.foot)
        }
        let wanted = ThemeChoice.allCases.dropFirst() + [.auto]
        let words = wanted.map { $0.name == $0.rawValue ? $0.name : "\($0.rawValue) (\($0.name))" }
        #expect(words.contains("16 (16 colours)"))
        #expect(names == words.map { "Theme: \($0). Press T for the next one." })
        #expect(desk.effects.suffix(wanted.count) == wanted.map { .useTheme($0) }[...])
    }

    @Test("The colour of a value tells its type, and a theme never changes the text")
    func values() {
        let desk = Desk(["a": ["a": 0, "b": true, "d": .data(Data([1])), "i": 1, "s": "x"]], keys: "")
        let grid = view(desk.state, size: desk.size)
        let layout = Layout(desk.state, desk.size)
        let column =
            layout.keys.map { $0.column + (desk.state.suite?.keyColumns($0.columns).value ?? 0) } ?? 0
        let styles = (1...4).map { grid[column, layout.body.lowerBound + $0].style }
        #expect(styles == [.boolean, .data, .number, .string])
    }
}
