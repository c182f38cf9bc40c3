#if Cluster
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// What was set and could not be stored, on this machine's disk: in a file of each process, beside which the
/// process holds a lock for as long as it lives. What one has left that is no more, the next one takes over.
final class PendingFiles: Sendable {
    private struct State {
        /// Of this process; nil before there was anything to keep.
        var own: PendingFile?
        /// Of processes that are no more.
        var left: [PendingFile] = []
        var hasLooked = false
        var kept: [String: PendingWrite] = [:]
        /// Why they could not be kept when that was tried last.
        var failure: SettingsError?
    }

    private let folder: String
    private let suite: SuiteName
    private let state = Mutex(State())

    /// - Parameter copies: the folder of the last good copies.
    init(_ suite: SuiteName, in copies: SettingsFolder) {
        self.suite = suite
        folder = copies.path + "/.pending"
    }

    /// What processes have left that are no more; only the first time. It stays where it is until something
    /// is kept in its place. Where several have set one key, that of the file that was written last is taken.
    ///
    /// - Returns: also the keys of which something else was left, which is not.
    func takeLeft() -> (writes: [String: PendingWrite], replaced: Set<String>) {
        state.withLock { state in
            if state.hasLooked { return ([:], []) }
            state.hasLooked = true
            let found = names().compactMap { PendingFile(lockedAt: "\(folder)/\($0)", isNew: false) }
            var all: [String: PendingWrite] = [:]
            var replaced: Set<String> = []
            for file in found.sorted(by: { $0.lastWritten < $1.lastWritten }) {
                guard let writes = file.read() else { continue }
                state.left.append(file)
                for (key, write) in writes where all[key].map({ $0.value != write.value }) ?? false {
                    replaced.insert(key)
                }
                all.merge(writes) { $1 }
            }
            return (all, replaced)
        }
    }

    /// Keeps writes in place of all that was kept or left before.
    ///
    /// - Returns: whether they outlive the process.
    func keep(_ writes: [String: PendingWrite]) -> Bool {
        state.withLock { state in
            if writes == state.kept, state.left.isEmpty { return true }
            do throws(SettingsError) {
                if writes.isEmpty {
                    state.own?.remove()
                    state.own = nil
                } else {
                    if state.own == nil { state.own = newFile() }
                    guard let own = state.own else { return false }
                    try own.write(writes)
                }
            } catch {
                if state.failure != error { SettingsSuite.onFailure?(folder, error) }
                state.failure = error
                return false
            }
            for file in state.left { file.remove() }
            (state.kept, state.left, state.failure) = (writes, [], nil)
            return true
        }
    }

    private func newFile() -> PendingFile? {
        let path = "\(folder)/\(suite)-\(UUID().uuidString)"
        // The lock needs the folder.
        makeFolders(leadingTo: path)
        return PendingFile(lockedAt: path, isNew: true)
    }

    /// The files of the suite, without what stands behind the point.
    private func names() -> [String] {
        let length = suite.rawValue.utf8.count + "-".utf8.count + UUID().uuidString.utf8.count
        return FolderNames.all(in: folder).compactMap { name in
            guard name.hasSuffix(PendingFile.lockSuffix), name.hasPrefix(suite.rawValue + "-") else {
                return nil
            }
            let stem = name.dropLast(PendingFile.lockSuffix.count)
            return stem.utf8.count == length ? String(stem) : nil
        }
    }
}

/// One file of pending writes, and the lock that says that somebody has it in use.
private final class PendingFile: Sendable {
    static let lockSuffix = ".lock"

    private let path: String
    private let lock: Int32

    /// Nil where somebody else holds the lock, or the system refuses it.
    init?(lockedAt path: String, isNew: Bool) {
        self.path = path
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (isNew ? O_CREAT | O_EXCL : 0)
        lock = open(path + Self.lockSuffix, flags, 0o600)
        if lock < 0 { return nil }
        if flock(lock, LOCK_EX | LOCK_NB) != 0 {
            close(lock)
            return nil
        }
    }

    deinit { close(lock) }

    private var filePath: String { path + ".plist" }

    /// By the clock of the day, in nanoseconds.
    var lastWritten: Int64 {
        var info = stat()
        guard stat(filePath, &info) == 0 else { return 0 }
        return Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
    }

    /// Removes the file, and then the lock.
    func remove() {
        unlink(filePath)
        unlink(path + Self.lockSuffix)
    }

    /// Nil where it can't be read: then that is reported, and the file set aside.
    func read() -> [String: PendingWrite]? {
        var file = FileStorage(path: filePath)
        do throws(SettingsError) {
            guard case .all(let all) = try file.read().difference else { return [:] }
            return [String: PropertyListValue](all).compactMapValues { PendingWrite(propertyList: $0) }
        } catch {
            let place = (try? file.recover(with: StorageWrite(changes: [:]))) ?? nil
            var (path, failure) = (filePath, error)
            if let place, case .unreadable(_, let problem) = error {
                (path, failure) = (place, .unreadable(path: place, problem))
            }
            // Whoever is told may want to read the suite, which is being read.
            LiveWorkScheduler().run { [path, failure] in SettingsSuite.onFailure?(path, failure) }
            return nil
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
    /// A property list has no place for what isn't there: an array with the value, or an empty one.
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
