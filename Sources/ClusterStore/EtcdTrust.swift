#if Cluster
import Glibc
import NIOSSL
import SettingsStore

/// The files that connections are secured with, by which it is known whether they are others by now.
struct TrustFiles: Sendable, Hashable {
    private struct Stamp: Sendable, Hashable {
        let device: UInt
        let file: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

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

/// What connections are secured with, and what speaks against that.
func trust(of cluster: SettingsCluster) -> (TLSConfiguration, problem: String?) {
    var trust = TLSConfiguration.makeClientConfiguration()
    var problem: String?
    func read(_ path: String?, _ name: String, _ body: (String) throws -> Void) {
        guard let path else { return }
        do { try body(path) } catch { problem = problem ?? "\(name) can't be read: \(path)" }
    }
    read(cluster.authorityPath, "the authority's certificates") { path in
        _ = try NIOSSLCertificate.fromPEMFile(path)
        trust.trustRoots = .file(path)
    }
    read(cluster.certificatePath, "the certificate") { path in
        trust.certificateChain = try NIOSSLCertificate.fromPEMFile(path).map { .certificate($0) }
    }
    read(cluster.keyPath, "the key") { path in
        trust.privateKey = .privateKey(try NIOSSLPrivateKey(file: path, format: .pem))
    }
    if (cluster.certificatePath == nil) != (cluster.keyPath == nil) {
        problem =
            problem ?? "a certificate and its key go together (certificate: and key:, _CERT and _KEY)"
    }
    return (trust, problem)
}

/// What the library says of a failure of TLS is for its authors, and each kind is a type of its own.
func wordsForTLS(_ text: String) -> String {
    let kinds = [
        (
            "CERTIFICATE_VERIFY_FAILED",
            "its certificate is not signed by an authority that is trusted here, or has expired or is not valid yet"
        ),
        ("failedToValidateHostname", "its certificate is for another host"),
        ("WRONG_VERSION_NUMBER", "it speaks no TLS"),
        ("EOF during handshake", "it ended the connection at once; it may speak no TLS"),
        ("failedToLoadPrivateKey", "the key does not fit the certificate"),
        ("failedToLoadCertificate", "the certificate can't be used"),
    ]
    return kinds.first { text.contains($0.0) }?.1 ?? text
}
#endif
