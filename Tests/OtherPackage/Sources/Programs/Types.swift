import Foundation
import PDefaults

// Types of other packages, declared as people declare them.

let types = [
    Program(
        "every type",
        prints: """
            address: https://example.org/
            amount: 12.5
            bool: true
            count: 2
            data: 1 bytes
            direction: 2
            flags: 3
            frame: 1.0 2.0 3.0 4.0
            id: 00000000-0000-0000-0000-000000000001
            large: 18446744073709551615
            list: ["a", "b"]
            locale: fr_FR
            names: ["a": 1]
            ratio: 0.5
            small: 0.25
            text: x
            theme: dark
            when: 1970-01-01 00:00:00 +0000
            window: {"height":2,"width":1}
            """
    ) {
        let values = Everything()
        values.bool = true
        values.count = 2
        values.large = .max
        values.small = 0.25
        values.ratio = 0.5
        values.text = "x"
        values.when = Date(timeIntervalSince1970: 0)
        values.data = Data([1])
        values.address = URL(string: "https://example.org/")
        values.id = UUID(uuidString: "00000000-0000-0000-0000-000000000001")
        values.amount = 12.5
        values.locale = Locale(identifier: "fr_FR")
        values.frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        values.list = ["a", "b"]
        values.names = ["a": 1]
        values.direction = .south
        values.theme = .dark
        values.flags = [.a, .b]
        values.window = Window(width: 1, height: 2)
        let suite = SettingsSuite.standard
        for key in suite.storedValues.keys.sorted() {
            switch suite.object(forKey: key) {
            case is [String: [String: Double]]:
                let frame = suite.cgRect(forKey: key)
                print("\(key):", frame.minX, frame.minY, frame.width, frame.height)
            case let json as Data where key == "window":
                print("\(key):", String(decoding: json, as: UTF8.self))
            case let value?: print("\(key):", value)
            case nil: print("\(key) is missing")
            }
        }
    },
    Program("dictionaries of mixed values", prints: "[1, 3] 2") {
        @PDefaults("mixed") var mixed: [String: PropertyListValue] = [:]
        mixed["name"] = "Pitt"
        mixed["numbers"] = [1, 3]
        print(mixed["numbers"] == [1, 3] ? "[1, 3]" : "something else", mixed.count)
    },
    Program("an enumeration that is Codable too is stored by its raw value", prints: "dark") {
        @PDefaults("theme") var theme = Theme.light
        theme = .dark
        print(SettingsSuite.standard.string(forKey: "theme") ?? "no text")
    },
    Program("an object with published members", prints: #"Red {"name":"Blue","score":0}"#) {
        final class Player: ObservableObject, Codable {
            @Published var name = "Red"
            @Published var score = 0
        }
        @PDefaults("player") var player = Player()
        print(player.name, terminator: " ")
        player.name = "Blue"
        print(String(decoding: SettingsSuite.standard.data(forKey: "player") ?? Data(), as: UTF8.self))
    },
]

private struct Everything {
    @PDefaults("bool") var bool = false
    @PDefaults("count") var count = 0
    @PDefaults("large") var large: UInt64 = 0
    @PDefaults("small") var small: Float = 0
    @PDefaults("ratio") var ratio = 0.0
    @PDefaults("text") var text = ""
    @PDefaults("when") var when: Date?
    @PDefaults("data") var data = Data()
    @PDefaults("address") var address: URL?
    @PDefaults("id") var id: UUID?
    @PDefaults("amount") var amount: Decimal = 0
    @PDefaults("locale") var locale = Locale(identifier: "en_US")
    @PDefaults("frame") var frame: CGRect = .zero
    @PDefaults("list") var list: [String] = []
    @PDefaults("names") var names: [String: Int] = [:]
    @PDefaults("direction") var direction = Direction.north
    @PDefaults("theme") var theme: Theme?
    @PDefaults("flags") var flags: Flags = []
    @PDefaults("window") var window = Window(width: 0, height: 0)
    @PDefaults("fallback") var fallback: String? = "none"
}

private enum Direction: Int { case north, west, south, east }

private enum Theme: String, Codable { case light, dark }

private struct Flags: OptionSet {
    static let a = Flags(rawValue: 1)
    static let b = Flags(rawValue: 2)

    let rawValue: Int
}

private struct Window: Codable {
    var width: Int
    var height: Int
}
