// etcd has one flat space of byte keys, and suites need names, keys and room for schemas and markers in it. This
// file is the only place that knows how they are spelled there.

#if Cluster
import FoundationEssentials
import SettingsStore
// Only this interface of the standard library gives the normal form by which Swift compares strings.
@_spi(_Unicode) import Swift

/// All keys of etcd from `start` up to and without `end`.
struct KeyRange: Sendable, Hashable {
    let start: Data
    let end: Data
}

/// The spelling of suites and keys in etcd: `PREFIX` `SUITE` `/` `KEY`.
///
/// A suite's name has no “/”, so the first “/” after the prefix ends it. A suite's name does not begin with a “.”, so
/// folders such as `.schema/` are free for other data.
///
/// Strings that are equal in Swift are the same key of a suite. So each key has one spelling in etcd: Unicode's
/// normal form C. A key that another program has spelled differently is a foreign entry.
struct EtcdKeyLayout: Sendable {
    let prefix: Data

    init(prefix: String) { self.prefix = Data(prefix.utf8) }

    /// All keys below the prefix.
    var all: KeyRange { range(under: prefix) }

    func suite(_ name: SuiteName) -> KeyRange { range(under: key("", of: name)) }

    func key(_ key: String, of name: SuiteName) -> Data {
        prefix + name.rawValue.normalBytes + [UInt8(ascii: "/")] + key.normalBytes
    }

    /// The key in which each conditional transaction leaves its receipt.
    func receipt(of name: SuiteName) -> Data { key(name.rawValue, in: ".marks") }

    /// The key of the suite's declared settings.
    func schema(of name: SuiteName) -> Data { key(name.rawValue, in: Self.schemas) }

    /// The declared settings of all suites.
    var allSchemas: KeyRange { range(under: key("", in: Self.schemas)) }

    /// The suite whose declared settings this key has; nil for any other key.
    func suite(ofSchema bytes: Data) -> SuiteName? {
        let start = allSchemas.start
        guard bytes.starts(with: start) else { return nil }
        return Self.text(bytes.dropFirst(start.count)).flatMap { try? SuiteName($0) }
    }

    private static let schemas = ".schema"

    private func key(_ name: String, in folder: String) -> Data {
        prefix + Data(folder.utf8) + [UInt8(ascii: "/")] + name.normalBytes
    }

    /// The name of a key in another folder.
    private func moved(to folder: String, _ key: Data) -> Data {
        prefix + Data(folder.utf8) + [UInt8(ascii: "/")] + key.dropFirst(prefix.count)
    }

    /// The suite's values in quarantine: unreadable values that were about to be overwritten.
    func quarantine(of name: SuiteName) -> KeyRange { range(under: quarantine(key("", of: name))) }

    /// The key in quarantine for a key of a suite.
    func quarantine(_ key: Data) -> Data { moved(to: ".kept", key) }

    /// The meaning of an etcd key in a suite's range.
    enum Entry: Hashable {
        case key(String)
        /// Another program has stored it under a name that no key of a suite has.
        case foreign
    }

    /// The suite and the meaning of an etcd key; nil if it belongs to no suite.
    func entry(of bytes: Data) -> (suite: SuiteName, entry: Entry)? {
        guard bytes.starts(with: prefix) else { return nil }
        let rest = bytes.dropFirst(prefix.count)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        guard let suite = Self.text(rest[..<slash]), let name = try? SuiteName(suite) else { return nil }
        let key = rest[rest.index(after: slash)...]
        return (name, Self.text(key).map { .key($0) } ?? .foreign)
    }

    /// The suite and the key in it; nil if the etcd key is no key of a suite.
    func parts(of bytes: Data) -> (suite: SuiteName, key: String)? {
        guard let (suite, entry) = entry(of: bytes), case .key(let key) = entry else { return nil }
        return (suite, key)
    }

    private static func text(_ bytes: Data) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.isASCII || text.normalBytes == bytes ? text : nil
    }

    /// The end of the folder that contains a key. All folders that begin with a “.” count as one.
    func end(ofFolderOf key: Data) -> Data {
        let rest = key.dropFirst(prefix.count)
        if rest.first == UInt8(ascii: ".") { return prefix + [UInt8(ascii: ".") + 1] }
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return key + [0] }
        return key[..<slash] + [UInt8(ascii: "/") + 1]
    }

    /// All keys that begin with these bytes, which end with a “/”.
    private func range(under start: Data) -> KeyRange {
        KeyRange(start: start, end: start.dropLast() + [UInt8(ascii: "/") + 1])
    }
}

extension String {
    fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// The UTF-8 of the normal form C.
    fileprivate var normalBytes: Data {
        if isASCII { return Data(utf8) }
        var normal = String.UnicodeScalarView()
        normal.append(contentsOf: _nfc)
        return Data(String(normal).utf8)
    }
}
#endif
