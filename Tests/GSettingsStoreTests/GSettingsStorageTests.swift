#if GSettings
import CGio
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@testable import GSettingsStore

/// The schemas of these tests, in a folder of their own. The values are in the memory of the process.
enum TestDesktop {
    static let types = [
        "b", "y", "n", "q", "i", "u", "x", "t", "h", "d", "s", "o", "g", "ay", "v", "as", "ai", "aay", "av",
        "a{ss}", "a{sv}",
        "a{sai}", "aa{sv}", "(ss)", "a(ss)", "ms", "mmi", "a{is}", "a{s(ii)}", "(ybnd)", "a{sms}", "mv",
    ]

    static let schemas: String = {
        let anything = (1...60).map { #"<key name="k\#($0)" type="v"><default>&lt;''&gt;</default></key>"# }
        return """
            <schemalist>
            <enum id="org.example.Colour"><value nick="red" value="0"/><value nick="green" value="1"/></enum>
            <flags id="org.example.Sides"><value nick="left" value="1"/><value nick="right" value="2"/></flags>
            <schema id="org.example.Rules">\(anything.joined())</schema>
            <schema id="org.example.Fixed" path="/org/example/fixed/">
            <key name="colour" enum="org.example.Colour"><default>'red'</default>
            <summary>Colour</summary>
            <description>The colour of everything.</description></key>
            <key name="sides" flags="org.example.Sides"><default>['left']</default></key>
            <key name="volume" type="i"><range min="0" max="11"/><default>5</default></key>
            <key name="word" type="s"><choices><choice value="a"/><choice value="b"/></choices>
            <default>'a'</default></key>
            <key name="path" type="o"><default>'/'</default></key>
            <key name="pairs" type="a(ss)"><default>[]</default></key>
            <key name="map" type="a{si}"><default>{}</default></key>
            <key name="rules-paths" type="as"><default>[]</default></key>
            </schema>
            <schema id="org.example.Fixed.Child">
            <key name="on" type="b"><default>false</default></key></schema>
            </schemalist>
            """
    }()

    /// Compiles the schemas into a new folder.
    static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(schemas, to: "org.example.gschema.xml")
        let result = try run("glib-compile-schemas", ["--strict", folder.path])
        if result.ending != .exit(0) { throw HarnessError(result.errors) }
        return folder
    }

    /// GLib reads these variables when it is first used.
    private static let environment: TemporaryFolder? = {
        let made = try? folder()
        if let made { setenv("GSETTINGS_SCHEMA_DIR", made.path, 1) }
        setenv("GSETTINGS_BACKEND", "memory", 1)
        return made
    }()

    static func suite(_ name: String) throws -> SuiteName {
        _ = environment
        return try DesktopSettings.gsettings.suiteName(name)
    }

    static func storage(_ name: String) throws -> GSettingsStorage { GSettingsStorage(try suite(name)) }
}

private let packageFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

@Suite("The desktop's settings")
struct GSettingsStorageTests {
    @Test("A schema keeps the rules of every storage", arguments: StorageConformance.allCases)
    func rule(_ rule: StorageConformance) throws {
        let name = try TestDesktop.suite("org.example.Rules:/org/example/\(rule.rawValue)/")
        try rule.check(within: waitLimit, keys: (1...60).map { "k\($0)" }) { GSettingsStorage(name) }
    }

    @Test("The declarations of GLib's functions are those of GLib's headers")
    func header() throws {
        let folder = try TemporaryFolder()
        let header = packageFolder + "/Sources/CGio/include/CGio.h"
        let both = """
            #define G_SETTINGS_ENABLE_BACKEND
            #include <gio/gio.h>
            #include <gio/gsettingsbackend.h>
            #include "\(header)"
            """
        try folder.write(both, to: "both.c")
        let flags = try run("pkg-config", ["--cflags", "gio-2.0"]).output.split(
            whereSeparator: \.isWhitespace
        )
        let result = try run(
            "clang",
            ["-fsyntax-only", "-Wall", "-Wextra", "-Werror"] + flags.map { String($0) } + [
                folder.file("both.c")
            ]
        )
        #expect(result.ending == .exit(0), "\(result.errors)")
    }

    @Test("Every value of every type is the same after it was read and written", arguments: TestDesktop.types)
    func roundTrip(_ type: String) throws {
        var random = SeededGenerator(seed: 46)
        for _ in 0..<300 {
            let text = gvariantText(of: type, &random, depth: 0)
            let variant = try Variant(parsing: text, as: type)
            let value = VariantType(type).value(of: variant)
            let written = try VariantType(type).variant(of: value, type: type)
            #expect(VariantType(type).value(of: written) == value || text.contains("nan"), "\(text)")
            // Only the order of a dictionary's keys is lost, and an equal value is not written.
            if !type.contains("{"), !text.contains("{"), !text.contains("nan") {
                #expect(written == variant, "\(text)")
            }
        }
    }

    @Test("A schema declares titles, limits, choices and defaults")
    func declarations() throws {
        let schema = try #require(try TestDesktop.storage("org.example.Fixed").schemaPlace).read()
        let colour = try #require(schema.declarations["colour"])
        #expect(colour.title == "Colour")
        #expect(colour.help == "The colour of everything.")
        #expect(colour.cases.map(\.value) == ["red", "green"])
        #expect(colour.defaultValue == "red")
        #expect(schema.declarations["word"]?.cases.map(\.value) == ["a", "b"])
        #expect(schema.declarations["volume"]?.limitsText == "0 to 11")
        #expect(schema.declarations["sides"]?.problem(with: ["left", "right"]) == nil)
        #expect(schema.declarations["sides"]?.problem(with: ["top"]) != nil)
        #expect(schema.declarations["pairs"]?.help?.contains("a(ss)") == true)
    }

    @Test(
        "A value that the schema does not allow is refused before it is written",
        arguments: [
            ("colour", "blue"), ("sides", ["top"]), ("volume", 12), ("volume", "loud"), ("word", "c"),
            ("path", "x"),
            ("pairs", "[('a', 1)]"), ("pairs", "[("), ("map", ["a": "b"]), ("missing", 1),
        ] as [(String, PropertyListValue)]
    )
    func refusals(_ key: String, _ value: PropertyListValue) throws {
        var storage = try TestDesktop.storage("org.example.Fixed")
        #expect(throws: SettingsError.self) {
            try storage.update { _ in StorageWrite(changes: [key: value]) }
        }
        #expect(storage.refusal(of: value, forKey: key) != nil)
    }

    @Test(
        "A suite that cannot exist says what is missing",
        arguments: [
            ("org.example.Missing", "no schema “org.example.Missing” is installed"),
            ("org.example.Rules", "relocatable"), ("org.example.Fixed:/other/", "/org/example/fixed/"),
        ]
    )
    func absent(_ name: String, _ reason: String) throws {
        var storage = try TestDesktop.storage(name)
        let error = #expect(throws: SettingsError.self) { try storage.read() }
        #expect("\(try #require(error))".contains(reason))
    }

    @Test(
        "A path is refused that is no path of GSettings",
        arguments: ["a:", "a:b", "a:/", "a:/b", "a:/b//c/", "a:/../b/"]
    )
    func paths(_ name: String) {
        #expect(throws: SuiteNameError.self) { try TestDesktop.suite(name) }
    }

    @Test("A property reads the schema's default, and is told of a change by another part of the program")
    func property() throws {
        _ = try TestDesktop.suite("org.example.Fixed")
        let suite = try SettingsSuite(named: "org.example.Fixed", in: .gsettings)
        #expect(suite.value(forKey: "colour") == "red")
        let other = SettingsSuite(try TestDesktop.storage("org.example.Fixed"))
        let changes = Mutex<[PropertyListValue?]>([])
        let (_, observation) = suite.observe("colour") { change in
            changes.withLock { $0.append(change.new) }
        }
        other.set("green", forKey: "colour")
        try other.synchronize()
        #expect(eventually { changes.withLock { $0.last } == "green" })
        other.set(nil, forKey: "colour")
        try other.synchronize()
        #expect(eventually { suite.value(forKey: "colour") == "red" })
        withExtendedLifetime(observation) {}
    }

    @Test("The same value in another order is not written")
    func sameValue() throws {
        var storage = try TestDesktop.storage("org.example.Fixed")
        try storage.update { _ in StorageWrite(changes: ["map": "{'b': 1, 'a': 2}"]) }
        var other = try TestDesktop.storage("org.example.Fixed")
        try other.update { _ in StorageWrite(changes: ["map": ["a": 2, "b": 1]]) }
        let name = try TestDesktop.suite("org.example.Fixed")
        let text = try GLibThread.run { () throws(SettingsError) in
            try DesktopSuite.named(name).userValue("map")?.text
        }
        #expect(text == "{'b': 1, 'a': 2}")
        try other.update { _ in StorageWrite(changes: ["map": nil]) }
    }

    @Test("Every key of the installed schemas reads, takes another legal value and resets")
    func installedSchemas() throws {
        _ = try TestDesktop.suite("org.example.Fixed")
        let names = try DesktopSettings.gsettings.suiteNames()
        #expect(names.contains { $0.rawValue == "org.gnome.desktop.interface" })
        for name in names {
            var storage = GSettingsStorage(name)
            _ = try storage.read()
            for (key, declaration) in try #require(storage.schemaPlace).read().declarations {
                let standard = try #require(declaration.defaultValue)
                #expect(declaration.problem(with: standard) == nil, "\(name) \(key)")
                guard let value = declaration.otherValue else { continue }
                #expect(storage.refusal(of: value, forKey: key) == nil, "\(name) \(key) \(value)")
                try storage.update { _ in StorageWrite(changes: [key: value]) }
                var other = GSettingsStorage(name)
                guard case .all(let values) = try other.read().difference else { continue }
                #expect(values[key] == value, "\(name) \(key)")
                try storage.update { _ in StorageWrite(changes: [key: nil]) }
                #expect(
                    storage.refusal(of: .date(Date()), forKey: key) != nil || declaration.shape == .anything
                )
            }
        }
    }
}

extension SettingDeclaration {
    /// A value that differs from the default; nil if this test knows none.
    fileprivate var otherValue: PropertyListValue? {
        if let other = cases.map(\.value).first(where: { $0 != defaultValue }) { return other }
        switch shape {
        case .boolean: return defaultValue == true ? false : true
        case .integer(let bounds):
            let limits = [bounds.lower, bounds.upper].compactMap(\.self)
            return limits.map { .integer($0) }.first { $0 != defaultValue }
        case .real(let bounds): return .real(bounds.lower ?? 1.5)
        case .string where help?.contains("GVariant") != true: return "/another/value"
        case .array(.string): return ["one", "two"]
        default: return defaultValue
        }
    }
}

/// Random GVariant text of a type.
private func gvariantText(of type: String, _ random: inout SeededGenerator, depth: Int) -> String {
    var rest = type[...]
    return text(&rest, &random, depth)

    func element(_ rest: inout Substring) -> Substring {
        let start = rest
        skip(&rest)
        return start[..<rest.startIndex]
    }
    func skip(_ rest: inout Substring) {
        switch rest.removeFirst() {
        case "a", "m": skip(&rest)
        case "(", "{":
            while rest.first != ")", rest.first != "}" { skip(&rest) }
            rest.removeFirst()
        default: break
        }
    }
    func integer<Number: FixedWidthInteger>(_: Number.Type, _ random: inout SeededGenerator) -> String {
        let any = Number.random(in: .min ... .max, using: &random)
        return "\([Number.min, .max, 0, any].randomElement(using: &random) ?? 0)"
    }
    func text(_ rest: inout Substring, _ random: inout SeededGenerator, _ depth: Int) -> String {
        switch rest.removeFirst() {
        case "b": return Bool.random(using: &random) ? "true" : "false"
        case "y": return integer(UInt8.self, &random)
        case "n": return integer(Int16.self, &random)
        case "q": return integer(UInt16.self, &random)
        case "i", "h": return integer(Int32.self, &random)
        case "u": return integer(UInt32.self, &random)
        case "x": return integer(Int64.self, &random)
        case "t": return integer(UInt64.self, &random)
        case "d":
            let number = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
            return number.isFinite ? "\(number)" : "inf"
        case "s":
            let texts = ["''", "'a'", "'<b>'", "\"<'c'>\"", "'ä\\n\\u2603'", "'<uint32 5>'"]
            return texts.randomElement(using: &random) ?? ""
        case "o": return ["'/'", "'/a/b'"].randomElement(using: &random) ?? ""
        case "g": return ["''", "'a{sv}'"].randomElement(using: &random) ?? ""
        case "v":
            let types = depth > 2 ? ["s", "x", "u"] : TestDesktop.types
            let inner = types.randomElement(using: &random) ?? "s"
            return "<@\(inner) \(gvariantText(of: inner, &random, depth: depth + 1))>"
        case "m":
            let type = element(&rest)
            var inner = type
            return Bool.random(using: &random) ? "nothing" : "just \(text(&inner, &random, depth))"
        case "(":
            var parts: [String] = []
            while rest.first != ")" { parts.append(text(&rest, &random, depth)) }
            rest.removeFirst()
            return "(\(parts.joined(separator: ", ")))"
        case "a" where rest.first == "{":
            rest.removeFirst()
            let key = element(&rest)
            let value = element(&rest)
            rest.removeFirst()
            let entries = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                var (k, v) = (key, value)
                return "\(text(&k, &random, depth)): \(text(&v, &random, depth))"
            }
            return "{\(entries.joined(separator: ", "))}"
        default:
            let type = element(&rest)
            let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                var inner = type
                return text(&inner, &random, depth)
            }
            return "[\(elements.joined(separator: ", "))]"
        }
    }
}
#endif
