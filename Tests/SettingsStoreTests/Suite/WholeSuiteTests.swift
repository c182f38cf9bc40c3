import Foundation
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Testing

@testable import SettingsStore

@Suite("Suites are created and removed completely")
struct WholeSuiteTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var text: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <!-- the second before the first -->
          <key>b</key><real>1.50</real>
          <key>a</key><integer>1</integer>
        </dict>
        </plist>

        """
    }

    private func suite(_ name: String = "suite") -> SettingsSuite {
        var storage = FileStorage(path: folder.file("\(name).plist"))
        storage.keepsSpellings = true
        return SettingsSuite(storage, scheduler: ManualScheduler())
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("\(name).plist"))))
    }

    private func mode(_ name: String) throws -> UInt32 {
        try #require(try LiveFileSystem().stat(folder.file("\(name).plist"))).mode & 0o777
    }

    @Test("A removed suite has no file, and is created again byte for byte, with its mode")
    func removing() throws {
        try folder.write(bytes: Array(text.utf8))
        #expect(chmod(folder.suitePath, 0o640) == 0)
        let suite = suite()
        try suite.remove(expecting: ["a": 1, "b": 1.5], origin: .set(by: nil))
        #expect(!FileManager.default.fileExists(atPath: folder.suitePath))
        #expect(suite.status.content == .absent)
        #expect(suite.storedValues.isEmpty)
        try suite.make(["a": 1, "b": 1.5], like: nil, origin: .set(by: nil))
        #expect(try bytes("suite") == Array(text.utf8))
        #expect(try mode("suite") == 0o640)
        #expect(suite.status.content == .stored)
    }

    @Test(
        "A different value, an additional key or a missing key is a conflict, and nothing is removed",
        arguments: [["a": 2, "b": 1.5], ["a": 1], ["a": 1, "b": 1.5, "c": true]]
            as [[String: PropertyListValue]]
    )
    func conflicts(expected: [String: PropertyListValue]) throws {
        try folder.write(bytes: Array(text.utf8))
        let suite = suite()
        #expect(throws: SettingsError.self) {
            try suite.remove(expecting: expected, origin: .set(by: nil))
        }
        #expect(try bytes("suite") == Array(text.utf8))
        #expect(throws: SettingsError.self) { try suite.make(["z": 1], like: nil, origin: .set(by: nil)) }
        #expect(try bytes("suite") == Array(text.utf8))
    }

    @Test("A copy has the format of the original, and only the given values")
    func copying() throws {
        try folder.write(bytes: Array(text.utf8))
        let original = suite()
        try suite("same").make(["a": 1, "b": 1.5], like: original, origin: .set(by: nil))
        #expect(try bytes("same") == Array(text.utf8))
        try suite("other").make(["a": 7], like: original, origin: .set(by: nil))
        #expect(try folder.values(at: folder.file("other.plist")) == ["a": 7])
        let date = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: 0.25))
        let binary = try PropertyListValue.dictionary(["d": date]).encoded(as: .binary)
        try folder.write(bytes: binary, to: folder.file("binary.plist"))
        try suite("fine").make(["d": date], like: suite("binary"), origin: .set(by: nil))
        #expect(try bytes("fine") == binary)
        #expect(try mode("fine") == mode("binary"))
    }

    @Test("A suite without keys is created and removed too")
    func empty() throws {
        let suite = suite()
        try suite.make([:], like: nil, origin: .set(by: nil))
        #expect(try folder.values().isEmpty)
        #expect(suite.status.content == .stored)
        try suite.remove(expecting: [:], origin: .set(by: nil))
        #expect(!FileManager.default.fileExists(atPath: folder.suitePath))
        #expect(suite.status.content == .absent)
    }

    @Test("An observer of a removed suite sees each key removed, and its next set creates a new file")
    func openElsewhere() throws {
        try folder.write(bytes: Array(text.utf8))
        let other = makeSuite(folder.suitePath)
        #expect(other.storedValues.count == 2)
        try suite().remove(expecting: ["a": 1, "b": 1.5], origin: .set(by: nil))
        try other.synchronize()
        #expect(other.storedValues.isEmpty)
        #expect(other.status.content == .absent)
        #expect(!FileManager.default.fileExists(atPath: folder.suitePath))
        other.set(3, forKey: "c")
        try other.synchronize()
        #expect(try folder.values() == ["c": 3])
    }

    @Test("A read-only file is not removed")
    func readOnly() throws {
        try folder.write(bytes: Array(text.utf8))
        #expect(chmod(folder.suitePath, 0o444) == 0)
        // Root may write every file.
        guard geteuid() != 0 else { return }
        #expect(throws: SettingsError.self) {
            try suite().remove(expecting: ["a": 1, "b": 1.5], origin: .set(by: nil))
        }
        #expect(try bytes("suite") == Array(text.utf8))
    }

    /// A suite whose file is a link to another folder, with a schema beside the target.
    private func linked() throws -> (suite: SettingsSuite, target: String) {
        let place = folder.file("dotfiles")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try folder.write(bytes: Array(text.utf8), to: place + "/suite.plist")
        try Data("{}".utf8).write(to: URL(fileURLWithPath: place + "/suite.schema.json"))
        #expect(symlink("dotfiles/suite.plist", folder.suitePath) == 0)
        return (suite(), place + "/suite.plist")
    }

    private func destination(_ name: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: folder.file("\(name).plist"))
    }

    private let held: [String: PropertyListValue] = ["a": 1, "b": 1.5]

    @Test("The link of a linked suite is removed and created again, and its target does not change")
    func links() throws {
        let (suite, target) = try linked()
        try suite.remove(expecting: held, origin: .set(by: nil))
        #expect(try folder.names == ["dotfiles"])
        #expect(suite.status.content == .absent && suite.storedValues.isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data(text.utf8))
        try suite.make(held, like: nil, origin: .set(by: nil))
        #expect(destination("suite") == "dotfiles/suite.plist")
        #expect(suite.storedValues == held && suite.status.content == .stored)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(destination("suite") == "dotfiles/suite.plist")
        #expect(try folder.values(at: target) == ["a": 2, "b": 1.5])
    }

    @Test("A renamed link stays a link, and the copy of a link is a file")
    func linkRenamed() throws {
        let (old, target) = try linked()
        let new = suite("new")
        try new.make(held, like: old, asLink: true, declaredAs: old, origin: .set(by: nil))
        try old.remove(expecting: held, declaredAs: new, origin: .set(by: nil))
        #expect(destination("new") == "dotfiles/suite.plist" && destination("suite") == nil)
        #expect(new.storedValues == held)
        #expect(FileManager.default.fileExists(atPath: folder.file("dotfiles/suite.schema.json")))
        try suite("copy").make(held, like: new, declaredAs: new, origin: .set(by: nil))
        #expect(destination("copy") == nil)
        #expect(try bytes("copy") == Array(text.utf8))
        #expect(schema("copy") == Data("{}".utf8))
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data(text.utf8))
    }

    @Test(
        "A link whose target has changed is not created again; a file replaces a link whose target is missing"
    )
    func linkElsewhere() throws {
        let (suite, target) = try linked()
        try suite.remove(expecting: held, origin: .set(by: nil))
        try folder.write(bytes: Array(text.replacing(">1<", with: ">7<").utf8), to: target)
        #expect(throws: SettingsError.self) { try suite.make(held, like: nil, origin: .set(by: nil)) }
        #expect(try folder.names == ["dotfiles"])
        try FileManager.default.removeItem(atPath: target)
        try suite.make(held, like: nil, origin: .set(by: nil))
        #expect(try bytes("suite") == Array(text.utf8) && destination("suite") == nil)
    }

    @Test("A dangling link is removed too")
    func danglingLink() throws {
        #expect(symlink("nowhere.plist", folder.suitePath) == 0)
        try suite().remove(expecting: [:], origin: .set(by: nil))
        #expect(try folder.names == [])
    }

    @Test("A part of a removed suite is created again as it was written, and later all of it")
    func someOfIt() throws {
        try folder.write(bytes: Array(text.utf8))
        let suite = suite()
        try suite.remove(expecting: held, origin: .set(by: nil))
        try suite.make(["b": 1.5], like: nil, origin: .set(by: nil))
        let some = String(decoding: try bytes("suite"), as: UTF8.self)
        #expect(some.contains("<key>b</key><real>1.50</real>") && !some.contains("<key>a</key>"))
        try suite.remove(expecting: ["b": 1.5], origin: .set(by: nil))
        try suite.make(held, like: nil, origin: .set(by: nil))
        #expect(try bytes("suite") == Array(text.utf8))
    }

    @Test("A part of a linked suite is created again as a file, and all of it as the link")
    func someOfALink() throws {
        let (suite, target) = try linked()
        try suite.remove(expecting: held, origin: .set(by: nil))
        try suite.make(["b": 1.5], like: nil, origin: .set(by: nil))
        #expect(destination("suite") == nil)
        #expect(try folder.values() == ["b": 1.5])
        try suite.remove(expecting: ["b": 1.5], origin: .set(by: nil))
        try suite.make(held, like: nil, origin: .set(by: nil))
        #expect(destination("suite") == "dotfiles/suite.plist")
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data(text.utf8))
    }

    @Test(
        "A link is created and removed as a link, for any target",
        arguments: ["nowhere", "no/folder/x.plist", "suite.plist", "."]
    )
    func linkAlone(target: String) throws {
        let link = SuiteSymlink(path: folder.suitePath)
        #expect(try link.target() == nil)
        try link.make(to: target)
        #expect(try link.target() == target)
        #expect(throws: SettingsError.self) { try link.make(to: target) }
        #expect(throws: SettingsError.self) { try link.remove(leadingTo: "elsewhere") }
        try link.remove(leadingTo: target)
        #expect(try folder.names == [])
        try folder.write(["a": 1])
        #expect(throws: SettingsError.self) { try link.remove(leadingTo: target) }
        #expect(try folder.values() == ["a": 1])
    }

    @Test("A suite in memory that is removed does not exist any more")
    func inMemory() throws {
        let place = MemoryStorage.Place(["a": 1])
        let suite = SettingsSuite(MemoryStorage(place), scheduler: ManualScheduler())
        try suite.remove(expecting: ["a": 1], origin: .set(by: nil))
        #expect(place.values == nil)
        try suite.make([:], like: nil, origin: .set(by: nil))
        #expect(place.values == [:])
    }

    private func schema(_ name: String) -> Data? {
        try? Data(contentsOf: URL(fileURLWithPath: folder.file("\(name).schema.json")))
    }

    @Test("The schema is copied byte for byte with its mode, also from a removed suite")
    func declarations() throws {
        // Some of its members are unknown.
        let text = Data("{ \"properties\": {\"a\": {\"type\": \"integer\"}}, \"$comment\": 1.0 }".utf8)
        try folder.write(["a": 1])
        try text.write(to: URL(fileURLWithPath: folder.file("suite.schema.json")))
        #expect(chmod(folder.file("suite.schema.json"), 0o640) == 0)
        let (old, new) = (suite(), suite("new"))
        let values: [String: PropertyListValue] = ["a": 1]
        #expect(try new.make(values, like: old, declaredAs: old, origin: .set(by: nil)) == .moved)
        #expect(schema("new") == text)
        #expect(try LiveFileSystem().stat(folder.file("new.schema.json"))?.mode == 0o640)
        #expect(schema("suite") == text)
        #expect(try old.remove(expecting: values, declaredAs: new, origin: .set(by: nil)) == .moved)
        #expect(try folder.names == ["new.plist", "new.schema.json"])
    }

    @Test("An existing schema is not replaced, and a different schema is not removed")
    func otherDeclarations() throws {
        let (text, own) = (Data("{\"title\": \"one\"}".utf8), Data("{\"title\": \"two\"}".utf8))
        try folder.write(["a": 1])
        try text.write(to: URL(fileURLWithPath: folder.file("suite.schema.json")))
        try own.write(to: URL(fileURLWithPath: folder.file("new.schema.json")))
        let (old, new) = (suite(), suite("new"))
        let values: [String: PropertyListValue] = ["a": 1]
        #expect(try new.make(values, like: old, declaredAs: old, origin: .set(by: nil)) == .different)
        #expect(schema("new") == own)
        #expect(try old.remove(expecting: values, declaredAs: new, origin: .set(by: nil)) == .different)
        #expect(schema("suite") == text)
        try text.write(to: URL(fileURLWithPath: folder.file("new.schema.json")))
        try old.make(values, like: nil, origin: .set(by: nil))
        try new.remove(expecting: values, origin: .set(by: nil))
        #expect(try new.make(values, like: old, declaredAs: old, origin: .set(by: nil)) == .same)
    }

    @Test("A suite that is not created gets no schema")
    func refusedDeclarations() throws {
        try folder.write(["a": 1])
        try Data("{}".utf8).write(to: URL(fileURLWithPath: folder.file("suite.schema.json")))
        let (old, new) = (suite(), suite("new"))
        try new.make(["b": 1], like: nil, origin: .set(by: nil))
        #expect(throws: SettingsError.self) {
            try new.make(["a": 1], like: old, declaredAs: old, origin: .set(by: nil))
        }
        #expect(schema("new") == nil)
    }
}
