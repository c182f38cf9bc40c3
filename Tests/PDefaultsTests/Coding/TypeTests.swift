import Foundation
import PDefaults
import Testing

@Suite("Stored forms of types")
struct TypeTests {
    let suite = SettingsSuite.inMemory()

    /// Checks how a value is stored, by itself, as an optional of any depth, and in lists and
    /// dictionaries, and that it is read again from each.
    private func check<Value: PropertyListConvertible & Equatable>(
        _ value: Value,
        _ start: Value,
        _ stored: PropertyListValue,
        at location: SourceLocation = #_sourceLocation
    ) {
        func check<Form: PropertyListConvertible & Equatable>(
            _ value: Form,
            _ start: Form,
            _ stored: PropertyListValue
        ) {
            let suite = SettingsSuite.inMemory()
            @PDefaults("key", suite: suite, register: false) var writer = start
            @PDefaults("key", suite: suite, register: false) var reader = start
            writer = value
            #expect(suite.storedValue(forKey: "key") == stored, sourceLocation: location)
            #expect(reader == value, sourceLocation: location)
            _writer.reset()
            #expect(suite.storedValues.isEmpty && reader == start, sourceLocation: location)
        }
        func checkOptional<Wrapped: PropertyListConvertible & Equatable>(_ value: Wrapped) {
            let suite = SettingsSuite.inMemory()
            @PDefaults("key", suite: suite) var maybe: Wrapped?
            @PDefaults("key", suite: suite) var reader: Wrapped?
            maybe = value
            #expect(suite.storedValue(forKey: "key") == stored, sourceLocation: location)
            #expect(reader == value, sourceLocation: location)
            maybe = nil
            #expect(suite.storedValues.isEmpty && reader == nil, sourceLocation: location)
        }
        check(value, start, stored)
        check(value as Value?, nil, stored)
        check(value as Value??, nil, stored)
        checkOptional(value)
        checkOptional(value as Value?)
        check([value, start, value], [], .array([stored, form(of: start), stored]))
        check([value] as [Value]?, nil, [stored])
        check(["a": value, "": start], [:], ["a": stored, "": form(of: start)])
        check(["a": ["b": [value]]], [:], ["a": ["b": [stored]]])
    }

    private func form(of value: some PropertyListConvertible) -> PropertyListValue {
        let suite = SettingsSuite.inMemory()
        let property = PDefaults("form", defaultValue: value, suite: suite, register: false)
        property.wrappedValue = value
        return suite.storedValue(forKey: "form") ?? .uid(0)
    }

    @Test(
        "A string that differs from the stored one only in its Unicode form is stored",
        arguments: [
            PropertyListFormat.xml, .binary,
        ]
    )
    func unicodeForms(format: PropertyListFormat) async throws {
        try await withFolder { folder in
            let path = folder.path + "/s.plist"
            let old: PropertyListValue = ["text": "e\u{301}", "list": ["e\u{301}"], "other": 1]
            try Data(old.encoded(as: format)).write(to: URL(fileURLWithPath: path))
            let suite = try SettingsSuite(named: "s", in: folder)
            @PDefaults("text", suite: suite) var text = ""
            @PDefaults("list", suite: suite) var list: [String] = []
            text = "\u{E9}"
            list = ["\u{E9}"]
            try suite.synchronize()
            let stored = try PropertyListValue.read(Array(Data(contentsOf: URL(fileURLWithPath: path)))).value
            #expect(stored == ["text": "\u{E9}", "list": ["\u{E9}"], "other": 1])
        }
    }

    @Test("Native types are stored as the property-list type that fits, optionals and collections too")
    func native() {
        check(true, false, true)
        check(Int.min, 0, .integer(PropertyListInteger(Int64.min)))
        check(Int8(-128), 0, -128)
        check(Int16(300), 0, 300)
        check(Int32(70_000), 0, 70_000)
        check(Int64.max, 0, .integer(PropertyListInteger(Int64.max)))
        check(UInt(7), 0, 7)
        check(UInt8(255), 0, 255)
        check(UInt16(65_535), 0, 65_535)
        check(UInt32.max, 0, 4_294_967_295)
        check(UInt64.max, 0, .integer(PropertyListInteger(UInt64.max)))
        check(Float(0.1), 0, .real(Double(Float(0.1))))
        check(0.1, 0.0, 0.1)
        check("Zoë 🦊", "", "Zoë 🦊")
        check(Date(timeIntervalSince1970: 1.5), .distantPast, .date(Date(timeIntervalSince1970: 1.5)))
        check(Data([0, 1]), Data(), .data(Data([0, 1])))
        check(["a", 1, true] as PropertyListValue, 0, ["a", 1, true])
    }

    @Test("URL, UUID, Decimal, Locale and geometry are stored as people write them, collections too")
    func foundation() throws {
        let address = try #require(URL(string: "https://example.org/a?b=c#d"))
        check(address, URL(fileURLWithPath: "/"), "https://example.org/a?b=c#d")
        check(URL(fileURLWithPath: "/a b"), address, "file:///a%20b")
        let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        check(try #require(UUID(uuidString: id)), UUID(), .string(id))
        let digits = "12345678901234567890.0000000001"
        check(try #require(Decimal(string: digits)), 0, .string(digits))
        check(Locale(identifier: "fr_FR"), Locale(identifier: "en_US"), "fr_FR")
        check(CGFloat(1.5), 0, 1.5)
        check(CGPoint(x: 1, y: 2), .zero, ["x": 1.0, "y": 2.0])
        check(CGSize(width: 3, height: 4), .zero, ["width": 3.0, "height": 4.0])
        check(
            CGRect(x: 1, y: 2, width: 3, height: 4),
            .zero,
            ["origin": ["x": 1.0, "y": 2.0], "size": ["width": 3.0, "height": 4.0]]
        )
        let transform = AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6)
        check(transform, .identity, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    }

    @Test("Geometry may have whole numbers, as a person writes them")
    func geometryByHand() {
        suite.set(["x": 3, "y": 4.5], forKey: "origin")
        @PDefaults("origin", suite: suite) var origin = CGPoint.zero
        #expect(origin == CGPoint(x: 3, y: 4.5))
    }

    @Test("Any Codable is JSON in Data, and optionals of it")
    func codable() {
        @PDefaults("point", suite: suite) var point = Point(x: 1, y: 2)
        @PDefaults("point", suite: suite) var maybe: Point?
        #expect(maybe == nil, "the default of the other property is not this one's")
        point.x = 3
        #expect(suite.storedValue(forKey: "point") == .data(Data(#"{"x":3,"y":2}"#.utf8)))
        #expect(maybe == Point(x: 3, y: 2))
        maybe = nil
        #expect(suite.storedValues.isEmpty)
    }

    @Test("Codable collections, sets and optionals of any depth are JSON too")
    func codableCollections() {
        @PDefaults("points", suite: suite) var points: [Point] = []
        @PDefaults("names", suite: suite) var names: Set<String> = []
        @PDefaults("numbered", suite: suite) var numbered: [Int: String] = [:]
        @PDefaults("deep", suite: suite) var deep: Point??
        @PDefaults("themes", suite: suite) var themes: [Theme]? = [.light]
        points = [Point(x: 1, y: 2)]
        names = ["a"]
        numbered = [1: "a"]
        deep = Point(x: 1, y: 2)
        themes = [.dark]
        func json(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }
        #expect(
            suite.storedValues == [
                "points": json(#"[{"x":1,"y":2}]"#), "names": json(#"["a"]"#),
                "numbered": json(#"{"1":"a"}"#), "deep": json(#"{"x":1,"y":2}"#),
                "themes": json(#"["dark"]"#),
            ]
        )
        deep = .some(nil)
        themes = nil
        #expect(suite.storedValue(forKey: "deep") == nil && themes == [.light])
    }

    @Test("A generic type stores its value like any other property")
    func generic() {
        struct Setting<Value: Codable & Sendable> {
            @PDefaults var value: Value

            init(_ key: SettingsKey, _ start: Value, _ suite: SettingsSuite) {
                _value = PDefaults(wrappedValue: start, key, suite: suite)
            }
        }
        let count = Setting("count", 1, suite)
        let names = Setting("names", ["a": 1], suite)
        let point = Setting("point", Point(x: 1, y: 2), suite)
        count.value += 1
        names.value["b"] = 2
        point.value.x = 3
        #expect(
            suite.storedValues == [
                "count": 2, "names": ["a": 1, "b": 2], "point": .data(Data(#"{"x":3,"y":2}"#.utf8)),
            ]
        )
        #expect(count.value == 2 && names.value.count == 2)
    }

    @Test("Option sets are stored as their raw values")
    func options() {
        struct Options: OptionSet {
            let rawValue: UInt8
        }
        @PDefaults("options", suite: suite) var options: Options = []
        options = [Options(rawValue: 1), Options(rawValue: 4)]
        #expect(suite.storedValues == ["options": 5])
    }

    @Test("Enumerations are stored as their raw values, Codable ones too, and optionals of them")
    func rawValues() {
        @PDefaults("direction", suite: suite) var direction = Direction.north
        @PDefaults("theme", suite: suite) var theme = Theme.light
        @PDefaults("heading", suite: suite) var heading: Direction?
        @PDefaults("next", suite: suite) var next: Theme? = .dark
        @PDefaults("deep", suite: suite) var deep: Direction??
        @PDefaults("deeper", suite: suite) var deeper: Theme?? = .some(.dark)
        direction = .south
        theme = .dark
        heading = .east
        next = .light
        deep = .west
        deeper = .light
        #expect(
            suite.storedValues == [
                "direction": 2, "theme": "dark", "heading": 3, "next": "light", "deep": 1, "deeper": "light",
            ]
        )
        heading = nil
        next = nil
        deep = .some(nil)
        deeper = .some(nil)
        #expect(heading == nil && next == .dark && deep == Direction??.none && deeper == .dark)
        #expect(suite.storedValues == ["direction": 2, "theme": "dark"])
    }

    @Test("Native types are also read from JSON of other programs")
    func formsOfTheOriginal() {
        suite.set(.data(Data("true".utf8)), forKey: "flag")
        suite.set(.data(Data(#""dark""#.utf8)), forKey: "theme")
        suite.set(.data(Data("[true,false]".utf8)), forKey: "flags")
        suite.set(.data(Data(#""https://example.org""#.utf8)), forKey: "address")
        @PDefaults("flag", suite: suite) var flag = false
        @PDefaults("theme", suite: suite) var theme = Theme.light
        @PDefaults("flags", suite: suite) var flags: [Bool] = []
        @PDefaults("address", suite: suite) var address: URL?
        #expect(flag && theme == .dark && flags == [true, false])
        #expect(address == URL(string: "https://example.org"))
    }

    @Test("A number is read as another type of number only if it is exactly the same")
    func numbers() throws {
        func read<Value: PropertyListConvertible>(_ stored: PropertyListValue, _ start: Value) throws -> Value
        {
            suite.set(stored, forKey: "n")
            let property = PDefaults(wrappedValue: start, "n", suite: suite, register: false)
            return try property.get()
        }
        #expect(try read(2.0, Int(0)) == 2)
        #expect(try read(2, Double(0)) == 2.0)
        #expect(try read(1, Bool(false)))
        #expect(try read(12.5, Decimal(1)) == Decimal(string: "12.5"))
        #expect(try read(0.1, Decimal(1)) == Decimal(string: "0.1"))
        #expect(throws: PDefaultsError.self) { try read(1e300, Decimal(1)) }
        #expect(try read(.integer(PropertyListInteger(UInt64.max)), Decimal(1)) == Decimal(UInt64.max))
        #expect(throws: PDefaultsError.self) { try read(.real(.infinity), Decimal(1)) }
        #expect(throws: PDefaultsError.self) { try read(2.5, 0) }
        #expect(throws: PDefaultsError.self) { try read(300, UInt8(0)) }
        #expect(throws: PDefaultsError.self) { try read(-1, UInt64(0)) }
        #expect(throws: PDefaultsError.self) { try read(2, false) }
        #expect(throws: PDefaultsError.self) { try read(.real(.nan), 0) }
        #expect(throws: PDefaultsError.self) { try read(true, 0) }
    }

    @Test("A program's type is stored in the form that it chooses, even if it is Codable")
    func convertible() {
        @PDefaults("v", suite: suite) var vector = SIMD2(1, 2)
        @PDefaults("maybe", suite: suite) var maybe: SIMD2<Int>?
        vector.y = 5
        maybe = vector
        #expect(suite.storedValues == ["v": ["x": 1, "y": 5], "maybe": ["x": 1, "y": 5]])
        #expect(vector == SIMD2(1, 5) && maybe == SIMD2(1, 5))
    }

    @Test("A type with its own form and a raw value is stored in its own form")
    func convertibleAndRaw() {
        @PDefaults("level", suite: suite) var level = Level.low
        @PDefaults("maybe", suite: suite) var maybe: Level?
        level = .high
        maybe = .low
        #expect(suite.storedValues == ["level": ["high"], "maybe": ["low"]])
    }

    @Test("Text that only begins like a value, and a number outside of the type, show the default")
    func almost() {
        let suite = SettingsSuite.inMemory([
            "decimal": "12abc", "float": 1e300, "whole": "-1.5e3", "direction": 7,
        ])
        @PDefaults("decimal", suite: suite) var decimal: Decimal = 1
        @PDefaults("float", suite: suite) var float: Float = 1
        @PDefaults("whole", suite: suite) var whole: Decimal = 1
        @PDefaults("direction", suite: suite) var direction: Direction? = .west
        #expect(decimal == 1 && float == 1 && whole == -1500 && direction == .west)
        #expect(throws: PDefaultsError.self) { try _whole.set(.nan) }
        #expect(whole == -1500)
    }

    @Test("JSON of a raw value is read even if the type is not Codable, and null is nil")
    func storedAsJSON() {
        let suite = SettingsSuite.inMemory([
            "direction": .data(Data("2".utf8)), "count": .data(Data("null".utf8)),
        ])
        @PDefaults("direction", suite: suite) var direction = Direction.north
        @PDefaults("count", suite: suite) var count: Int? = 4
        #expect(direction == .south && count == 4)
        #expect(_count.current.state == .default)
    }

    @Test(
        "Without a key, a value of any type lives in memory and is published",
        arguments: [PDefaultsBehavior.didSet, .willSet]
    )
    func inMemory(_ behavior: PDefaultsBehavior) {
        final class Anything {
            let number: Int
            init(_ number: Int) { self.number = number }
        }
        @PDefaults(behavior: behavior) var thing = Anything(1)
        @PDefaults var name: String? = "Pitt"
        let record = Record<[Int]>()
        let subscription = $thing.sink { [_thing] in record.add([$0.number, _thing.wrappedValue.number]) }
        thing = Anything(2)
        #expect(record.entries == [[1, 1], behavior == .didSet ? [2, 2] : [2, 1]])
        #expect(thing.number == 2)
        name = nil
        #expect(name == "Pitt")
        _thing.reset()
        #expect(thing.number == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test("Without a key, an optional needs no initial value")
    func optionalsInMemory() {
        final class Panel {
            @PDefaults var first: Int?
            @PDefaults(behavior: .willSet) var second: String?
        }
        struct Row {
            @PDefaults var third: Int?
        }
        @PDefaults var fourth: Int?
        let (panel, row) = (Panel(), Row())
        #expect(panel.first == nil && panel.second == nil && row.third == nil && fourth == nil)
        (panel.first, panel.second, row.third, fourth) = (1, "b", 3, 4)
        #expect(panel.first == 1 && panel.second == "b" && row.third == 3 && fourth == 4)
    }

    @Test("The initializer of a structure can give a property another default")
    func memberwise() {
        let game = Game(playerCount: 7)
        #expect(game.playerCount == 7)
        game.playerCount = 8
        #expect(Game().playerCount == 8)
    }
}

private struct Game {
    static let suite = SettingsSuite.inMemory()

    @PDefaults("players", suite: Game.suite) var playerCount = 3
}

extension SIMD2: PropertyListConvertible where Scalar == Int {
    public func propertyListForm() -> [String: Int] { ["x": x, "y": y] }

    public init?(propertyListForm form: [String: Int]) {
        guard let x = form["x"], let y = form["y"] else { return nil }
        self.init(x: x, y: y)
    }
}

private enum Level: Int, Codable, PropertyListConvertible {
    case low, high

    func propertyListForm() -> [String] { [self == .low ? "low" : "high"] }

    init?(propertyListForm form: [String]) { self = form == ["low"] ? .low : .high }
}
