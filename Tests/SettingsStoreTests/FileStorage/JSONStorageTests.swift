import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Suites in JSON files")
struct JSONStorageTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/settings.json" }

    init() throws { folder = try TemporaryFolder() }

    private var text: String {
        get throws { String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self) }
    }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    @Test("A suite changes the member that was set, and no other byte")
    func edit() throws {
        try write("{\n  // The look\n  \"theme\": \"dark\", // or light\n  \"size\": 14.0\n}\n")
        let suite = SettingsSuite(file: path)
        #expect(suite.storedValues == ["theme": "dark", "size": 14.0])
        suite.set("light", forKey: "theme")
        suite.set(14, forKey: "size")
        suite.set(nil, forKey: "nothing")
        try suite.synchronize()
        #expect(try text == "{\n  // The look\n  \"theme\": \"light\", // or light\n  \"size\": 14.0\n}\n")
    }

    @Test(
        "A new file is JSON if its name says so",
        arguments: ["settings.json", "settings.jsonc", "S.JSON", "é.Jsonc"]
    )
    func newFile(name: String) throws {
        let path = folder.path + "/" + name
        let suite = SettingsSuite(file: path)
        suite.set(["width": 120], forKey: "window")
        try suite.synchronize()
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(text == "{\n  \"window\": {\n    \"width\": 120\n  }\n}\n")
    }

    @Test("An empty object stays JSON, and a property list with this name stays a property list")
    func emptyAndOther() throws {
        try write("{}")
        let suite = SettingsSuite(file: path)
        suite.set(1, forKey: "a")
        try suite.synchronize()
        #expect(try text == "{\n  \"a\": 1\n}")
        let other = folder.path + "/list.json"
        try Data(try PropertyListValue.dictionary(["a": 1]).encoded(as: .xml)).write(to: URL(filePath: other))
        let list = SettingsSuite(file: other)
        list.set(2, forKey: "a")
        try list.synchronize()
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: other)))
        #expect(try PropertyListDocument.read(bytes).document.format == .xml)
    }

    @Test("A damaged file is never replaced")
    func damaged() throws {
        try write("{\"a\": 1,, \"b\": 2}")
        let suite = SettingsSuite(file: path)
        suite.set(1, forKey: "c")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(try text == "{\"a\": 1,, \"b\": 2}")
        // It is stored once the file was mended.
        try write("{\"a\": 1, \"b\": 2}")
        try suite.synchronize()
        #expect(try text == "{\"a\": 1, \"b\": 2, \"c\": 1}")
    }

    @Test("A change by another program arrives, and unchanged members are not reported")
    func foreignChange() throws {
        try write("{\"a\": 1, \"b\": {\"c\": [1, 2]}}")
        let suite = SettingsSuite(file: path)
        let changes = Recorder<Change>()
        let observation = suite.observe { event in
            if case .change(let change) = event { changes.note(change) }
        }
        try write("{\n  \"b\": {\"c\": [1, 3]},\n  \"a\": 1\n}")
        #expect(eventually { !changes.all.isEmpty })
        #expect(changes.all.map(\.key) == ["b"])
        #expect(changes.all.first?.new == ["c": [1, 3]])
        withExtendedLifetime(observation) {}
    }

    @Test("A value that JSON can't hold is refused, and the others are stored")
    func refused() throws {
        let suite = SettingsSuite(file: path)
        suite.set(.real(.infinity), forKey: "a")
        suite.set(1, forKey: "b")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        try suite.synchronize()
        #expect(suite.storedValues == ["b": 1])
        #expect(try text == "{\n  \"b\": 1\n}\n")
    }

    @Test("Dates and data are texts, in memory as in the file")
    func texts() throws {
        let suite = SettingsSuite(file: path)
        suite.set(.date(Date(timeIntervalSince1970: 0)), forKey: "date")
        suite.set(.data(Data("hi".utf8)), forKey: "data")
        #expect(suite.storedValues == ["date": "1970-01-01T00:00:00Z", "data": "aGk="])
        try suite.synchronize()
        #expect(SettingsSuite(FileStorage(path: path)).storedValues == suite.storedValues)
    }

    @Test("A name has one file: the property list if there are both")
    func oneFile() throws {
        let place = SettingsFolder(path: folder.path)
        let name = try SuiteName("app")
        #expect(place.filePath(of: name).hasSuffix("/app.plist"))
        #expect(place.filePath(of: name, format: .json).hasSuffix("/app.json"))
        try Data("{}".utf8).write(to: URL(filePath: folder.path + "/app.json"))
        #expect(place.filePath(of: name).hasSuffix("/app.json"))
        #expect(try place.suiteNames() == [name])
        try Data("<plist><dict/></plist>".utf8).write(to: URL(filePath: folder.path + "/app.plist"))
        #expect(place.filePath(of: name, format: .json).hasSuffix("/app.plist"))
        #expect(try place.suiteNames() == [name])
        #expect(SuiteName(fileName: "app.schema.json") == nil)
    }

    @Test("A link, the mode and the owner of the file stay")
    func link() throws {
        let target = folder.path + "/real.json"
        try Data("{\"a\": 1}".utf8).write(to: URL(filePath: target))
        chmod(target, 0o640)
        try folder.link("settings.json", to: "real.json")
        let suite = SettingsSuite(file: path)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(folder.target(ofLink: "settings.json") == "real.json")
        var info = stat()
        #expect(stat(target, &info) == 0 && info.st_mode & 0o777 == 0o640)
        #expect(try text == "{\"a\": 2}")
    }

    @Test("Of two members with one name, the last one counts, is changed, and both are removed")
    func twins() throws {
        try write("{\"a\": 1, \"b\": 0, \"a\": 2}")
        let suite = SettingsSuite(file: path)
        #expect(suite.storedValues == ["a": 2, "b": 0])
        suite.set(3, forKey: "a")
        try suite.synchronize()
        #expect(try text == "{\"a\": 1, \"b\": 0, \"a\": 3}")
        suite.set(nil, forKey: "a")
        try suite.synchronize()
        #expect(try text == "{\"b\": 0}")
    }

    @Test("Declarations speak of the types that a program uses, and accept their forms in JSON")
    func declarations() throws {
        let schema = SuiteSchema([
            "date": SettingDeclaration(.date(), defaultValue: .date(Date(timeIntervalSince1970: 0))),
            "data": SettingDeclaration(.data), "window": SettingDeclaration(.json),
            "count": SettingDeclaration(.integer(Bounds(0...10))),
            "name": SettingDeclaration(.optional(.string())),
        ])
        try SchemaFile(besideSuite: path).merge(schema)
        let read = try SchemaFile(besideSuite: path).read()
        #expect(read.declarations["date"]?.defaultValue == "1970-01-01T00:00:00Z")
        for (key, value) in [
            ("date", "2024-05-01T10:20:30Z"), ("data", "aGk="), ("window", ["width": 1]), ("window", .null),
            ("count", 5),
            ("name", .null), ("count", .number("1e1")),
        ] as [(String, PropertyListValue)] {
            #expect(throws: Never.self) { try read.validate(value, forKey: key) }
        }
        for (key, value) in [
            ("date", "soon"), ("date", .null), ("data", "?"), ("count", 11), ("count", .number("1e2")),
            ("count", "5"), ("count", .null), ("name", 1),
        ] as [(String, PropertyListValue)] {
            #expect(throws: InvalidValueError.self, "\(key) \(value)") {
                try read.validate(value, forKey: key)
            }
        }
    }
}
