// Programs on several machines want to share settings as easily as programs on one machine share a file. This value
// says which etcd cluster keeps the suites, who asks, and what happens during an outage. AsyncHTTPClient connects to
// the servers (see EtcdTransport.swift).

#if Cluster
import FoundationEssentials
import SettingsStore

/// An etcd cluster that keeps suites. Each setting is one key of etcd, below a common prefix.
///
/// ```swift
/// let suite = try SettingsSuite(named: "org.example.App", in: .etcd("http://127.0.0.1:2379"))
/// ```
///
/// All suites of a process with one configuration share a watch stream and a few connections. A value of this type
/// only describes the cluster: making or changing one sends nothing.
///
/// The library calls etcd's JSON gateway, which every etcd server offers unless `--enable-grpc-gateway=false` is set.
public struct SettingsCluster: Sendable, Hashable {
    /// How a set is handled while no server answers.
    public enum WhileUnreachable: Sendable, Hashable {
        /// The set stays pending in memory, and is stored when a server answers. If another process has changed the
        /// key meanwhile, the set is undone and reported as ``SettingsError/conflict(current:)``.
        ///
        /// `synchronize()` throws while a set is pending, and the end of the process prints the keys that were not
        /// stored.
        case keepPending
        /// The set is undone at once, and reported as ``SettingsError/unreachable(path:reason:)``.
        case refuse
    }

    /// Copies of suites on this machine's disk. A process that starts while no server answers begins with them.
    public enum Copies: Sendable, Hashable {
        /// No copies are read or written.
        case none
        /// Copies of other processes are read. This process writes none.
        case read(SettingsFolder)
        /// This process also writes copies.
        ///
        /// Only this user of the system can open the folders that are made for it.
        case kept(SettingsFolder)

        /// The folder of the copies; nil without copies.
        public var folder: SettingsFolder? {
            switch self {
            case .none: nil
            case .read(let folder), .kept(let folder): folder
            }
        }

        /// The folder if this process may write copies.
        var writableFolder: SettingsFolder? { if case .kept(let folder) = self { folder } else { nil } }
    }

    /// The URLs of the servers. If one does not answer, the next one is asked.
    public internal(set) var servers: [String]
    /// The beginning of all keys in etcd. It ends with a “/”.
    public var prefix: String
    /// The user of the cluster; nil if the cluster has no users.
    public var user: String?
    /// The password of ``user``. No description shows it.
    public var password: Secret?
    /// Whether the password may be sent to another machine unencrypted, over `http://`. See ``validate()``.
    public var allowsCleartextPassword: Bool
    /// The path of the certificates (PEM) of the authorities that may sign a server's certificate; nil uses the
    /// system's authorities. A file that is replaced is read again within a second.
    public var authorityPath: String?
    /// The path of the certificate (PEM) that this process shows to the servers; nil shows none.
    public var certificatePath: String?
    /// The path of the certificate's private key (PEM).
    public var keyPath: String?
    /// How a set is handled while no server answers.
    public var whileUnreachable: WhileUnreachable
    /// The folder of the copies of suites on this machine. The function `etcd` chooses a folder below `$XDG_CACHE_HOME` or
    /// `~/.cache`. Each ``user`` has a folder of its own in it.
    public var copies = Copies.none
    /// Seconds that each server has for its answer. A call that waits for all servers can take longer.
    public var patience = 5.0
    /// Seconds for which a conditional write whose answer was lost is retried. The caller waits. With 0 such a write
    /// fails at once with ``SettingsError/unconfirmed(path:reason:)``.
    public var perseverance = 0.0
    /// Seconds between two probes of the server that sends the watch stream. If it does not answer a probe within two
    /// seconds, the stream moves to the next server.
    public var secondsBetweenSigns = 3.0
    /// Seconds after which each observed suite is read again and compared. Some versions of etcd rarely lose a change
    /// in the stream.
    public var secondsBetweenChecks = 300.0

    /// Describes an etcd cluster. Nothing is sent.
    ///
    /// Every argument that is nil, and `servers` if it is empty, is taken from an environment variable.
    ///
    /// - Parameters:
    ///   - servers: URLs (`https://host:2379`); one string may contain several, separated by commas. Variable:
    ///     `PDEFAULTS_CLUSTER`. A server without a scheme (`host:2379`) is asked over `https`, unless it is this
    ///     machine (`localhost`, 127.0.0.0/8, `::1`), which is asked over `http`.
    ///   - prefix: the beginning of all keys. Variable: `PDEFAULTS_CLUSTER_PREFIX`. Without both: `/pdefaults/`.
    ///   - user: the user of the cluster. Variable: `PDEFAULTS_CLUSTER_USER`.
    ///   - password: the user's password. Variable: `PDEFAULTS_CLUSTER_PASSWORD`.
    ///   - allowsCleartextPassword: whether the password may be sent to another machine over `http://`. Variable:
    ///     `PDEFAULTS_CLUSTER_CLEARTEXT_PASSWORD`, where `1` allows it. If it is not allowed, nothing is sent to any
    ///     server of such a cluster, and every use fails with the reason (``validate()``).
    ///   - authority: the path of the authorities' certificates. Variable: `PDEFAULTS_CLUSTER_CA`.
    ///   - certificate: the path of this process's certificate. Variable: `PDEFAULTS_CLUSTER_CERT`.
    ///   - key: the path of its private key. Variable: `PDEFAULTS_CLUSTER_KEY`.
    ///   - whileUnreachable: what happens to a set while no server answers.
    public static func etcd(
        _ servers: String...,
        prefix: String? = nil,
        user: String? = nil,
        password: Secret? = nil,
        allowsCleartextPassword: Bool? = nil,
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
            servers: named.flatMap { $0.split(separator: ",") }.map { ServerAddress(String($0)).url },
            prefix: prefix.hasSuffix("/") ? prefix : prefix + "/",
            user: user ?? variable("_USER"),
            password: password ?? variable("_PASSWORD").map { Secret($0) },
            allowsCleartextPassword: allowsCleartextPassword ?? (variable("_CLEARTEXT_PASSWORD") == "1"),
            authorityPath: authority ?? variable("_CA"),
            certificatePath: certificate ?? variable("_CERT"),
            keyPath: key ?? variable("_KEY"),
            whileUnreachable: whileUnreachable
        )
        cluster.copies = cluster.standardCopies(environment).map { .kept($0) } ?? .none
        return cluster
    }

    /// Checks the configuration without asking a server.
    ///
    /// - Throws: ``SettingsError/notWritable(path:reason:)`` if the password would be sent to another machine
    ///   unencrypted, or has no user. Every use of the cluster fails with the same error before it connects.
    public func validate() throws(SettingsError) {
        if case .refused(let reason) = passwordCheck { throw .notWritable(path: location, reason: reason) }
    }

    enum PasswordCheck {
        case passed
        /// No server may be asked; the reason is a sentence.
        case refused(reason: String)
    }

    var passwordCheck: PasswordCheck {
        if password == nil { return .passed }
        if user == nil {
            return .refused(reason: "a password needs its user (user:, PDEFAULTS_CLUSTER_USER)")
        }
        if allowsCleartextPassword { return .passed }
        // One unencrypted server is enough, because it is asked as soon as the others are down.
        guard let server = servers.first(where: { !ServerAddress($0).keepsSecrets }) else { return .passed }
        return .refused(
            reason: "the password would go to \(server) unencrypted. Use https://, or allow this with "
                + "allowsCleartextPassword: true or PDEFAULTS_CLUSTER_CLEARTEXT_PASSWORD=1"
        )
    }

    /// This cluster's folder below `$XDG_CACHE_HOME` or `~/.cache`; nil if neither is known.
    private func standardCopies(_ environment: [String: String]) -> SettingsFolder? {
        let cache =
            environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].map { $0 + "/.cache" }
        return cache.map { copies(below: $0) }
    }

    /// The folder for copies of this cluster below a cache folder. The order of the servers makes no difference.
    public func copies(below cache: String) -> SettingsFolder {
        let name = (servers.sorted() + [prefix]).map(Self.spelling).joined(separator: "_")
        return SettingsFolder(path: cache + "/pdefaults/" + Self.limited(name))
    }

    /// Bytes. A file's name has at most 255 (NAME_MAX in limits.h).
    private static let nameLimit = 240

    /// The name, shortened if it is too long. A hash keeps different long names different.
    private static func limited(_ name: String) -> String {
        if name.utf8.count <= nameLimit { return name }
        return "\(digest(of: name))_\(name.suffix(nameLimit - 20))"
    }

    /// The copies of this user.
    ///
    /// Each user has a folder in the cluster's folder, because one user may lack the permission to read the values of
    /// another one. The password is not part of the name, because it could be guessed from the name.
    var userCopies: Copies {
        guard let user else { return copies }
        func folder(_ folder: SettingsFolder) -> SettingsFolder {
            SettingsFolder(path: "\(folder.path)/.user-\(Self.limited(Self.spelling(user)))")
        }
        return switch copies {
        case .none: .none
        case .read(let place): .read(folder(place))
        case .kept(let place): .kept(folder(place))
        }
    }

    /// Encodes a text for a folder's name. Different texts stay different, and the result has no “_”.
    private static func spelling(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            if isPlain || ".-".contains(character) { return String(character) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// The first server's URL and the prefix, for messages.
    public var location: String { firstServer + prefix }

    var firstServer: String { servers.first ?? "no server" }
}

/// A text that no description, dump or mirror shows, such as a password.
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral {
    let text: String

    /// - Parameter text: the secret text. The value keeps it in memory without protection.
    public init(_ text: String) { self.text = text }

    public init(stringLiteral text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `(secret)`.
    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// A 64-bit hash of a text (FNV-1a) in sixteen hexadecimal digits. Swift's `Hasher` gives other values in each
/// process.
private func digest(of text: String) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
#endif
