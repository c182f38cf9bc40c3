#if Cluster
import FoundationEssentials
import Glibc
import SettingsStore

/// An etcd cluster that keeps suites: one key of etcd's for each setting, below a common prefix.
///
/// ```swift
/// let suite = try SettingsSuite(named: "org.example.App", in: .etcd("http://127.0.0.1:2379"))
/// ```
///
/// All suites of a process on one cluster share one stream of changes and a few connections.
public struct SettingsCluster: Sendable, Hashable {
    /// What becomes of what is set while no server answers.
    public enum WhileUnreachable: Sendable, Hashable {
        /// It stays in memory and pending, and is stored when a server answers, unless somebody else has
        /// changed the key meanwhile: then it is taken back, and that is reported as a conflict.
        case keepPending
        /// It is taken back at once, and that is reported.
        case refuse
    }

    /// The last good state of suites on this machine's disk, which a process starts from while no server
    /// answers.
    public enum Copies: Sendable, Hashable {
        case none
        /// What others have left there is used, and nothing is left.
        case read(SettingsFolder)
        /// Left there also for the next process, as is what could not be stored.
        case kept(SettingsFolder)

        public var folder: SettingsFolder? {
            switch self {
            case .none: nil
            case .read(let folder), .kept(let folder): folder
            }
        }

        var keeping: SettingsFolder? { if case .kept(let folder) = self { folder } else { nil } }
    }

    /// The URLs of the servers; what one does not answer is asked of the next.
    public private(set) var servers: [String]
    /// What all keys begin with; it ends with a “/”.
    public var prefix: String
    /// Who asks; nil where the cluster asks for no names.
    public var user: String?
    public var password: Secret?
    /// The path of the certificates (PEM) of those whose word for a server's is taken; nil takes the
    /// system's.
    public var authorityPath: String?
    /// The paths of the certificate and the key (PEM) that this process shows to the servers.
    public var certificatePath: String?
    public var keyPath: String?
    public var whileUnreachable: WhileUnreachable
    /// Kept in a folder of the user's cache, unless another is named.
    public var copies = Copies.none
    /// Seconds that a server has for an answer.
    public var patience = 5.0
    /// Seconds for which it is tried to find out what has become of a conditional write whose answer was lost, and
    /// to finish what takes several steps, while no server answers. Whoever wrote waits for it.
    public var perseverance = 0.0
    /// Seconds after which the server that carries the stream of changes is asked for a sign of life. One that
    /// gives none, within two seconds at most, is left for the next.
    public var secondsBetweenSigns = 3.0
    /// Seconds after which everything is read again and compared, whatever the servers have told: some
    /// versions of etcd lose a change now and then.
    public var secondsBetweenChecks = 300.0

    /// - Parameters:
    ///   - servers: URLs (`https://host:2379`), also several in one string with commas between; none takes
    ///     those of the environment variable `PDEFAULTS_CLUSTER`.
    ///   - prefix: what all keys begin with; nil takes `PDEFAULTS_CLUSTER_PREFIX`, or `/pdefaults/`.
    ///   - user: nil takes `PDEFAULTS_CLUSTER_USER`; likewise `_PASSWORD`, `_CA` (a path), `_CERT` and
    ///     `_KEY` (paths).
    public static func etcd(
        _ servers: String...,
        prefix: String? = nil,
        user: String? = nil,
        password: Secret? = nil,
        authority: String? = nil,
        certificate: String? = nil,
        key: String? = nil,
        whileUnreachable: WhileUnreachable = .keepPending
    ) -> SettingsCluster {
        let environment = ProcessInfo.processInfo.environment
        func variable(_ name: String) -> String? {
            environment["PDEFAULTS_CLUSTER" + name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let prefix = prefix ?? variable("_PREFIX") ?? "/pdefaults/"
        let named = servers.isEmpty ? [variable("") ?? ""] : servers
        var cluster = SettingsCluster(
            servers: named.flatMap { $0.split(separator: ",") }.map { serverURL(String($0)) },
            prefix: prefix.hasSuffix("/") ? prefix : prefix + "/",
            user: user ?? variable("_USER"),
            password: password ?? variable("_PASSWORD").map { Secret($0) },
            authorityPath: authority ?? variable("_CA"),
            certificatePath: certificate ?? variable("_CERT"),
            keyPath: key ?? variable("_KEY"),
            whileUnreachable: whileUnreachable
        )
        cluster.copies = cluster.standardCopies(environment).map { .kept($0) } ?? .none
        return cluster
    }

    /// The URL as it is shown and used: with a scheme, without a “/” behind it, and without what may be a
    /// password.
    private static func serverURL(_ word: String) -> String {
        var word = String(word.trimmingPrefix { $0.isWhitespace })
        while word.last?.isWhitespace == true { word.removeLast() }
        if !word.contains("://") { word = "http://" + word }
        while word.hasSuffix("/") { word.removeLast() }
        if let sign = word.lastIndex(of: "@") { word = "http://…" + word[sign...] }
        return word
    }

    /// A folder below `$XDG_CACHE_HOME`, or `~/.cache`, for this cluster alone.
    private func standardCopies(_ environment: [String: String]) -> SettingsFolder? {
        let cache =
            environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].map { $0 + "/.cache" }
        return cache.map { copies(below: $0) }
    }

    /// The folder for the copies of this cluster below a folder for what can be made anew: one that is there
    /// already and was made for some of its servers, else one of its own.
    public func copies(below cache: String) -> SettingsFolder {
        let home = cache + "/pdefaults/"
        var own = (servers.sorted() + [prefix]).map(Self.spelling).joined(separator: "_")
        if own.utf8.count > Self.nameLimit {
            own = "\(digest(of: own))_\(own.suffix(Self.nameLimit - 20))"
        }
        if access(home + own, F_OK) == 0 { return SettingsFolder(path: home + own) }
        // One of the same cluster, when it was named by fewer servers, or by more.
        let servers = servers.map(Self.spelling)
        let end = "_" + Self.spelling(prefix)
        let known = FolderNames.all(in: home).first { name in
            name.hasSuffix(end) && servers.contains { (name.dropLast(end.count) + "_").contains($0 + "_") }
        }
        return SettingsFolder(path: home + (known ?? own))
    }

    /// Bytes of a file's name (NAME_MAX in limits.h), with room for what tells long ones apart.
    private static let nameLimit = 240

    /// A text as a part of a folder's name: another text is spelled differently, and none has a “_”.
    private static func spelling(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            if isPlain || ".-".contains(character) { return String(character) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// The first server's URL and the prefix.
    public var location: String { firstServer + prefix }

    var firstServer: String { servers.first ?? "no server" }
}

/// A password or the like, which no description shows.
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral {
    let text: String

    public init(_ text: String) { self.text = text }

    public init(stringLiteral text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Sixteen digits that stand for a text (FNV-1a).
private func digest(of text: String) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
#endif
