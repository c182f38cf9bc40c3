import Glibc
import PropertyList

/// The name of a suite: its file's name without `.plist` or `.json`.
///
/// Every value of this type is a single file name inside its folder: it is not empty, has no `/`
/// and no NUL, does not start with `.` (except ``global``), and fits with `.plist` into the 255 bytes that file systems
/// allow (`NAME_MAX`).
///
/// Names are equal if their bytes are equal, as for the file system: “é” has two spellings.
public struct SuiteName: Sendable {
    public let rawValue: String

    /// - Throws: ``SuiteNameError``, which says what is wrong.
    public init(_ name: String) throws(SuiteNameError) {
        func refuse(_ problem: String) -> SuiteNameError { SuiteNameError(name: name, problem: problem) }
        if name.isEmpty { throw refuse("is empty") }
        if name.utf8.contains(UInt8(ascii: "/")) { throw refuse("contains “/”") }
        if name.utf8.contains(0) { throw refuse("has a NUL character") }
        if name.utf8.first == UInt8(ascii: "."), !name.utf8.elementsEqual(Self.globalName.utf8) {
            throw refuse("starts with “.”")
        }
        let room = 255 - Self.suffix.utf8.count
        if name.utf8.count > room {
            throw refuse("has \(name.utf8.count) bytes; at most \(room) fit into a file name")
        }
        rawValue = name
    }

    /// The name of a suite that is no file: a schema, or a relocatable schema and its path, `schema:/path/`.
    ///
    /// - Throws: ``SuiteNameError``, which says what is wrong.
    package init(ofSchema name: String) throws(SuiteNameError) {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        self = try SuiteName(String(parts[0]))
        guard parts.count == 2 else { return }
        let path = parts[1]
        // A part that starts with “.” is refused, so that no such name leads out of a folder.
        if path.count < 2 || !path.hasPrefix("/") || !path.hasSuffix("/") || path.contains("//")
            || path.contains("/.") || path.utf8.contains(0)
        {
            throw SuiteNameError(
                name: name,
                problem: "needs a path that starts and ends with “/” after its “:”"
            )
        }
        self.init(known: name)
    }

    private static let globalName = ".GlobalPreferences"

    /// The suite with values for all suites (``SettingsLayer/global``). macOS calls it `NSGlobalDomain`.
    public static let global = SuiteName(known: globalName)

    private init(known name: String) { rawValue = name }

    /// The name of the suite in a file of this name; nil if such a file has no suite.
    public init?(fileName: String) {
        if let name = SuiteName(fileName, without: Self.suffix) {
            self = name
        } else if SuiteName(schemaFileName: fileName) == nil,
            let name = SuiteName(fileName, without: Self.jsonSuffix)
        {
            self = name
        } else {
            return nil
        }
    }

    /// The name of the suite whose schema is in a file of this name; nil if such a file has no schema.
    init?(schemaFileName: String) { self.init(schemaFileName, without: Self.schemaSuffix) }

    private init?(_ fileName: String, without suffix: String) {
        // Compares bytes, because the period may be part of a combined character.
        let bytes = fileName.utf8
        guard bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else { return nil }
        try? self.init(String(decoding: bytes.dropLast(suffix.utf8.count), as: UTF8.self))
    }

    /// The file's name, `.plist` included.
    public var fileName: String { rawValue + Self.suffix }

    /// The name of the suite's file if it is JSON.
    public var jsonFileName: String { rawValue + Self.jsonSuffix }

    private static let suffix = ".plist"
    private static let jsonSuffix = ".json"
    static let schemaSuffix = ".schema.json"
}

extension SuiteName: Hashable, Comparable {
    public static func == (a: SuiteName, b: SuiteName) -> Bool { compare(a, b) == 0 }

    public func hash(into hasher: inout Hasher) { hasher.combine(Array(rawValue.utf8)) }

    public static func < (a: SuiteName, b: SuiteName) -> Bool { compare(a, b) < 0 }

    /// Compares the bytes with memcmp(3), which is many times as fast as comparing them one by one. A folder may have
    /// thousands of suites.
    private static func compare(_ a: SuiteName, _ b: SuiteName) -> Int {
        var (first, second) = (a.rawValue, b.rawValue)
        return first.withUTF8 { first in
            second.withUTF8 { second in
                guard let start = first.baseAddress, let other = second.baseAddress else {
                    return first.count - second.count
                }
                let order = Int(memcmp(start, other, min(first.count, second.count)))
                return order == 0 ? first.count - second.count : order
            }
        }
    }
}

extension SuiteName: CustomStringConvertible {
    public var description: String { rawValue }
}

/// Why a name was refused for a suite.
public struct SuiteNameError: Error, Sendable, Hashable, CustomStringConvertible {
    public let name: String
    public let problem: String

    public var description: String { "The suite name “\(MessageText.name(name))” \(problem)." }
}
