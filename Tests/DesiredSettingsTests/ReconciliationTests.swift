import Foundation
import ProgramHarness
import PropertyList
import Testing

@testable import DesiredSettings

/// A suite in memory, and what one name remembers of it.
private struct Machine: Equatable {
    var values: [String: PropertyListValue] = [:]
    var owned = AppliedSettings.Suite()

    /// How far a run comes before it is killed.
    enum End: CaseIterable { case beforeMemory, beforeSettings, beforeForgetting, never }

    @discardableResult
    mutating func apply(_ settings: [DesiredSetting], until end: End = .never) throws -> Reconciliation {
        let stored = PropertyListEntries(values)
        let memory = owned.memory(for: stored)
        let result = try Reconciliation(of: stored, with: settings, owned: memory, now: .distantPast)
        if end == .beforeMemory { return result }
        owned = .init(memory, pending: result.changes.isEmpty ? nil : .init(result.changes, result.memory))
        if end == .beforeSettings { return result }
        for (key, value) in result.changes { values[key] = value }
        if end == .beforeForgetting { return result }
        owned = .init(result.memory)
        return result
    }
}

@Suite("What has to change")
struct ReconciliationTests {
    private static func settings(_ text: String) throws -> [DesiredSetting] {
        try SettingsFile(Array("{\"app\": \(text)}".utf8)).suites.flatMap(\.keys).flatMap(\.settings)
    }

    private static func json(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

    @Test(
        "A directive changes its part, and the rest of the value stays",
        arguments: [
            (["k": 1], #"{"k": 2}"#, ["k": 2]), ([:], #"{"k": 2}"#, ["k": 2]),
            (["k": 1], #"{"k": {"$delete": true}}"#, [:]),
            (["k": ["a"]], #"{"k": {"$include": ["b", "a"]}}"#, ["k": ["a", "b"]]),
            ([:], #"{"k": {"$include": ["b"]}}"#, ["k": ["b"]]),
            (["k": ["x": 1, "y": 2]], #"{"k": {"$merge": {"x": 3}}}"#, ["k": ["x": 3, "y": 2]]),
            ([:], #"{"k": {"$merge": {"x": {"$merge": {"y": 1}}}}}"#, ["k": ["x": ["y": 1]]]),
            (
                ["k": ["x": 1]], #"{"k": {"$merge": {"x": {"$delete": true}, "z": {"$delete": true}}}}"#,
                ["k": [:]]
            ),
            (
                ["k": json(#"{ "x": 1.50, "list": [1] }"#)],
                #"{"k": {"$merge": {"x": 2, "list": {"$include": ["two"]}}}}"#,
                ["k": json(#"{ "x": 2, "list": [1, "two"] }"#)]
            ),
        ] as [([String: PropertyListValue], String, [String: PropertyListValue])]
    )
    func directives(
        _ stored: [String: PropertyListValue],
        _ text: String,
        _ expected: [String: PropertyListValue]
    ) throws {
        var machine = Machine(values: stored)
        try machine.apply(Self.settings(text))
        #expect(machine.values == expected)
        #expect(try machine.apply(Self.settings(text)).changes.isEmpty)
        try machine.apply([])
        #expect(machine == Machine(values: stored), "Everything is put back")
    }

    @Test("A value that means the same is not written")
    func same() throws {
        var machine = Machine(values: ["a": .number("1.50"), "b": Self.json("{ \"x\" : 1 }")])
        #expect(try machine.apply(Self.settings(#"{"a": 1.5, "b": {"$json": {"x":1}}}"#)).changes.isEmpty)
    }

    @Test("A directive for another kind of value is refused")
    func wrongKind() throws {
        for text in [#"{"k": {"$include": [1]}}"#, #"{"k": {"$merge": {"x": 1}}}"#] {
            let error = try #require(throws: SettingsFileError.self) {
                var machine = Machine(values: ["k": "text"])
                try machine.apply(Self.settings(text))
            }
            #expect("\(error)".contains("k is of the kind string"), "\(error)")
        }
    }

    @Test("A value that was changed since is left and reported")
    func drift() throws {
        var machine = Machine(values: ["a": 1, "list": ["x"]])
        try machine.apply(Self.settings(#"{"a": 2, "b": 3, "list": {"$include": ["y"]}}"#))
        machine.values["a"] = 9
        machine.values["list"] = ["y", "x", "z"]
        let result = try machine.apply([])
        #expect(result.left == [.init(path: SettingPath("a"), applied: 2, current: 9)])
        #expect(machine == Machine(values: ["a": 9, "list": ["x", "z"]]))
    }

    @Test("What was there first is remembered, whatever was applied since")
    func first() throws {
        var machine = Machine(values: ["a": 1])
        for value in 2...4 {
            try machine.apply([DesiredSetting(SettingPath("a"), .integer(PropertyListInteger(Int64(value))))])
        }
        machine.values["a"] = 9
        try machine.apply([DesiredSetting(SettingPath("a"), 5)])
        try machine.apply([])
        #expect(machine == Machine(values: ["a": 1]))
    }

    @Test("The memory survives its file")
    func memory() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            var machine = Machine(values: values(&random))
            try machine.apply(randomSettings(&random))
            try machine.apply(randomSettings(&random), until: .beforeSettings)
            var memory = AppliedSettings()
            memory.suites["app"] = machine.owned
            let isEmpty = machine.owned == .init()
            #expect(try AppliedSettings(stored: memory.stored).suites == (isEmpty ? [:] : memory.suites))
        }
    }

    @Test("A random file is applied once, and its second run changes nothing")
    func idempotence() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1000 {
            var machine = Machine(values: values(&random))
            let (before, wanted) = (machine.values, randomSettings(&random))
            try machine.apply(wanted)
            let after = machine
            #expect(try machine.apply(wanted).changes.isEmpty)
            #expect(machine == after)
            try machine.apply([])
            #expect(machine == Machine(values: before))
        }
    }

    @Test("A run that is killed at any step ends like an undisturbed one when it is repeated")
    func kills() throws {
        var random = SeededGenerator(seed: 2)
        for round in 0..<1000 {
            let start = Machine(values: values(&random))
            let files = (0..<3).map { _ in randomSettings(&random) } + [[]]
            var undisturbed = start
            var (machine, killed) = (start, start)
            for file in files {
                try undisturbed.apply(file)
                for end in Machine.End.allCases.shuffled(using: &random) {
                    try machine.apply(file, until: end)
                }
                try machine.apply(file)
                #expect(machine == undisturbed, "round \(round)")
                try killed.apply(file, until: Machine.End.allCases.randomElement(using: &random) ?? .never)
            }
            try killed.apply([])
            #expect(killed.values == start.values, "round \(round)")
            #expect(killed.owned == .init())
        }
    }
}

private let names = ["a", "b", "c"]

private func value(_ random: inout SeededGenerator) -> PropertyListValue {
    let values: [PropertyListValue] = [
        1, 2, "x", true, ["x"], ["y", 1], ["a": 1], ["b": ["a": 2], "c": [1]], [], [:],
    ]
    return values.randomElement(using: &random) ?? 0
}

private func values(_ random: inout SeededGenerator) -> [String: PropertyListValue] {
    ["a": value(&random), "list": ["x", 1], "table": ["a": 1, "b": ["a": 2]]].filter { _ in
        Bool.random(using: &random)
    }
}

/// Random settings that fit ``values(_:)``.
private func randomSettings(_ random: inout SeededGenerator) -> [DesiredSetting] {
    var settings: [DesiredSetting] = []
    if Bool.random(using: &random) {
        settings.append(DesiredSetting(SettingPath("a"), Bool.random(using: &random) ? value(&random) : nil))
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: settings.append(DesiredSetting(SettingPath("list"), ["w"]))
    case 1:
        for element in [1, "y", "z"] as [PropertyListValue] where Bool.random(using: &random) {
            settings.append(DesiredSetting(SettingPath("list", element: element), element))
        }
    default: break
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: settings.append(DesiredSetting(SettingPath("table"), ["b": ["a": 1]]))
    case 1, 2:
        let paths = [["a"], ["new"], ["b", "a"], ["b", "c"], ["deep", "a"]].filter { _ in
            Bool.random(using: &random)
        }
        for path in paths {
            let value = Bool.random(using: &random) ? value(&random) : nil
            settings.append(DesiredSetting(SettingPath("table", members: path), value))
        }
    default: break
    }
    return settings
}
