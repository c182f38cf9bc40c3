import Foundation
import PDefaults

// The examples of Pyroh's DefaultsWrapper. Defaults and Preference are one wrapper here, SavedState is
// `followsOthers: false`, and UserDefaultsKeyName is SettingsKey.

let defaultsWrapper = [
    Program("DefaultsWrapper: a game", prints: "3 Red 0.0\n4 Blue 2.5") {
        struct Game {
            @PDefaults("NumberOfPlayers") var playerCount: Int = 3
            @PDefaults("PlayerName") var playerName: String = "Red"
            @PDefaults("StartingPosition", followsOthers: false) var startPos: CGPoint = .zero
        }

        let game = Game()
        print(game.playerCount, game.playerName, game.startPos.x)
        game.playerCount = 4
        game.playerName = "Blue"
        game.startPos = CGPoint(x: 2.5, y: 1)
        let next = Game()
        print(next.playerCount, next.playerName, next.startPos.x)
    },
    Program("DefaultsWrapper: names for keys", prints: "3 Red 0.0") {
        struct Game {
            @PDefaults(.numberOfPlayers) var playerCount: Int = 3
            @PDefaults(.playerName) var playerName: String = "Red"
            @PDefaults(.startingPosition, followsOthers: false) var position: CGPoint = .zero
        }

        let game = Game()
        print(game.playerCount, game.playerName, game.position.y)
    },
    Program("DefaultsWrapper: a default is registered and not stored", prints: "3 true\n0") {
        @PDefaults("NumberOfPlayers", defaultValue: 3, register: true)
        var playerCount: Int
        @PDefaults("Unregistered", defaultValue: 3)
        var otherCount: Int

        let suite = SettingsSuite.standard
        print(suite.integer(forKey: "NumberOfPlayers"), suite.storedValues.isEmpty)
        print(suite.integer(forKey: "Unregistered"))
    },
    Program("DefaultsWrapper: every default is registered", prints: "3 0") {
        PDefaultsConfiguration.registersDefaults = true
        @PDefaults("NumberOfPlayers") var playerCount = 3
        @PDefaults("Unregistered", register: false) var otherCount = 3

        let suite = SettingsSuite.standard
        print(suite.integer(forKey: "NumberOfPlayers"), suite.integer(forKey: "Unregistered"))
    },
    Program("DefaultsWrapper: enumerations with a raw value", prints: "north\n3") {
        enum Direction: Int {
            case north = 0
            case west, south, east
        }

        @PDefaults("direction") var direction = Direction.north

        print(direction)
        direction = .east
        print(SettingsSuite.standard.integer(forKey: "direction"))
    },
    Program(
        "DefaultsWrapper: optionals with a default and without",
        prints: """
            optional default nil
            optional stored also stored
            optional default nil
            [:]
            """
    ) {
        @PDefaults("first") var first: String? = "default"
        @PDefaults("second") var second: String?

        print("optional", first ?? "nil", second ?? "nil")
        first = "stored"
        second = "also stored"
        print("optional", first ?? "nil", second ?? "nil")
        first = nil
        second = nil
        print("optional", first ?? "nil", second ?? "nil")
        print(SettingsSuite.standard.storedValues)
    },
    Program("DefaultsWrapper: geometry that people can read and change", prints: "640.0 480.0\n800.0") {
        struct RectangularThing {
            @PDefaults("frame") var frame = CGRect(x: 0, y: 0, width: 640, height: 480)
        }

        let thing = RectangularThing()
        thing.frame.origin.x = 1
        var stored = SettingsSuite.standard.dictionary(forKey: "frame") ?? [:]
        var size = stored["size"] as? [String: Double] ?? [:]
        print(size["width"] ?? 0, size["height"] ?? 0)
        // Tweaked by hand.
        size["width"] = 800
        stored["size"] = size
        SettingsSuite.standard.set(stored, forKey: "frame")
        print(thing.frame.size.width)
    },
    Program("DefaultsWrapper: a transform", prints: "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]") {
        @PDefaults("transform") var transform = AffineTransform.identity

        transform = AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6)
        print(SettingsSuite.standard.array(forKey: "transform") ?? [])
    },
    Program("DefaultsWrapper: a conversion of one's own", prints: #"3 ["x": 3, "y": 4]"#) {
        @PDefaults("vector") var vector = SIMD2(1, 2)

        vector = SIMD2(3, 4)
        let stored = SettingsSuite.standard.dictionary(forKey: "vector") as? [String: Int] ?? [:]
        print(vector.x, stored == ["x": 3, "y": 4] ? #"["x": 3, "y": 4]"# : "\(stored)")
    },
    Program("DefaultsWrapper: the suite's own methods", prints: "east 5.0 1.5 [640.0]") {
        enum Direction: Int { case north, west, south, east }
        struct Box: Codable {
            var sides: [Double]
        }

        let defaults = SettingsSuite.standard
        defaults.set(Direction.east, forKey: "direction")
        defaults.set(CGPoint(x: 5, y: 6), forKey: "point")
        defaults.set(Box(sides: [640]), forKey: "box")
        defaults.register(CGFloat(1.5), forKey: "scale")
        let direction: Direction? = defaults.rawRepresentable(forKey: "direction")
        let box: Box? = defaults.decodable(forKey: "box")
        print(
            direction.map { "\($0)" } ?? "nil",
            defaults.cgPoint(forKey: "point").x,
            defaults.cgFloat(forKey: "scale"),
            box?.sides ?? []
        )
    },
    Program(
        "DefaultsWrapper: the suite's own methods, for every type",
        prints: """
            2.0 3.0
            1.0 2.0 3.0 4.0
            3 4
            6.0
            00000000-0000-0000-0000-000000000001 12.5 fr_FR https://example.org/
            """
    ) {
        let defaults = SettingsSuite.standard
        defaults.set(CGSize(width: 2, height: 3), forKey: "size")
        defaults.set(CGRect(x: 1, y: 2, width: 3, height: 4), forKey: "frame")
        defaults.set(SIMD2(3, 4), forKey: "vector")
        defaults.set(AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6), forKey: "transform")
        defaults.set(UUID(uuidString: "00000000-0000-0000-0000-000000000001"), forKey: "id")
        defaults.set(12.5 as Decimal, forKey: "amount")
        defaults.set(Locale(identifier: "fr_FR"), forKey: "locale")
        defaults.set(URL(string: "https://example.org/"), forKey: "address")
        let size = defaults.cgSize(forKey: "size")
        let frame = defaults.cgRect(forKey: "frame")
        let vector: SIMD2<Int>? = defaults.convertible(forKey: "vector")
        let id: UUID? = defaults.convertible(forKey: "id")
        let amount: Decimal? = defaults.convertible(forKey: "amount")
        let locale: Locale? = defaults.convertible(forKey: "locale")
        print(size.width, size.height)
        print(frame.minX, frame.minY, frame.width, frame.height)
        print(vector?.x ?? 0, vector?.y ?? 0)
        print(defaults.affineTransform(forKey: "transform").tY)
        print(
            id?.uuidString ?? "nil",
            amount ?? 0,
            locale?.identifier ?? "nil",
            defaults.url(forKey: "address")?.absoluteString ?? "nil"
        )
    },
    Program("DefaultsWrapper: one default registered, of any type", prints: "east 4.0 640.0 1\ntrue") {
        enum Direction: Int { case north, west, south, east }
        struct Box: Codable {
            var sides: [Double]
        }

        let defaults = SettingsSuite.standard
        defaults.register(Direction.east, forKey: "direction")
        defaults.register(CGRect(x: 1, y: 2, width: 3, height: 4), forKey: "frame")
        defaults.register(Box(sides: [640]), forKey: "box")
        defaults.register(SIMD2(1, 2), forKey: "vector")
        let direction: Direction? = defaults.rawRepresentable(forKey: "direction")
        let box: Box? = defaults.decodable(forKey: "box")
        let vector: SIMD2<Int>? = defaults.convertible(forKey: "vector")
        print(
            direction.map { "\($0)" } ?? "nil",
            defaults.cgRect(forKey: "frame").height,
            box?.sides.first ?? 0,
            vector?.x ?? 0
        )
        print(defaults.storedValues.isEmpty)
    },
    Program(
        "DefaultsWrapper: every type can be optional",
        prints: """
            nil nil nil nil nil nil
            (1.0, 2.0) east SIMD2<Int>(3, 4) 12.5 ["a"] 1 side
            nil nil nil nil nil nil
            """
    ) {
        enum Direction: Int { case north, west, south, east }
        struct Box: Codable {
            var sides: [Double]
        }
        struct Things {
            @PDefaults("point") var point: CGPoint?
            @PDefaults("direction") var direction: Direction?
            @PDefaults("vector") var vector: SIMD2<Int>?
            @PDefaults("amount") var amount: Decimal?
            @PDefaults("list") var list: [String]?
            @PDefaults("box") var box: Box?

            func show() {
                print(
                    point.map { "(\($0.x), \($0.y))" } ?? "nil",
                    direction.map { "\($0)" } ?? "nil",
                    vector.map { "\($0)" } ?? "nil",
                    amount.map { "\($0)" } ?? "nil",
                    list.map { "\($0)" } ?? "nil",
                    box.map { "\($0.sides.count) side" } ?? "nil"
                )
            }
        }

        let things = Things()
        things.show()
        things.point = CGPoint(x: 1, y: 2)
        things.direction = .east
        things.vector = SIMD2(3, 4)
        things.amount = 12.5
        things.list = ["a"]
        things.box = Box(sides: [1])
        Things().show()
        things.point = nil
        things.direction = nil
        things.vector = nil
        things.amount = nil
        things.list = nil
        things.box = nil
        Things().show()
    },
    Program("DefaultsWrapper: an enumeration made storable by being Codable", prints: "down\nsent to Pitt") {
        enum Arrow: String, Codable { case up, right, down, left }
        enum Result: Codable {
            case sent(String)
            case failed(String, code: Int)
        }

        @PDefaults("arrow") var arrow = Arrow.up
        @PDefaults("result") var result = Result.failed("nothing", code: 1)

        arrow = .down
        result = .sent("Pitt")
        @PDefaults("arrow") var nextArrow = Arrow.up
        @PDefaults("result") var next = Result.failed("nothing", code: 1)
        print(nextArrow)
        switch next {
        case .sent(let name): print("sent to", name)
        case .failed(let reason, let code): print("failed", reason, code)
        }
    },
    Program("DefaultsWrapper: Published is Codable", prints: #"{"name":"Red"} Blue"#) {
        final class Player: ObservableObject, Codable {
            @Published var name = "Red"
        }

        let json = try JSONEncoder().encode(Player())
        let player = try JSONDecoder().decode(Player.self, from: Data(#"{"name":"Blue"}"#.utf8))
        print(String(decoding: json, as: UTF8.self), player.name)
    },
    Program("DefaultsWrapper: a saved state", prints: "0 0\n5 0\n5") {
        @PDefaults("StartingPosition", followsOthers: false) var one = 0
        @PDefaults("StartingPosition", followsOthers: false) var other = 0

        print(one, other)
        one = 5
        print(one, other)
        @PDefaults("StartingPosition", followsOthers: false) var next = 0
        print(next)
    },
    Program("DefaultsWrapper: an observable object", prints: "Red\nBlue") {
        final class Player: ObservableObject, Codable {
            @Published var name = "Red"
        }

        @PDefaults("player") var player = Player()
        @PDefaults("player") var again = Player()

        print(player.name)
        player.name = "Blue"
        print(again.name)
    },
]

extension SettingsKey {
    fileprivate static var numberOfPlayers: SettingsKey { "NumberOfPlayers" }
    fileprivate static var playerName: SettingsKey { "PlayerName" }
    fileprivate static var startingPosition: SettingsKey { "StartingPosition" }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension SIMD2: @retroactive PropertyListConvertible where Scalar: PropertyListConvertible {
    public func propertyListForm() -> [String: Scalar] {
        ["x": x, "y": y]
    }

    public init?(propertyListForm form: [String: Scalar]) {
        guard let x = form["x"], let y = form["y"] else { return nil }
        self.init(x: x, y: y)
    }
}
