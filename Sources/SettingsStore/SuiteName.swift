/// The name of a suite: its file's name without `.plist`.
///
/// Every value of this type is a single file name inside its folder: it is not empty, has no `/`
/// and no NUL, does not start with `.`, and fits with `.plist` behind it into the 255 bytes that
/// file systems allow (`NAME_MAX`).
public struct SuiteName: Sendable, Hashable {
    public let rawValue: String

    /// - Throws: ``SuiteNameError`` with what is wrong.
    public init(_ name: String) throws(SuiteNameError) {
        func refuse(_ problem: String) -> SuiteNameError { SuiteNameError(name: name, problem: problem) }
        if name.isEmpty { throw refuse("is empty") }
        if name.utf8.contains(UInt8(ascii: "/")) { throw refuse("has a “/” and would leave its folder") }
        if name.utf8.contains(0) { throw refuse("has a NUL character") }
        if name.utf8.first == UInt8(ascii: ".") { throw refuse("starts with “.”") }
        let room = 255 - Self.suffix.utf8.count
        if name.utf8.count > room {
            throw refuse("has \(name.utf8.count) bytes; a file name has room for \(room)")
        }
        rawValue = name
    }

    /// The name of the suite that a file of this name holds; nil where it holds none.
    public init?(fileName: String) {
        guard fileName.hasSuffix(Self.suffix) else { return nil }
        try? self.init(String(fileName.dropLast(Self.suffix.count)))
    }

    /// The file's name, `.plist` included.
    public var fileName: String { rawValue + Self.suffix }

    private static let suffix = ".plist"
}

extension SuiteName: Comparable {
    public static func < (a: SuiteName, b: SuiteName) -> Bool { a.rawValue < b.rawValue }
}

extension SuiteName: CustomStringConvertible {
    public var description: String { rawValue }
}

/// Why a name was refused for a suite.
public struct SuiteNameError: Error, Sendable, Hashable, CustomStringConvertible {
    public let name: String
    public let problem: String

    public var description: String { "The suite name “\(name)” \(problem)." }
}
