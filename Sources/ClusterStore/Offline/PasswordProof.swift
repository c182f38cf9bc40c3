// A journal of pending writes outlives its process, and only a process with the same password may store it. So each
// journal carries a salted, slow hash of its writer's password, and a later process adopts the journal only if the
// hash of its own password is the same. Without the proof, a process with the right password would store values that
// were set with a wrong one.
//
// The hash is the one that the system uses for login passwords (crypt(5); yescrypt in most distributions). A stolen
// journal costs an attacker about 0.1 seconds and 16 MB of memory for each guess. swift-crypto has such hashes too,
// but compiles all of BoringSSL for them.

#if Cluster
import CLinux
import Glibc
import SettingsStore

/// Compares passwords across processes without storing a password.
///
/// The result of each computation is kept for the life of this value, because one takes about 0.1 seconds.
final class PasswordProof: Sendable {
    private struct State {
        var own: String?
        /// Whether proofs of other processes belong to this password.
        var checked: [String: Bool] = [:]
    }

    private let password: Secret
    private let state = Mutex(State())

    init(of password: Secret) { self.password = password }

    /// A proof to store beside a journal: algorithm, cost, salt and hash in one line of ASCII.
    ///
    /// - Returns: nil if the system cannot hash the password, for example because it has more than 511 bytes.
    func make() -> String? {
        state.withLock { state in
            if state.own == nil { state.own = Self.newSetting().flatMap { hash(with: $0) } }
            return state.own
        }
    }

    /// Whether a proof was made with the same password.
    func matches(_ proof: String) -> Bool {
        state.withLock { state in
            if proof == state.own { return true }
            if let known = state.checked[proof] { return known }
            let isSame = !proof.isEmpty && hash(with: proof) == proof
            state.checked[proof] = isSame
            return isSame
        }
    }

    /// - Parameter setting: algorithm, cost and salt. A whole proof works too, because crypt(3) ignores the hash in
    ///   it.
    private func hash(with setting: String) -> String? {
        // The C string would end at a NUL, and two passwords would become one.
        if password.text.utf8.contains(0) { return nil }
        var (memory, size): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
        // The memory has traces of the password.
        defer {
            memory.map { explicit_bzero($0, Int(size)) }
            free(memory)
        }
        return crypt_ra(password.text, setting, &memory, &size).map { String(cString: $0) }
    }

    /// The system's preferred algorithm and cost, with a new salt.
    private static func newSetting() -> String? {
        guard let setting = crypt_gensalt_ra(nil, 0, nil, 0) else { return nil }
        defer { free(setting) }
        return String(cString: setting)
    }
}
#endif
