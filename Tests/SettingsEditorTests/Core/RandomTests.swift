import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("Random events")
struct RandomTests {
    @Test(
        "After any event the selection is a row, the rows equal those of a fresh start, and every size can be drawn",
        arguments: 0..<UInt64(isLong ? 80 : 5)
    )
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var files: [String: [String: PropertyListValue]] = [:]
        for suite in ["a", "b", "漢字", "c", "/b//a", "/b//d", "/x.json//"] {
            files[suite] = Dictionary(hostileTexts.prefix(10).map { ($0, randomValue(&random)) }) {
                first,
                _ in first
            }
        }
        var desk = Desk(
            files,
            glyphs: seed % 3 == 0 ? .ascii : .unicode,
            single: seed % 5 == 4,
            others: seed % 2 == 0 ? [] : Self.others
        )
        for _ in 0..<(isLong ? 1250 : 120) {
            step(&desk, &random)
            check(desk, &random)
        }
    }

    private static let others = [
        Place("/b", title: "/b"), Place("/x.json", title: "/x.json", isFile: true),
    ]

    private func step(_ desk: inout Desk, _ random: inout SeededGenerator) {
        let keys =
            "⏎⏎⏎⎋⎋⇥jkjkhlhlJKgG⇞⇟→→←↓↓↑⌫⌦↖↘ aduyn/&?nNHfFoowRzSWmMcpPDr=tevEXCCY<>123456789truea1Ox"
        let suite =
            ["a", "b", "漢字", "new", "c", "/b//a", "/b//new", "/x.json//"].randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<41, using: &random) {
        case 0..<23: desk.type(keys.randomElement(using: &random).map { String($0) } ?? "")
        case 23:
            let point = Point(
                column: Int.random(in: 0..<90, using: &random),
                row: Int.random(in: 0..<30, using: &random)
            )
            desk.send(.mouse([.press, .wheelUp, .wheelDown].randomElement(using: &random) ?? .press, point))
        case 24: desk.act(.goOn(budget: Int.random(in: 0..<2000, using: &random)))
        case 25: desk.press(.control("abdefhklnprtuwy_".randomElement(using: &random) ?? "a"))
        case 26..<31:
            desk.outside(suite, hostileTexts.randomElement(using: &random) ?? "", randomValue(&random))
        case 31: desk.outside(suite, hostileTexts.randomElement(using: &random) ?? "", nil)
        case 32:
            desk.size = Size(
                columns: Int.random(in: 0..<120, using: &random),
                rows: Int.random(in: 0..<40, using: &random)
            )
            desk.act(.resized(desk.size))
        case 33: desk.send(.paste(hostileTexts.randomElement(using: &random) ?? ""))
        case 34:
            if Bool.random(using: &random) {
                desk.files[suite] = nil
            } else {
                desk.files[suite, default: [:]]["x"] = 1
            }
            desk.list()
        case 35: desk.holdsWrites.toggle()
        case 36: desk.finishWrites(failing: Bool.random(using: &random) ? "a reason\u{1B}" : nil)
        case 37: desk.wait(Double.random(in: 0..<4, using: &random))
        case 38:
            desk.act(
                .status(
                    suite,
                    SuiteStatus(
                        content: Bool.random(using: &random) ? .unreadable("line 1\u{7}") : .stored,
                        storingError: Bool.random(using: &random) ? "full" : nil
                    )
                )
            )
        case 39 where desk.state.suiteList.hasHeads:
            let place = Self.others.randomElement(using: &random) ?? Self.others[0]
            desk.act(.opened(place, suite: Bool.random(using: &random) ? "a" : nil))
            desk.list()
        default:
            desk.act(
                .loaded(
                    suite,
                    values: PropertyListEntries(desk.files[suite] ?? [:]),
                    SuiteStatus(content: .stored)
                )
            )
        }
    }

    /// A comparison equals one that is begun now.
    private func check(_ compared: ComparedRows?, _ state: EditorState) {
        guard let screen = state.modals.comparing, let compared, !compared.hasWork else { return }
        var fresh = state
        fresh.compared?.begin()
        var budget = WorkBudget.unlimited
        while fresh.comparisonHasWork { fresh.goOnComparing(&budget) }
        guard fresh.compared?.hasWork == false else { return }
        #expect(compared.rows == fresh.compared?.rows, "\(screen)")
        #expect(compared.differences == fresh.compared?.differences)
        #expect(compared.rows.isEmpty || compared.rows.indices.contains(compared.index(of: screen.selected)))
    }

    private func check(_ desk: Desk, _ random: inout SeededGenerator) {
        let state = desk.state
        if case .finding(let finder)? = state.modal {
            #expect(
                finder.hits.isEmpty ? finder.selected == 0 : finder.hits.indices.contains(finder.selected)
            )
        }
        check(state.compared, state)
        #expect(
            state.suiteList.suites.isEmpty
                ? state.suiteList.selected == 0
                : state.suiteList.suites.indices.contains(state.suiteList.selected)
        )
        // The suites of a place are next to each other, in the order of the places.
        let places = state.suiteList.places.map(\.id)
        #expect(
            state.suiteList.suites.map(\.id)
                == places.indices.flatMap { state.suiteList.suites[state.suiteList.range(of: $0)].map(\.id) }
        )
        for suite in state.suiteList.suites {
            let outline = suite.outline
            #expect(
                outline.rows.isEmpty ? outline.selected == 0 : outline.rows.indices.contains(outline.selected)
            )
            var fresh = outline
            // The shown values fit the values in the layers.
            let values = Dictionary(uniqueKeysWithValues: outline.entries.map { ($0.key, $0.value) })
            for key in Set(values.keys).union(suite.storedValues.keys) {
                #expect((suite.shownValue(forKey: key) ?? suite.deletedValue(forKey: key)) == values[key])
            }
            fresh.load(PropertyListEntries(values))
            var budget = WorkBudget.unlimited
            fresh.examine(&budget)
            #expect(!outline.isFiltered || outline.rows.elementsEqual(fresh.rows))
            #expect(outline.entries == fresh.entries)
        }
        let size = Size(
            columns: Int.random(in: 0..<100, using: &random),
            rows: Int.random(in: 0..<30, using: &random)
        )
        for size in [desk.size, size, Size(columns: 1, rows: 1), Size(columns: 20, rows: 5)] {
            let grid = view(state, size: size)
            #expect(grid.size == size)
            if let cursor = grid.cursor {
                #expect(0...size.columns ~= cursor.column && 0..<max(1, size.rows) ~= cursor.row)
            }
            let isHarmless = (0..<grid.size.rows).allSatisfy { row in
                grid.row(row).allSatisfy { cell in
                    cell.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) }
                }
            }
            #expect(isHarmless)
        }
    }
}
