import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("The bytes of a large file leave memory after a while without writes")
struct ContentCacheTests {
    let folder: TemporaryFolder
    private let scheduler = ManualScheduler()
    private let changes = Recorder<Change>()

    init() throws { folder = try TemporaryFolder() }

    private func suite() -> SettingsSuite {
        var storage = FileStorage(path: folder.suitePath)
        storage.largeFileSize = 0
        return SettingsSuite(storage, scheduler: scheduler)
    }

    /// Whether the release of the cache is scheduled. All other work is scheduled for an earlier time.
    private var isWaiting: Bool { scheduler.waiting.contains { $0 > 0.5 } }

    /// Changes the file as another process in the given way, and reads it with this storage.
    private func have(_ suite: SettingsSuite, take values: [String: PropertyListValue]) throws {
        try folder.write(values, to: folder.file("new"))
        try folder.rename("new", to: "suite.plist")
        try suite.synchronize()
    }

    @Test("A later change is stored, and the other bytes stay the same", arguments: [false, true])
    func write(isBinary: Bool) throws {
        let text = "<dict> <!-- kept --> <key>a</key> <integer>0x10</integer>\n<key>b</key><true/></dict>"
        let bytes =
            isBinary
            ? try PropertyListValue.dictionary(["a": 16, "b": true]).encoded(as: .binary) : Array(text.utf8)
        try folder.write(bytes: bytes)
        let suite = suite()
        #expect(suite.storedValues == ["a": 16, "b": true])
        for round in 1...3 {
            suite.set(PropertyListValue(round), forKey: "b")
            try suite.synchronize()
            #expect(try folder.values() == ["a": 16, "b": PropertyListValue(round)])
            #expect(isWaiting)
            scheduler.advance(by: 11)
            #expect(!isWaiting)
        }
        let stored = try Data(contentsOf: URL(fileURLWithPath: folder.suitePath))
        if isBinary {
            #expect(stored.starts(with: Data("bplist".utf8)))
        } else {
            #expect(stored.starts(with: Data(text.utf8.prefix { $0 != UInt8(ascii: "\n") })))
        }
    }

    @Test(
        "A large file that can't be read in pieces is read as a whole, or is an error",
        arguments: [
            ("{ a = 1; }", "1"), ("<plist><dict><key>a</key><integer>1</integer>", nil),
            ("<plist><dict><key>a</key><integer>x</integer></dict></plist>", nil), ("nothing", nil),
        ] as [(String, PropertyListValue?)]
    )
    func whole(_ text: String, _ value: PropertyListValue?) throws {
        try folder.write(text, to: "suite.plist")
        var storage = FileStorage(path: folder.suitePath)
        storage.largeFileSize = 0
        if let value {
            var values = PropertyListEntries()
            try storage.read().apply(to: &values)
            #expect(values["a"] == value)
        } else {
            #expect(throws: SettingsError.self) { try storage.read() }
        }
    }

    @Test("They stay in memory while changes are pending")
    func busy() throws {
        try folder.write(["a": 0])
        let suite = suite()
        _ = suite.storedValues
        for number in 1...3 {
            suite.set(PropertyListValue(number), forKey: "a")
            try suite.synchronize()
            scheduler.advance(by: 1.8)
            #expect(isWaiting)
        }
        scheduler.advance(by: 20)
        #expect(!isWaiting)
    }

    @Test("A later foreign change is reported once, and only its keys")
    func othersChange() throws {
        try folder.write(["same": 1, "changed": 1, "gone": 1])
        let suite = suite()
        let observation = suite.observe { [changes] event in
            if case .change(let change) = event { changes.note(change) }
        }
        try have(suite, take: ["same": 1, "changed": 2, "new": 1])
        try have(suite, take: ["same": 1, "changed": 2, "new": 1])
        #expect(changes.all.map(\.key) == ["changed", "gone", "new"])
        #expect(changes.all.map(\.new) == [2, nil, 1])
        #expect(changes.all.allSatisfy { $0.origin == .otherProcess })
        #expect(suite.storedValues == ["same": 1, "changed": 2, "new": 1])
        withExtendedLifetime(observation) {}
    }

    @Test("A large file that was written has a cache until it is released")
    func releasable() throws {
        var storage = FileStorage(path: folder.suitePath)
        try storage.update { _ in
            StorageWrite(changes: ["large": .string(String(repeating: "large ", count: 100_000))])
        }
        #expect(storage.hasReleasableCache)
        storage.releaseCache()
        #expect(!storage.hasReleasableCache)
    }

    @Test("A file that is removed or becomes unreadable is not treated as an empty one")
    func lost() throws {
        try folder.write(["a": 1])
        let suite = suite()
        _ = suite.storedValues
        try folder.write(bytes: Array("<dict><key>a</key>".utf8))
        suite.set(2, forKey: "b")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(suite.storedValues == ["a": 1, "b": 2])
        try folder.remove("suite.plist")
        try suite.synchronize()
        #expect(try folder.values() == ["b": 2])
    }

    @Test("A file whose bytes have left memory can be recovered")
    func recovered() throws {
        try folder.write(["a": 1])
        let suite = suite()
        _ = suite.storedValues
        try folder.write(bytes: [1, 2, 3])
        #expect(try suite.recover() != nil)
        #expect(try folder.values() == ["a": 1])
    }
}
