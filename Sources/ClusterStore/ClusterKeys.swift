#if Cluster
import FoundationEssentials
import SettingsStore
// Which texts Swift takes for equal the standard library tells nobody otherwise.
@_spi(_Unicode) import Swift

/// The keys of etcd's from one, included, to another, excluded.
struct KeyRange: Sendable, Hashable {
    let start: Data
    let end: Data
}

/// How suites and their keys are spelled in etcd: `PREFIX` `SUITE` `/` `KEY`. No suite's name has a “/”, so
/// that the first one behind the prefix ends it, whatever the key has.
///
/// What begins with a “.” behind the prefix is no suite: there lies what was declared, marked and kept aside.
///
/// Texts that are equal in Swift are one key of a suite, and so they have one spelling here, Unicode's normal
/// form C. What others have spelled otherwise is none of a suite's keys.
struct ClusterKeys: Sendable {
    let prefix: Data

    init(prefix: String) { self.prefix = Data(prefix.utf8) }

    /// Everything below the prefix.
    var all: KeyRange { range(under: prefix) }

    /// All places of suites, without what is set aside.
    var allSuites: [KeyRange] {
        let (first, behind) = (prefix + [UInt8(ascii: ".")], prefix + [UInt8(ascii: ".") + 1])
        return [KeyRange(start: all.start, end: first), KeyRange(start: behind, end: all.end)]
    }

    func suite(_ name: SuiteName) -> KeyRange { range(under: key("", of: name)) }

    func key(_ key: String, of name: SuiteName) -> Data {
        prefix + name.rawValue.normalBytes + [UInt8(ascii: "/")] + key.normalBytes
    }

    /// What stands in a suite while it is being made: behind all of its keys, and none of them, since it is no UTF-8.
    func making(of name: SuiteName) -> Data { key("", of: name) + Self.making }

    private static let making = Data([0xFF]) + Data("making".utf8)

    /// What the last transaction upon a condition has left its mark in.
    func mark(of name: SuiteName) -> Data { key(name.rawValue, in: ".marks") }

    /// Where the settings of a suite are declared.
    func schema(of name: SuiteName) -> Data { key(name.rawValue, in: Self.schemas) }

    /// All places where settings are declared.
    var allSchemas: KeyRange { range(under: key("", in: Self.schemas)) }

    /// The suite whose settings are declared there; nil where none are.
    func suite(ofSchema bytes: Data) -> SuiteName? {
        let start = allSchemas.start
        guard bytes.starts(with: start) else { return nil }
        return Self.text(bytes.dropFirst(start.count)).flatMap { try? SuiteName($0) }
    }

    private static let schemas = ".schema"

    private func key(_ name: String, in folder: String) -> Data {
        prefix + Data(folder.utf8) + [UInt8(ascii: "/")] + name.normalBytes
    }

    /// Where a key is put that something is set aside from.
    private func aside(_ folder: String, _ key: Data) -> Data {
        prefix + Data(folder.utf8) + [UInt8(ascii: "/")] + key.dropFirst(prefix.count)
    }

    /// Where values of a suite are set aside that no program could read.
    func kept(of name: SuiteName) -> KeyRange { range(under: kept(key("", of: name))) }

    /// The same for one of its keys.
    func kept(_ key: Data) -> Data { aside(".kept", key) }

    /// What lies in a suite.
    enum Place: Hashable {
        case key(String)
        /// What says that it is being made.
        case making
        /// What others have put there under a name that no key has.
        case stranger
    }

    /// The suite, and what this is in it; nil for what is in none.
    func place(of bytes: Data) -> (suite: SuiteName, place: Place)? {
        guard bytes.starts(with: prefix) else { return nil }
        let rest = bytes.dropFirst(prefix.count)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        guard let suite = Self.text(rest[..<slash]), let name = try? SuiteName(suite) else { return nil }
        let key = rest[rest.index(after: slash)...]
        if key == Self.making { return (name, .making) }
        return (name, Self.text(key).map { .key($0) } ?? .stranger)
    }

    /// The suite and the key in it; nil for what is none of ours.
    func parts(of bytes: Data) -> (suite: SuiteName, key: String)? {
        guard let (suite, place) = place(of: bytes), case .key(let key) = place else { return nil }
        return (suite, key)
    }

    private static func text(_ bytes: Data) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.isASCII || text.normalBytes == bytes ? text : nil
    }

    /// Behind all that lies in the same folder below the prefix as a key, which is none of a suite's, or in
    /// one that begins with a “.” too.
    func end(ofFolderOf key: Data) -> Data {
        let rest = key.dropFirst(prefix.count)
        if rest.first == UInt8(ascii: ".") { return prefix + [UInt8(ascii: ".") + 1] }
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return key + [0] }
        return key[..<slash] + [UInt8(ascii: "/") + 1]
    }

    /// All that begin with bytes that end with a “/”.
    private func range(under start: Data) -> KeyRange {
        KeyRange(start: start, end: start.dropLast() + [UInt8(ascii: "/") + 1])
    }
}

extension String {
    fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// UTF-8 of the normal form C.
    fileprivate var normalBytes: Data {
        if isASCII { return Data(utf8) }
        var normal = String.UnicodeScalarView()
        normal.append(contentsOf: _nfc)
        return Data(String(normal).utf8)
    }
}
#endif
