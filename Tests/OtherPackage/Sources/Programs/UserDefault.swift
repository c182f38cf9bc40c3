import PDefaults

// The wrappers of kodelit's “UserDefault property wrapper”: UserDefault, OptionalUserDefault,
// WrappedUserDefault and OptionalWrappedUserDefault are one here.

let userDefault = [
    Program("UserDefault: a default as an argument", prints: "3\n4") {
        @PDefaults("count", defaultValue: 3)
        var count: Int

        print(count)
        count += 1
        print(SettingsSuite.standard.integer(forKey: "count"))
    },
    Program("UserDefault: an optional without a default", prints: "nil\nPitt\nnil") {
        @PDefaults("name")
        var name: String?

        print(name ?? "nil")
        name = "Pitt"
        print(name ?? "nil")
        name = nil
        print(name ?? "nil")
    },
    Program("UserDefault: a wrapped raw value", prints: "north\n2\nsouth") {
        enum Direction: Int { case north, west, south, east }

        @PDefaults("direction", defaultValue: .north)
        var direction: Direction

        print(direction)
        direction = .south
        print(SettingsSuite.standard.integer(forKey: "direction"))
        print(direction)
    },
    Program("UserDefault: an optional wrapped raw value, and one that no case has", prints: "nil\neast\nnil")
    {
        enum Direction: Int { case north, west, south, east }

        PDefaultsConfiguration.onError = { _ in }
        @PDefaults("direction")
        var direction: Direction?

        print(direction.map { "\($0)" } ?? "nil")
        direction = .east
        print(direction.map { "\($0)" } ?? "nil")
        SettingsSuite.standard.set(7, forKey: "direction")
        print(direction.map { "\($0)" } ?? "nil")
    },
    Program("UserDefault: lists and dictionaries of lists and dictionaries", prints: "1 0.5\n[1, 2] [\"x\"]")
    {
        @PDefaults("table", defaultValue: []) var table: [[String: [Int]]]
        @PDefaults("ratios", defaultValue: [:]) var ratios: [String: [Double]]
        @PDefaults("flags", defaultValue: [:]) var flags: [String: [String: Bool]]

        table = [["a": [1, 2]]]
        ratios["one"] = [0.5]
        flags["all"] = ["x": true]
        print(table.count, ratios["one"]?.first ?? 0)
        let stored = SettingsSuite.standard.array(forKey: "table") as? [[String: [Int]]]
        print(stored?.first?["a"] ?? [], flags["all"].map { Array($0.keys) } ?? [])
    },
    Program("UserDefault: lists and dictionaries", prints: #"["a", "b"] ["one": 1]"#) {
        @PDefaults("list") var list: [String] = []
        @PDefaults("numbers") var numbers: [String: Int] = [:]

        list += ["a", "b"]
        numbers["one"] = 1
        print(list, numbers)
    },
]
