import Foundation
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Testing

@testable import SettingsStore

@Suite("Suites that are made and removed as a whole")
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

    @Test("What is removed leaves no file, and comes back byte for byte, with its mode")
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
        "Another value, another key, or a key less is a conflict, and nothing happens",
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

    @Test("A second one is written like the first, in its format, with the values that are wanted alone")
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

    @Test("A suite without keys is made and removed, too")
    func empty() throws {
        let suite = suite()
        try suite.make([:], like: nil, origin: .set(by: nil))
        #expect(try folder.values().isEmpty)
        #expect(suite.status.content == .stored)
        try suite.remove(expecting: [:], origin: .set(by: nil))
        #expect(!FileManager.default.fileExists(atPath: folder.suitePath))
        #expect(suite.status.content == .absent)
    }

    @Test("Who has the suite open sees its keys go, keeps none, and stores what it sets then into a new file")
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

    @Test("A file that may not be written is not removed")
    func readOnly() throws {
        try folder.write(bytes: Array(text.utf8))
        #expect(chmod(folder.suitePath, 0o444) == 0)
        // Root may write anything.
        guard geteuid() != 0 else { return }
        #expect(throws: SettingsError.self) {
            try suite().remove(expecting: ["a": 1, "b": 1.5], origin: .set(by: nil))
        }
        #expect(try bytes("suite") == Array(text.utf8))
    }

    @Test("In memory a suite that is removed is as one that never was")
    func inMemory() throws {
        let place = MemoryStorage.Place(["a": 1])
        let suite = SettingsSuite(MemoryStorage(place), scheduler: ManualScheduler())
        try suite.remove(expecting: ["a": 1], origin: .set(by: nil))
        #expect(place.values == nil)
        try suite.make([:], like: nil, origin: .set(by: nil))
        #expect(place.values == [:])
    }
}
