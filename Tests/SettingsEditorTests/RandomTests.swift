import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

/// SplitMix64.
private struct SeededGenerator: RandomNumberGenerator {
    var seed: UInt64

    mutating func next() -> UInt64 {
        seed &+= 0x9E37_79B9_7F4A_7C15
        var bits = seed
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

private let texts = [
    "", "a", "n", "plain text", "\u{1B}[31mred\u{7}", "日本語の漢字かな", "\u{202E}right\u{202C}",
    "e\u{301}\u{302}\u{303}\u{304}\u{305}",
    "👨‍👩‍👧‍👦🇩🇪", "two\nlines\r\n", "/a~b", "\u{0}", String(repeating: "long ", count: 400), "\u{301}", "क्षि", "0",
    "true",
    "\u{9B}2J", "\u{FEFF}", "€uro",
]

private let jsonTexts = [
    "{}", "[]", "null", "true", " 1.50 ", #""\ud83d\ude00""#, #"{"a":1,"a":2,"b":{"a":[]}}"#,
    #"{"a":"\u001b[0m","b":[1,[2,[3]]]}"#,
    #"[null,{"":{"":1}},"x"]"#, "{broken", #""\ud800""#, "[1 , 2 ]", "\u{FEFF}[true]",
]

private func randomValue(_ random: inout SeededGenerator, depth: Int = 0) -> PropertyListValue {
    switch Int.random(in: 0..<(depth < 4 ? 12 : 9), using: &random) {
    case 0: return .boolean(.random(using: &random))
    case 1: return .integer(PropertyListInteger(Int64.random(in: .min ... .max, using: &random)))
    case 2: return .real([0.5, -0.0, .nan, .infinity, 1e300].randomElement(using: &random) ?? 0)
    case 3:
        return .date(
            Date(timeIntervalSinceReferenceDate: [0, 0.25, 1e300, .nan].randomElement(using: &random) ?? 0)
        )
    case 4: return .data(Data([0xFF, 0, 0x1B]))
    case 5: return .uid(7)
    case 6, 7: return json(jsonTexts.randomElement(using: &random) ?? "")
    case 8: return .string(texts.randomElement(using: &random) ?? "")
    case 9, 10:
        let count = Int.random(in: 0..<4, using: &random)
        return .array((0..<count).map { _ in randomValue(&random, depth: depth + 1) })
    default:
        let count = Int.random(in: 0..<4, using: &random)
        let entries = (0..<count).map { _ in
            (texts.randomElement(using: &random) ?? "", randomValue(&random, depth: depth + 1))
        }
        return .dictionary(Dictionary(entries) { first, _ in first })
    }
}

@Suite("Whatever happens")
struct RandomTests {
    @Test(
        "The selection lies in the rows, the rows are what a fresh start would give, every size has a screen",
        arguments: 0..<12
    )
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var files: [String: [String: PropertyListValue]] = [:]
        for suite in ["a", "b", "漢字", "c"] {
            files[suite] = Dictionary(texts.prefix(10).map { ($0, randomValue(&random)) }) { first, _ in first
            }
        }
        var desk = Desk(files, glyphs: seed % 3 == 0 ? .ascii : .unicode, single: seed % 5 == 4)
        for _ in 0..<250 {
            step(&desk, &random)
            check(desk, &random)
        }
    }

    private func step(_ desk: inout Desk, _ random: inout SeededGenerator) {
        let keys = "⏎⏎⏎⎋⎋⇥jkjkhlhlgG⇞⇟→→←↓↓↑⌫⌦↖↘ aduyn/&?nNH123456789truea1"
        let suite = ["a", "b", "漢字", "new", "c"].randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<24: desk.type(keys.randomElement(using: &random).map { String($0) } ?? "")
        case 24..<26: desk.press(.control("abdefhklrtuwy_".randomElement(using: &random) ?? "a"))
        case 26..<31: desk.outside(suite, texts.randomElement(using: &random) ?? "", randomValue(&random))
        case 31: desk.outside(suite, texts.randomElement(using: &random) ?? "", nil)
        case 32:
            desk.size = Size(
                columns: Int.random(in: 0..<120, using: &random),
                rows: Int.random(in: 0..<40, using: &random)
            )
            desk.act(.resized(desk.size))
        case 33: desk.send(.paste(texts.randomElement(using: &random) ?? ""))
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
        default: desk.act(.loaded(suite, values: desk.files[suite] ?? [:], SuiteStatus(content: .stored)))
        }
    }

    private func check(_ desk: Desk, _ random: inout SeededGenerator) {
        let state = desk.state
        #expect(
            state.suites.isEmpty
                ? state.selectedSuite == 0 : state.suites.indices.contains(state.selectedSuite)
        )
        for suite in state.suites {
            let tree = suite.tree
            #expect(tree.rows.isEmpty ? tree.selected == 0 : tree.rows.indices.contains(tree.selected))
            var fresh = tree
            let keys = Set(suite.stored.keys).union(suite.inFlight.flatMap(\.write.changes.keys))
            fresh.load(
                Dictionary(
                    uniqueKeysWithValues: keys.compactMap { key in suite.value(forKey: key).map { (key, $0) }
                    }
                )
            )
            var effort = Effort.unlimited
            fresh.examine(&effort)
            #expect(!tree.isFiltered || tree.rows.elementsEqual(fresh.rows))
            #expect(tree.entries.map(\.key) == fresh.entries.map(\.key))
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
