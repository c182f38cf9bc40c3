// A password must not leave this machine unencrypted, and a typing error in a URL must not send it elsewhere. This
// file decides from the text of a server's address whether a password may go there.
//
// Foundation's URL is not used: it reads `host:2379` as a scheme and a path, and an address that it rejects must
// still count as another machine.

#if Cluster
import FoundationEssentials
import Glibc

/// A server's URL, and whether a password may be sent to it.
///
/// No name is looked up. Only `localhost` and loopback addresses count as this machine; any other name is another
/// one.
struct ServerAddress: Sendable, Hashable {
    /// The URL with its scheme. Scheme and host are in lower case, and there is no “/” at the end.
    let url: String
    let isEncrypted: Bool
    /// Whether the host is `localhost`, in 127.0.0.0/8, or `::1`.
    let isLoopback: Bool

    /// Whether a password that is sent to the server can't be read on the way.
    var keepsSecrets: Bool { isEncrypted || isLoopback }

    /// - Parameter word: a URL, or `HOST:PORT`. Without a scheme, this machine is asked over `http`, and any other
    ///   over `https`.
    init(_ word: String) {
        // Compares bytes, because a “/” followed by a combining accent is one Swift character.
        var bytes = word.utf8.drop { $0 <= 0x20 }
        while let last = bytes.last, last <= 0x20 || last == Self.slash { bytes.removeLast() }
        let all = bytes
        var scheme: String?
        if let end = bytes.firstRange(of: "://".utf8) {
            scheme = String(Substring(bytes[..<end.lowerBound])).lowercased()
            bytes = bytes[end.upperBound...]
        }
        let authority = bytes.prefix { !"/?#".utf8.contains($0) }
        let host = String(Substring(authority)).lowercased()
        isLoopback = Self.isLoopback(host)
        let used = scheme ?? (isLoopback ? "http" : "https")
        isEncrypted = used == "https"
        let rest = String(Substring(bytes[authority.endIndex...]))
        // The text before an “@” may be a password, so it is not kept. EtcdTransport refuses such a URL.
        if let sign = all.lastIndex(of: UInt8(ascii: "@")) {
            url = (isEncrypted ? "https://…" : "http://…") + String(Substring(all[sign...]))
        } else {
            url = "\(used)://" + host + rest
        }
    }

    private static let slash = UInt8(ascii: "/")

    /// - Parameter authority: a host and optionally a port, in lower case.
    private static func isLoopback(_ authority: String) -> Bool {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            let host = authority[..<end].dropFirst()
            return isPort(authority[end...].dropFirst())
                && bytes(of: host, AF_INET6, count: 16) == Array(repeating: 0, count: 15) + [1]
        }
        let host = authority.prefix { $0 != ":" }
        // An address has four decimal numbers. A short form (127.1) counts as a name.
        return isPort(authority[host.endIndex...])
            && (host == "localhost" || bytes(of: host, AF_INET, count: 4)?.first == 127)
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// - Returns: the bytes of an address (inet_pton(3)); nil if the text is not an address.
    private static func bytes(of address: Substring, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, String(address), &bytes) == 1 ? bytes : nil
    }
}
#endif
