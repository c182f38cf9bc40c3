import Foundation
import Glibc
import ProgramHarness
import PropertyList
import SettingsStore
import Testing

/// A file with or without a value of the key `a`.
struct LargeFile: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    /// The value of `a` in the file.
    let value: PropertyListValue?
    /// Whether one value can be read alone. Otherwise the whole file is read.
    let isCertain: Bool

    init(_ name: String, _ bytes: [UInt8], _ value: PropertyListValue?, isCertain: Bool) {
        testDescription = name
        self.bytes = bytes
        self.value = value
        self.isCertain = isCertain
    }

    init(_ name: String, _ text: String, _ value: PropertyListValue?, isCertain: Bool) {
        self.init(name, Array("<plist><dict>\(text)</dict></plist>".utf8), value, isCertain: isCertain)
    }

    static let nested: PropertyListValue = ["b": ["a": 1], "c": [["a": 2]]]

    /// The two keys of the dictionary are one object, and the values are 1 and 2.
    static let binaryWithEqualKeys: [UInt8] =
        Array("bplist00".utf8)
        + [0xD2, 1, 1, 2, 3] + [0x51, UInt8(ascii: "a")] + [0x10, 1] + [0x10, 2]
        + [8, 13, 15, 17]
        + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 4] + [0, 0, 0, 0, 0, 0, 0, 0]
        + [0, 0, 0, 0, 0, 0, 0, 19]

    static let readable = [
        LargeFile("one key", "<key>a</key><integer>1</integer>", 1, isCertain: true),
        LargeFile(
            "a key that only a nested dictionary has",
            "<key>b</key><dict><key>a</key><true/></dict>",
            nil,
            isCertain: false
        ),
        LargeFile(
            "a nested key before the same key at the top",
            "<key>b</key><dict><key>a</key><true/></dict><key>a</key><string>top</string>",
            "top",
            isCertain: true
        ),
        LargeFile(
            "a key twice",
            "<key>a</key><integer>1</integer><key>a</key><integer>2</integer>",
            2,
            isCertain: true
        ),
        LargeFile("a binary file with a key twice", binaryWithEqualKeys, 1, isCertain: true),
        LargeFile(
            "a key in a comment",
            "<!-- <key>a</key><true/> --><key>b</key><true/>",
            nil,
            isCertain: false
        ),
        LargeFile("an OpenStep file", Array("{ a = 1; }".utf8), "1", isCertain: false),
        LargeFile(
            "a file in UTF-16",
            [0xFF, 0xFE]
                + "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><dict><key>a</key><string>é</string></dict></plist>"
                .utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
            "é",
            isCertain: false
        ),
    ]

    static let broken = [
        LargeFile(
            "cut off",
            Array("<plist><dict><key>a</key><integer>1</integer>".utf8),
            nil,
            isCertain: false
        ),
        LargeFile(
            "broken after the value",
            "<key>a</key><true/><key>b</key><integer>x</integer>",
            nil,
            isCertain: false
        ),
        LargeFile("cut off in binary form", Array(binaryWithEqualKeys.dropLast()), nil, isCertain: false),
        LargeFile("no property list", Array("nothing".utf8), nil, isCertain: false),
    ]
}

@Suite("One value of a large file")
struct OneValueTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A storage for which every file is large.
    private var storage: FileStorage {
        var storage = FileStorage(path: folder.suitePath)
        storage.largeFileSize = 0
        return storage
    }

    @Test("is the one that reading the whole file gives, or is not certain", arguments: LargeFile.readable)
    func readable(_ file: LargeFile) throws {
        try folder.write(bytes: file.bytes)
        var whole = storage
        var values = PropertyListEntries()
        try whole.read().apply(to: &values)
        #expect(values["a"] == file.value)
        #expect(storage.valueInLargeFile(forKey: "a") == (file.isCertain ? file.value : nil))
    }

    @Test("is not certain in a broken file, which is reported as always", arguments: LargeFile.broken)
    func broken(_ file: LargeFile) throws {
        try folder.write(bytes: file.bytes)
        #expect(storage.valueInLargeFile(forKey: "a") == nil)
        var whole = storage
        #expect(throws: SettingsError.self) { _ = try whole.read() }
    }

    @Test("A key that only a nested dictionary of a binary file has is not certain")
    func nestedInBinary() throws {
        try folder.write(bytes: LargeFile.nested.encoded(as: .binary))
        #expect(storage.valueInLargeFile(forKey: "a") == nil)
        #expect(storage.valueInLargeFile(forKey: "b") == ["a": 1])
    }

    @Test("A small file is read whole")
    func small() throws {
        try folder.write(["a": 1])
        #expect(FileStorage(path: folder.suitePath).valueInLargeFile(forKey: "a") == nil)
    }

    @Test("Nothing but a file is read", arguments: ["missing", "folder", "pipe"])
    func noFile(_ kind: String) throws {
        switch kind {
        case "folder": try folder.makeFolder("suite.plist")
        case "pipe": #expect(mkfifo(folder.suitePath, 0o600) == 0)
        default: break
        }
        #expect(storage.valueInLargeFile(forKey: "a") == nil)
    }
}
