import Foundation
import PDefaults
import Testing

@Suite("The methods of UserDefaults", .timeLimit(.minutes(60)))
struct UserDefaultsAPITests {
    let suite = SettingsSuite.inMemory()

    @Test("object(forKey:) gives the natural Swift type")
    func objects() {
        suite.set(
            [
                "flag": true, "number": 1, "large": .integer(PropertyListInteger(UInt64.max)), "real": 1.5,
                "text": "a", "list": [1, "b"], "entries": ["a": [true]],
            ],
            forKey: "all"
        )
        let all = suite.dictionary(forKey: "all")
        #expect(all?["flag"] as? Bool == true)
        #expect(all?["number"] as? Int == 1)
        #expect(all?["large"] as? UInt64 == .max)
        #expect(all?["real"] as? Double == 1.5)
        #expect(all?["text"] as? String == "a")
        #expect((all?["list"] as? [Any])?.first as? Int == 1)
        #expect((all?["entries"] as? [String: [Bool]]) == ["a": [true]])
        #expect(suite.object(forKey: "none") == nil)
    }

    @Test("Every value that a property list can contain can be set, Foundation's objects and optionals too")
    func setting() {
        let number: Int? = 4
        let missing: Int? = nil
        suite.set(["a", 1, 2.5, true, Date(timeIntervalSince1970: 0), Data([1])] as [Any], forKey: "list")
        suite.set(["a": ["b": 1]] as [String: Any], forKey: "entries")
        suite.set(number, forKey: "number")
        suite.set("x", forKey: "gone")
        suite.set(missing, forKey: "gone")
        suite.set(missing as Any, forKey: "gone too")
        suite.set(URL(string: "https://example.org"), forKey: "address")
        suite.set(NSNumber(value: true), forKey: "ns flag")
        suite.set(NSNumber(value: 7), forKey: "ns number")
        suite.set(NSNumber(value: 0.5), forKey: "ns real")
        suite.set(NSString(string: "s"), forKey: "ns text")
        suite.set(NSArray(array: [1, "a"]), forKey: "ns list")
        suite.set(Direction.west, forKey: "direction")
        suite.set(encoding: Point(x: 1, y: 2), forKey: "point")
        #expect(
            suite.storedValues == [
                "list": ["a", 1, 2.5, true, .date(Date(timeIntervalSince1970: 0)), .data(Data([1]))],
                "entries": ["a": ["b": 1]], "number": 4, "address": "https://example.org",
                "ns flag": true, "ns number": 7, "ns real": 0.5, "ns text": "s", "ns list": [1, "a"],
                "direction": 1, "point": .data(Data(#"{"x":1,"y":2}"#.utf8)),
            ]
        )
        #expect(suite.rawRepresentable(forKey: "direction") == Direction.west)
        #expect(suite.decodable(forKey: "point") == Point(x: 1, y: 2))
        #expect(suite.convertible(forKey: "address") == URL(string: "https://example.org"))
        suite.removeObject(forKey: "list")
        #expect(suite.object(forKey: "list") == nil)
    }

    @Test("set stores a value as a property stores it")
    func asProperties() {
        enum Plain: String { case a }
        let frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        let transform = AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6)
        suite.set(Point(x: 1, y: 2), forKey: "point")
        suite.set([Point(x: 1, y: 2)], forKey: "points")
        suite.set(Plain.a as Any, forKey: "plain")
        suite.set(Theme.dark as Any, forKey: "theme")
        suite.set(CGFloat(1.5), forKey: "float")
        suite.set(frame.origin, forKey: "origin")
        suite.set(frame.size, forKey: "size")
        suite.set(frame, forKey: "frame")
        suite.set(transform, forKey: "transform")
        @PDefaults("point", suite: suite) var point: Point?
        @PDefaults("points", suite: suite) var points: [Point] = []
        @PDefaults("plain", suite: suite) var plain: Plain?
        @PDefaults("theme", suite: suite) var theme: Theme?
        @PDefaults("frame", suite: suite) var stored: CGRect?
        #expect(point == Point(x: 1, y: 2) && points == [Point(x: 1, y: 2)])
        #expect(plain == .a && theme == .dark && stored == frame)
        #expect(suite.storedValue(forKey: "theme") == "dark")
        #expect(suite.cgFloat(forKey: "float") == 1.5)
        #expect(suite.cgPoint(forKey: "origin") == frame.origin)
        #expect(suite.cgSize(forKey: "size") == frame.size)
        #expect(suite.cgRect(forKey: "frame") == frame)
        #expect(suite.affineTransform(forKey: "transform") == transform)
        #expect(suite.cgFloat(forKey: "none") == 0 && suite.cgPoint(forKey: "none") == .zero)
        #expect(suite.cgSize(forKey: "none") == .zero && suite.cgRect(forKey: "none") == .zero)
        #expect(suite.affineTransform(forKey: "none") == .identity)
    }

    @Test("A value that a property list can't contain is refused and changes nothing")
    func refusal() async {
        struct Unknown {}
        let errors = PDefaultsConfiguration.errors
        let key = "\(UUID())"
        var deep: Any = 1
        for _ in 0..<1000 { deep = [deep] }
        suite.set(1, forKey: key)
        for value in [Unknown(), NSNull(), [Unknown()], ["a": Int?.none as Any], deep] as [Any] {
            suite.set(value, forKey: key)
        }
        suite.register(defaults: [key: Unknown()])
        #expect(suite.storedValue(forKey: key) == 1)
        var count = 0
        for await error in errors where error.key == key {
            #expect(error.problem == .unencodable)
            count += 1
            if count == 6 { break }
        }
    }

    struct Conversion: Sendable {
        let stored: PropertyListValue
        var text: String?
        var flag = false
        var integer = 0
        var real = 0.0
    }

    @Test(
        "Numbers, Booleans and strings are converted as Apple documents",
        arguments: [
            Conversion(stored: true, text: "1", flag: true, integer: 1, real: 1),
            Conversion(stored: false, text: "0"),
            Conversion(stored: 12, text: "12", flag: true, integer: 12, real: 12),
            Conversion(stored: 0, text: "0"),
            Conversion(stored: -2.9, text: "-2.9", flag: true, integer: -2, real: -2.9),
            Conversion(stored: .real(.nan), text: "nan", flag: true, real: .nan),
            Conversion(stored: 1e300, text: "1e+300", flag: true, integer: .max, real: 1e300),
            Conversion(
                stored: .integer(PropertyListInteger(UInt64.max)),
                text: "18446744073709551615",
                flag: true,
                integer: .max,
                real: 0x1p64
            ),
            Conversion(stored: "YES", text: "YES", flag: true),
            Conversion(stored: " -0true", text: " -0true", flag: true, real: -0.0),
            Conversion(stored: "no", text: "no"),
            Conversion(stored: "42 apples", text: "42 apples", flag: true, integer: 42, real: 42),
            Conversion(stored: "3.75", text: "3.75", flag: true, integer: 3, real: 3.75),
            Conversion(
                stored: "99999999999999999999",
                text: "99999999999999999999",
                flag: true,
                integer: .max,
                real: 1e20
            ),
            Conversion(stored: [1]),
        ]
    )
    func conversions(_ conversion: Conversion) {
        suite.set(conversion.stored, forKey: "x")
        #expect(suite.string(forKey: "x") == conversion.text)
        #expect(suite.bool(forKey: "x") == conversion.flag)
        #expect(suite.integer(forKey: "x") == conversion.integer)
        let real = suite.double(forKey: "x")
        #expect(real == conversion.real || (real.isNaN && conversion.real.isNaN))
    }

    @Test("Arrays, data and URLs are returned if the value is one")
    func others() {
        suite.set(["a", "b"], forKey: "texts")
        suite.set(["a", 1], forKey: "mixed")
        suite.set(.data(Data([1])), forKey: "data")
        suite.set("https://example.org", forKey: "address")
        suite.set("/tmp/a b", forKey: "path")
        #expect(suite.stringArray(forKey: "texts") == ["a", "b"])
        #expect(suite.stringArray(forKey: "mixed") == nil)
        #expect(suite.array(forKey: "mixed")?.count == 2)
        #expect(suite.array(forKey: "data") == nil)
        #expect(suite.data(forKey: "data") == Data([1]))
        #expect(suite.url(forKey: "address")?.host == "example.org")
        #expect(suite.url(forKey: "path") == URL(fileURLWithPath: "/tmp/a b"))
        #expect(suite.url(forKey: "data") == nil)
    }

    @Test("Registered defaults are read, never stored, and part of the dictionary")
    func registering() {
        suite.register(defaults: ["name": "Pitt", "count": 3])
        suite.register(Theme.dark, forKey: "theme")
        suite.register(CGPoint(x: 1, y: 2), forKey: "origin")
        suite.set(4, forKey: "count")
        #expect(suite.rawRepresentable(forKey: "theme") == Theme.dark)
        #expect(suite.cgPoint(forKey: "origin") == CGPoint(x: 1, y: 2))
        #expect(suite.string(forKey: "name") == "Pitt")
        #expect(suite.integer(forKey: "count") == 4)
        let all = suite.dictionaryRepresentation()
        #expect(all["name"] as? String == "Pitt" && all["count"] as? Int == 4)
        #expect(suite.storedValues == ["count": 4])
        @PDefaults("name", suite: suite) var name: String?
        #expect(name == "Pitt")
    }
}
