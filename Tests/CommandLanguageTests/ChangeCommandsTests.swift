import Foundation
import ProgramHarness
import PropertyList
import Testing

@testable import CommandLanguage

@Suite("Commands that repeat a change")
struct ChangeCommandsTests {
    private static func json(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

    private func texts(
        _ old: PropertyListValue?,
        _ new: PropertyListValue?,
        key: String = "key",
        inJSON: Bool = false
    ) throws -> [String] {
        let commands = ChangeCommands(options: [], suite: "app", storesJSON: inJSON)
        return try commands.commands(for: key, from: old, to: new).map(\.text)
    }

    private static let long = PropertyListValue.string(String(repeating: "long ", count: 30))

    @Test(
        "A command is as small as the change",
        arguments: [
            (nil, 5, ["pdefaults write app key -int 5"]), (5, nil, ["pdefaults delete app key"]), (5, 5, []),
            (5, 5.0, ["pdefaults write app key -float 5.0"]),
            (["a": 1, "b": long], ["a": 2, "b": long], ["pdefaults write --at /a app key -int 2"]),
            (["a": 1, "b": long], ["b": long], ["pdefaults delete --at /a app key"]),
            (["b": long], ["a": ["x"], "b": long], [#"pdefaults write --at /a app key '("x")'"#]),
            ([long], [long, "x", 2], ["pdefaults write app key -array-add -string x -int 2"]),
            (
                ["list": [long]], ["list": [long, true]],
                ["pdefaults write --at /list app key -array-add -bool true"]
            ),
            (["x", "y", long], ["y", long], ["pdefaults delete --at /0 app key"]),
            // No command inserts an element before others, so the array around it is written.
            (
                ["b": long, "list": [2]], ["b": long, "list": [1, 2]],
                ["pdefaults write --at /list app key '(<*I1>, <*I2>)'"]
            ),
            (
                json(#"{ "x": 1.50, "list": [1] }"#), json(#"{ "x": 1.50, "list": [1, "two"] }"#),
                [#"pdefaults write --at /list/- app key -json '"two"'"#]
            ),
        ] as [(PropertyListValue?, PropertyListValue?, [String])]
    )
    func smallest(_ old: PropertyListValue?, _ new: PropertyListValue?, _ expected: [String]) throws {
        #expect(try texts(old, new) == expected)
    }

    @Test("In a JSON file, values that only JSON has are written as JSON")
    func inJSONFile() throws {
        #expect(
            try texts(nil, [1, .null], inJSON: true) == ["pdefaults write app key -json '[1,null]'"]
        )
        #expect(try texts(1, .number("1e3"), inJSON: true) == ["pdefaults write app key -json 1e3"])
    }

    @Test("Thousands of random changes are repeated exactly")
    func random() throws {
        var generator = SeededGenerator(seed: 44)
        var parts = 0
        for round in 0..<4000 {
            let inJSON = round % 4 == 0
            let old = randomSetting(&generator, inJSON: inJSON)
            let new =
                Bool.random(using: &generator)
                ? changed(old, &generator, inJSON) : randomSetting(&generator, inJSON: inJSON)
            let commands = ChangeCommands(options: [], suite: "app", storesJSON: inJSON)
            var values = PropertyListEntries(["k": old])
            let list = try commands.commands(for: "k", from: old, to: new)
            for command in list {
                if command.words.contains("--at") { parts += 1 }
                if !command.text.contains("$(printf") {
                    #expect(
                        try ["pdefaults"] + shellWords(String(command.text.dropFirst(10))) == command.words
                    )
                }
                let line = try ParsedCommand(Array(command.words.dropFirst()))
                let plan = try EditPlan(line, inJSONFile: inJSON)
                for (key, value) in try plan.changes(to: values, of: "app") { values[key] = value }
            }
            #expect(values["k"] == new, "\(list.map(\.text))")
        }
        #expect(parts > 500)
    }
}

private let texts = [
    "", "a", "two words", "it's", "-int", "--at", "a/b~c", "0", "$HOME", "line\nfeed", "é", "\u{1B}",
]

/// A random value that a command can express.
private func randomSetting(
    _ random: inout SeededGenerator,
    depth: Int = 0,
    inJSON: Bool
) -> PropertyListValue {
    switch Int.random(in: 0..<(depth < 3 ? 14 : 7), using: &random) {
    case 0: return .boolean(.random(using: &random))
    case 1: return .integer(PropertyListInteger(Int64.random(in: -5...5, using: &random)))
    case 2: return .real(Double(Int.random(in: -9...9, using: &random)) / 4)
    case 3: return inJSON ? .null : .date(Date(timeIntervalSinceReferenceDate: 12))
    case 4: return inJSON ? .number("1e3") : .data(Data([0xFF, 0]))
    case 5, 6:
        if inJSON || Bool.random(using: &random) { return .string(texts.randomElement(using: &random) ?? "") }
        let form = randomSetting(&random, depth: depth + 1, inJSON: true).jsonForm ?? "[]"
        return .data(Data(form.utf8))
    case 7...10:
        return .array(
            (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                randomSetting(&random, depth: depth + 1, inJSON: inJSON)
            }
        )
    default:
        let entries = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
            (
                texts.randomElement(using: &random) ?? "",
                randomSetting(&random, depth: depth + 1, inJSON: inJSON)
            )
        }
        return .dictionary(Dictionary(entries) { first, _ in first })
    }
}

/// The value with one change somewhere inside.
private func changed(
    _ value: PropertyListValue,
    _ random: inout SeededGenerator,
    _ inJSON: Bool
) -> PropertyListValue {
    func new(_ random: inout SeededGenerator) -> PropertyListValue {
        randomSetting(&random, depth: 2, inJSON: inJSON)
    }
    switch value {
    case .array(var elements):
        let place = Int.random(in: 0...elements.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where place < elements.count: elements.remove(at: place)
        case 1: elements.insert(new(&random), at: place)
        case 2: elements.append(new(&random))
        default: if place < elements.count { elements[place] = changed(elements[place], &random, inJSON) }
        }
        return .array(elements)
    case .dictionary(var entries):
        let key = texts.randomElement(using: &random) ?? ""
        entries[key] = entries[key].map { changed($0, &random, inJSON) } ?? new(&random)
        return .dictionary(entries)
    default: return new(&random)
    }
}
