// A secured cluster needs an authority, a client certificate and a key from files that an administrator may replace
// while the program runs. This file loads them, detects replaced files, and describes TLS failures for users. The
// TLS protocol itself is swift-nio-ssl's, which AsyncHTTPClient uses.

#if Cluster
import Glibc
import NIOSSL
import SettingsStore

/// The identities of the certificate files at one moment. Another value means that a file was replaced.
struct TLSFiles: Sendable, Hashable {
    private struct Stamp: Sendable, Hashable {
        let device: UInt
        let file: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    /// nil for a file that is missing.
    private let stamps: [Stamp?]

    init(of cluster: SettingsCluster) {
        let paths = [cluster.authorityPath, cluster.certificatePath, cluster.keyPath].compactMap(\.self)
        stamps = paths.map { path in
            var info = stat()
            guard stat(path, &info) == 0 else { return nil }
            return Stamp(
                device: UInt(info.st_dev),
                file: UInt(info.st_ino),
                size: Int(info.st_size),
                seconds: Int(info.st_mtim.tv_sec),
                nanoseconds: Int(info.st_mtim.tv_nsec)
            )
        }
    }
}

/// The result of loading the certificate files.
enum TLSSetup {
    case ready(TLSConfiguration)
    /// The reason is a sentence for the user. No `https` server may be asked.
    case failed(reason: String)

    init(of cluster: SettingsCluster) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        var problem: String?
        func read(_ path: String?, _ name: String, _ body: (String) throws -> Void) {
            guard let path else { return }
            do { try body(path) } catch { problem = problem ?? "\(name) can't be read: \(path)" }
        }
        read(cluster.authorityPath, "the authority's certificates") { path in
            _ = try NIOSSLCertificate.fromPEMFile(path)
            configuration.trustRoots = .file(path)
        }
        read(cluster.certificatePath, "the certificate") { path in
            configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(path).map { .certificate($0) }
        }
        read(cluster.keyPath, "the key") { path in
            configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: path, format: .pem))
        }
        if (cluster.certificatePath == nil) != (cluster.keyPath == nil) {
            problem =
                problem
                ?? "a certificate needs its key, and a key its certificate (certificate: and key:, or _CERT and _KEY)"
        }
        self = problem.map { .failed(reason: $0) } ?? .ready(configuration)
    }
}

/// Describes a TLS failure for users.
///
/// swift-nio-ssl has a different error type for each failure, and writes the descriptions for its developers. So the
/// kind of failure is found by a word in the description.
func tlsFailureDescription(_ text: String) -> String {
    let kinds = [
        (
            "CERTIFICATE_VERIFY_FAILED",
            "its certificate has expired, is not valid yet, or comes from an authority that is not trusted here"
        ),
        ("failedToValidateHostname", "its certificate is for another host"),
        ("WRONG_VERSION_NUMBER", "it does not use TLS (try http://)"),
        ("EOF during handshake", "it ended the connection at once; it might not use TLS"),
        ("failedToLoadPrivateKey", "the key does not match the certificate"),
        ("failedToLoadCertificate", "the certificate can't be used"),
    ]
    return kinds.first { text.contains($0.0) }?.1 ?? text
}
#endif
