import Foundation
import ProgramHarness
import PropertyList

@testable import SettingsEditor

/// Whether the long forms of the tests are to be run: `PDEFAULTS_TESTS=long`.
let isLong = ProcessInfo.processInfo.environment["PDEFAULTS_TESTS"] == "long"

/// Texts that are hard to show.
let hostileTexts = [
    "", "a", "n", "plain text", "\u{1B}[31mred\u{7}", "日本語の漢字かな", "\u{202E}right\u{202C}",
    "e\u{301}\u{302}\u{303}\u{304}\u{305}",
    "👨‍👩‍👧‍👦🇩🇪", "two\nlines\r\n", "/a~b", "\u{0}", String(repeating: "long ", count: 400), "\u{301}", "क्षि", "0",
    "true",
    "\u{9B}2J", "\u{FEFF}", "€uro",
]

private let hostileJSON = [
    "{}", "[]", "null", "true", " 1.50 ", #""\ud83d\ude00""#, #"{"a":1,"a":2,"b":{"a":[]}}"#,
    #"{"a":"\u001b[0m","b":[1,[2,[3]]]}"#,
    #"[null,{"":{"":1}},"x"]"#, "{broken", #""\ud800""#, "[1 , 2 ]", "\u{FEFF}[true]",
]

func randomValue(_ random: inout SeededGenerator, depth: Int = 0) -> PropertyListValue {
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
    case 6, 7: return json(hostileJSON.randomElement(using: &random) ?? "")
    case 8: return .string(hostileTexts.randomElement(using: &random) ?? "")
    case 9, 10:
        let count = Int.random(in: 0..<4, using: &random)
        return .array((0..<count).map { _ in randomValue(&random, depth: depth + 1) })
    default:
        let count = Int.random(in: 0..<4, using: &random)
        let entries = (0..<count).map { _ in
            (hostileTexts.randomElement(using: &random) ?? "", randomValue(&random, depth: depth + 1))
        }
        return .dictionary(Dictionary(entries) { first, _ in first })
    }
}
