import PDefaults
import Testing

private let key = "user.name"

/// Each initializer once with a `String` and once with a name: that this compiles is most of the test.
@Suite("A String is accepted as a key")
struct StringKeyTests {
    let suite = SettingsSuite.inMemory()

    @Test("A String is a key with and without an initial value, a suite, a behaviour and traits")
    func native() {
        @PDefaults(key, suite: suite) var name = "Pitt"
        @PDefaults(key, suite: suite, behavior: .willSet) var second = "Pitt"
        @PDefaults(key, .title("Name"), .length(1...20), suite: suite, followsOthers: true) var third = "Pitt"
        @PDefaults(key, defaultValue: "Pitt", suite: suite) var fourth: String
        @PDefaults(key, .title("Name"), defaultValue: "Pitt", suite: suite, register: false) var fifth: String
        @PDefaults(key, suite: suite) var sixth: String?
        @PDefaults(key, suite: suite) var seventh: String? = "Pitt"
        @PDefaults(.name, suite: suite) var eighth = "Pitt"
        @PDefaults(.name, .title("Name"), suite: suite) var ninth: String?
        #expect(fourth == "Pitt" && seventh == "Pitt" && sixth == nil)
        name = "François"
        let all = [name, second, third, fourth, fifth, sixth, seventh, eighth, ninth]
        #expect(all == Array(repeating: "François", count: 9))
        #expect(suite.storedValues == [key: "François"])
    }

    @Test("A String is a key for raw values")
    func rawValues() {
        @PDefaults(key, suite: suite) var direction = Direction.north
        @PDefaults(key, .title("Direction"), defaultValue: .north, suite: suite) var given: Direction
        @PDefaults(key, suite: suite) var maybe: Direction?
        @PDefaults(key, suite: suite) var maybeNorth: Direction? = .north
        @PDefaults(key, defaultValue: .north, suite: suite) var maybeGiven: Direction?
        @PDefaults(key, suite: suite) var doubly: Direction??
        @PDefaults(key, suite: suite) var doublyNorth: Direction?? = .north
        @PDefaults(.name, suite: suite) var named: Direction?
        #expect(given == .north && maybeGiven == .north)
        direction = .east
        #expect(
            [given, maybe, maybeNorth, maybeGiven, doubly ?? nil, doublyNorth ?? nil, named].allSatisfy {
                $0 == .east
            }
        )
        #expect(suite.storedValues == [key: .integer(PropertyListInteger(Direction.east.rawValue))])
    }

    @Test("A String is a key for JSON")
    func codable() {
        @PDefaults(key, suite: suite) var point = Point(x: 0, y: 0)
        @PDefaults(key, defaultValue: Point(x: 0, y: 0), suite: suite) var given: Point
        @PDefaults(key, suite: suite) var maybe: Point?
        @PDefaults(key, suite: suite) var maybeThere: Point? = Point(x: 0, y: 0)
        @PDefaults(.name, suite: suite) var named: Point?
        #expect(given == Point(x: 0, y: 0))
        point.x = 1
        #expect([given, maybe, maybeThere, named].allSatisfy { $0 == Point(x: 1, y: 0) })
        #expect(suite.storedValue(forKey: key)?.kind == .data)
    }

    @Test("A String is a key for a type with its own form and a raw value")
    func formAndRawValue() {
        @PDefaults(key, suite: suite) var level = Level.low
        @PDefaults(key, defaultValue: .low, suite: suite) var given: Level
        @PDefaults(key, suite: suite) var maybe: Level?
        @PDefaults(key, suite: suite) var maybeLow: Level? = .low
        @PDefaults(key, defaultValue: .low, suite: suite) var maybeGiven: Level?
        level = .high
        #expect([given, maybe, maybeLow, maybeGiven].allSatisfy { $0 == .high })
        #expect(suite.storedValues == [key: "level 1"])
    }
}

extension SettingsKey {
    fileprivate static let name: SettingsKey = "user.name"
}

private enum Level: Int, PropertyListConvertible {
    case low, high

    func propertyListForm() -> String { "level \(rawValue)" }

    init?(propertyListForm form: String) {
        guard let raw = Int(form.dropFirst("level ".count)) else { return nil }
        self.init(rawValue: raw)
    }
}
