// A process may end while no server answers, and its pending writes would be lost. So it keeps them in a file on this
// machine's disk, and locks the file for as long as it lives; the next process of the same login adopts files whose
// lock is free. Without the journal, every setting that was changed during an outage would be lost at the next
// restart.
//
// A database library would add a dependency for one small file, and would still need the rules about logins and
// locks.

#if Cluster
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// The pending writes of one suite on this machine's disk.
///
/// Each process has a file of its own. A journal is adopted only by a process whose password the cluster has accepted
/// and is the same as the one that the journal was written with. A journal of another password is set aside and
/// reported.
final class PendingWriteJournal: Sendable {
    /// The pending writes that earlier processes left.
    struct Orphans {
        var writes: [String: PendingWrite] = [:]
        /// The keys for which several processes left different values. The newest file's value is in `writes`.
        var replaced: Set<String> = []
    }

    private struct State {
        /// This process's file; nil before the first pending write.
        var own: JournalFile?
        /// Files of ended processes, which stay until this process has written its own.
        var adopted: [JournalFile] = []
        var hasAdopted = false
        var kept: [String: PendingWrite] = [:]
        /// The error of the last attempt to write, which is reported once.
        var failure: SettingsError?
    }

    private let folder: String
    private let suite: SuiteName
    private let user: String?
    private let passwordProof: PasswordProof?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - cache: the folder of the user's cached suites. The journals are in its sub-folder `.pending`.
    ///   - user: nil if the cluster has no users.
    ///   - passwordProof: nil if the cluster has no users.
    init(_ suite: SuiteName, in cache: SettingsFolder, user: String?, _ passwordProof: PasswordProof?) {
        self.suite = suite
        self.user = user
        self.passwordProof = passwordProof
        folder = cache.path + "/.pending"
    }

    /// Takes over the journals of ended processes, the first time that it is called.
    ///
    /// The files stay on the disk until ``keep(_:)`` has replaced them.
    func adoptOrphans() -> Orphans {
        state.withLock { state in
            if state.hasAdopted { return Orphans() }
            state.hasAdopted = true
            var orphans = Orphans()
            for file in abandonedFiles() where isOfThisLogin(file) {
                guard case .content(let writes) = file.read() else { continue }
                state.adopted.append(file)
                for (key, write) in writes where orphans.writes[key].map({ $0.value != write.value }) ?? false
                {
                    orphans.replaced.insert(key)
                }
                orphans.writes.merge(writes) { $1 }
            }
            return orphans
        }
    }

    /// Replaces all that was kept or adopted before.
    ///
    /// - Returns: whether the writes are on the disk. A failure is reported once.
    func keep(_ writes: [String: PendingWrite]) -> Bool {
        state.withLock { state in
            if writes == state.kept, state.adopted.isEmpty { return true }
            do throws(SettingsError) {
                if writes.isEmpty {
                    state.own?.remove()
                    state.own = nil
                } else {
                    if state.own == nil { state.own = try newFile() }
                    try state.own?.write(writes)
                }
            } catch {
                if state.failure != error { SettingsSuite.reportLater(error, at: folder) }
                state.failure = error
                return false
            }
            for file in state.adopted { file.remove() }
            (state.kept, state.adopted, state.failure) = (writes, [], nil)
            return true
        }
    }

    private func newFile() throws(SettingsError) -> JournalFile {
        var proof = ""
        if let passwordProof {
            guard let made = passwordProof.make() else {
                let reason = "pending settings are not kept, because this system can't hash the password"
                throw .notWritable(path: folder, reason: reason)
            }
            proof = made
        }
        let path = "\(folder)/\(suite)-\(UUID().uuidString)"
        makePrivateFolders(leadingTo: path)
        switch JournalFile.create(at: path, proof: proof) {
        case .locked(let file): return file
        case .inUse: throw .system(SystemError("open", folder, EWOULDBLOCK))
        case .failed(let number): throw .system(SystemError("open", folder, number))
        }
    }

    /// The journals of the suite whose processes have ended, the oldest first.
    private func abandonedFiles() -> [JournalFile] {
        stems().compactMap { stem -> JournalFile? in
            if case .locked(let file) = JournalFile.open(at: "\(folder)/\(stem)") { file } else { nil }
        }.sorted { $0.lastWritten < $1.lastWritten }
    }

    /// Whether a journal was written with this process's password. If not, it is set aside and reported: the cluster
    /// has accepted this process's password, so no process with the other one can store the journal any more.
    private func isOfThisLogin(_ file: JournalFile) -> Bool {
        if passwordProof?.matches(file.proof) ?? file.proof.isEmpty { return true }
        if let path = file.setAside() {
            let login = user.map { "another password of the user “\($0)”" } ?? "a user and a password"
            let reason = "these settings were set with \(login), so they are not stored"
            SettingsSuite.reportLater(.notWritable(path: path, reason: reason), at: path)
        }
        return false
    }

    /// The names of the suite's files without their suffixes.
    private func stems() -> [String] {
        let length = suite.rawValue.utf8.count + "-".utf8.count + UUID().uuidString.utf8.count
        let names = (try? LiveFileSystem().names(in: folder)) ?? []
        return names.sorted().compactMap { name in
            guard name.hasSuffix(JournalFile.lockSuffix), name.hasPrefix(suite.rawValue + "-") else {
                return nil
            }
            let stem = name.dropLast(JournalFile.lockSuffix.count)
            return stem.utf8.count == length ? String(stem) : nil
        }
    }
}

/// One file of pending writes, and the lock file beside it.
///
/// The process that uses the file holds flock(2) on the lock file. The lock file contains the proof of the password.
private final class JournalFile: Sendable {
    enum Opening {
        case locked(JournalFile)
        /// Another process holds the lock.
        case inUse
        case failed(errno: Int32)
    }

    enum Reading {
        case content([String: PendingWrite])
        /// The damage was reported, and the file was set aside.
        case damaged
    }

    static let lockSuffix = ".lock"
    private static let setAsideSuffix = ".other-password"
    /// Bytes; longer than any proof (CRYPT_OUTPUT_SIZE of crypt(3)).
    private static let proofLimit = 1024

    private let path: String
    private let lock: Int32
    let proof: String

    static func create(at path: String, proof: String) -> Opening {
        let opening = open(path, flags: O_CREAT | O_EXCL) { lock in
            // The proof is complete before the first write is kept.
            let written = Array(proof.utf8).withUnsafeBytes { Glibc.write(lock, $0.baseAddress, $0.count) }
            return written == proof.utf8.count ? proof : nil
        }
        if case .failed = opening { unlink(path + lockSuffix) }
        return opening
    }

    static func open(at path: String) -> Opening {
        open(path, flags: 0) { lock in
            var bytes = [UInt8](repeating: 0, count: proofLimit)
            let count = Glibc.read(lock, &bytes, bytes.count)
            return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    /// - Parameter proof: reads or writes the lock file's content; nil fails with `errno`.
    private static func open(_ path: String, flags: Int32, proof: (Int32) -> String?) -> Opening {
        let lock = Glibc.open(path + lockSuffix, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
        if lock < 0 { return .failed(errno: errno) }
        if flock(lock, LOCK_EX | LOCK_NB) == 0, let proof = proof(lock) {
            return .locked(JournalFile(path, lock, proof))
        }
        let number = errno
        close(lock)
        return number == EWOULDBLOCK ? .inUse : .failed(errno: number)
    }

    private init(_ path: String, _ lock: Int32, _ proof: String) {
        self.path = path
        self.lock = lock
        self.proof = proof
    }

    deinit { close(lock) }

    private var filePath: String { path + ".plist" }

    /// Nanoseconds since 1970; 0 if nothing was written.
    var lastWritten: Int64 {
        var info = stat()
        guard stat(filePath, &info) == 0 else { return 0 }
        return Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
    }

    /// Removes the writes before the lock, so that no other process finds them without a lock.
    func remove() {
        unlink(filePath)
        unlink(path + Self.lockSuffix)
    }

    /// Renames the file, so that no process adopts it.
    ///
    /// - Returns: the file's new path; nil if it had no writes.
    func setAside() -> String? {
        let newPath = filePath + Self.setAsideSuffix
        let wasRenamed = rename(filePath, newPath) == 0
        // The lock stays if the file stays: the next process tries again.
        if wasRenamed || errno == ENOENT { unlink(path + Self.lockSuffix) }
        return wasRenamed ? newPath : nil
    }

    func read() -> Reading {
        var file = FileStorage(path: filePath)
        do throws(SettingsError) {
            guard case .all(let all) = try file.read().difference else { return .content([:]) }
            return .content(
                [String: PropertyListValue](all).compactMapValues { PendingWrite(propertyList: $0) }
            )
        } catch {
            let newPath = (try? file.recover(with: StorageWrite(changes: [:]))) ?? nil
            var (path, failure) = (filePath, error)
            if let newPath, case .unreadable(_, let problem) = error {
                (path, failure) = (newPath, .unreadable(path: newPath, problem))
            }
            SettingsSuite.reportLater(failure, at: path)
            return .damaged
        }
    }

    func write(_ writes: [String: PendingWrite]) throws(SettingsError) {
        var file = FileStorage(path: filePath, newFormat: .binary)
        try file.update { reading in
            var changes = writes.mapValues { PropertyListValue?.some($0.propertyList) }
            if case .all(let old) = reading.difference {
                for key in old.keys where writes[key] == nil { changes.updateValue(nil, forKey: key) }
            }
            return StorageWrite(changes: changes)
        }
    }
}

extension PendingWrite {
    /// The value and its bases. A property list has no "nil", so each is an array with one element or none.
    fileprivate var propertyList: PropertyListValue {
        .array([Self.list(value)] + bases.map { Self.list($0) })
    }

    fileprivate init?(propertyList: PropertyListValue) {
        guard case .array(let lists) = propertyList else { return nil }
        var values: [PropertyListValue?] = []
        for case .array(let list) in lists { values.append(list.first) }
        guard let value = values.first, values.count == lists.count, values.count > 1 else { return nil }
        self.init(value: value, bases: Array(values.dropFirst()))
    }

    private static func list(_ value: PropertyListValue?) -> PropertyListValue {
        .array(value.map { [$0] } ?? [])
    }
}
#endif
