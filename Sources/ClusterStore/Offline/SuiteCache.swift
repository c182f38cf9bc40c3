// A program must be able to start while no server answers. So each suite's last good values are kept in a file on
// this machine's disk, written a second after a change and at the end of the process. Without the cache, a program
// that starts during an outage would have only its defaults.
//
// The file is an ordinary suite's file, so SettingsStore's FileStorage reads and writes it.

#if Cluster
import Glibc
import PropertyList
import SettingsStore

/// The last good values of a suite on this machine's disk.
final class SuiteCache: Sendable {
    private enum Unwritten {
        case nothing
        case all(PropertyListEntries)
        case some([String: PropertyListValue?])
    }

    private struct State {
        var unwritten = Unwritten.nothing
        var isScheduled = false
    }

    private struct File {
        var storage: FileStorage
        /// Whether this process has written all values once. Changes alone would make an incomplete cache.
        var isComplete = false
    }

    /// Seconds after a change.
    private static let writeDelay = 1.0

    private let path: String
    /// Its declared settings are cached beside the values; nil if this cache is only read.
    private let schema: ClusterSchema?
    private let state = Mutex(State())
    private let file: Mutex<File>
    private let scheduler = LiveWorkScheduler()

    /// - Parameter schema: nil makes a cache that is only read.
    init(_ path: String, with schema: ClusterSchema?) {
        self.path = path
        self.schema = schema
        file = Mutex(File(storage: FileStorage(path: path, newFormat: .binary)))
    }

    var exists: Bool { access(path, R_OK) == 0 }

    /// The cached values; nil if there are none, or if they can't be read, which is reported.
    func read() -> PropertyListEntries? {
        // A storage reports all values only at its first reading, so this does not use the writer's storage.
        var file = FileStorage(path: path)
        do throws(SettingsError) {
            let reading = try file.read()
            guard reading.exists, case .all(let values) = reading.difference else { return nil }
            return values
        } catch {
            SettingsSuite.reportLater(error, at: path)
            return nil
        }
    }

    /// Adds a difference to what will be written.
    func add(_ difference: StorageReading.Difference) {
        if schema == nil { return }
        let delay: Double? = state.withLock { state in
            switch (difference, state.unwritten) {
            case (.none, _): return nil
            case (.all(let all), _): state.unwritten = .all(all)
            case (.some(let changes), .nothing): state.unwritten = .some(changes)
            case (.some(let changes), .some(let old)): state.unwritten = .some(old.merging(changes) { $1 })
            case (.some(let changes), .all(var all)):
                // The second reference is released first, so that the entries are changed in place.
                state.unwritten = .nothing
                for (key, value) in changes { all[key] = value }
                state.unwritten = .all(all)
            }
            if state.isScheduled { return nil }
            state.isScheduled = true
            UnwrittenCaches.shared.insert(self)
            if case .all = state.unwritten { return 0 }
            return Self.writeDelay
        }
        guard let delay else { return }
        scheduler.run(after: delay) { self.write() }
    }

    /// Writes what was added. A failure is reported.
    func write() {
        do throws(SettingsError) {
            try file.withLock { file throws(SettingsError) in
                let unwritten = state.withLock { state in
                    defer { state = State() }
                    return state.unwritten
                }
                // The schema comes first, because a cache without a schema would show secrets.
                if case .all = unwritten { schema?.updateCache() }
                // The end of the process waits for the caches in this list, so the file is written before.
                defer { state.withLock { if !$0.isScheduled { UnwrittenCaches.shared.remove(self) } } }
                do throws(SettingsError) {
                    try Self.write(unwritten, to: &file)
                } catch {
                    // A damaged cache is replaced, because the cluster has the values.
                    guard case .unreadable = error else { throw error }
                    unlink(path)
                    file.isComplete = false
                    if case .all = unwritten { try Self.write(unwritten, to: &file) }
                }
            }
        } catch {
            SettingsSuite.reportLater(error, at: path)
        }
    }

    private static func write(
        _ unwritten: Unwritten,
        to file: inout File
    ) throws(SettingsError) {
        switch unwritten {
        case .nothing: break
        case .some(let changes):
            if file.isComplete { try file.storage.update { _ in StorageWrite(changes: changes) } }
        case .all(let all):
            file.isComplete = false
            // A new storage reports all values that the file has.
            file.storage = FileStorage(path: file.storage.path, newFormat: .binary)
            var old = PropertyListEntries()
            try file.storage.update { reading in
                reading.apply(to: &old)
                var changes: [String: PropertyListValue?] = [:]
                for (key, value) in all where old[key] != value { changes.updateValue(value, forKey: key) }
                for key in old.keys where all[key] == nil { changes.updateValue(nil, forKey: key) }
                return StorageWrite(changes: changes)
            }
            file.isComplete = true
        }
    }
}

/// The caches that are written at the end of the process.
private final class UnwrittenCaches: Sendable {
    static let shared = UnwrittenCaches()

    private let caches = Mutex<[ObjectIdentifier: SuiteCache]>([:])

    private init() {
        atExit {
            // The last writes of the process belong into the caches, and failures of the caches are reported too.
            SettingsSuite.storeAllAtTheEnd()
            for cache in UnwrittenCaches.shared.caches.withLock({ Array($0.values) }) { cache.write() }
            SettingsSuite.storeAllAtTheEnd()
        }
    }

    func insert(_ cache: SuiteCache) { caches.withLock { $0[ObjectIdentifier(cache)] = cache } }

    func remove(_ cache: SuiteCache) {
        _ = caches.withLock { $0.removeValue(forKey: ObjectIdentifier(cache)) }
    }
}

/// Makes the folders of a path, with access for this user alone. A failure shows when a file is made in them.
func makePrivateFolders(leadingTo path: String) {
    for end in path.indices.dropFirst() where path[end] == "/" {
        mkdir(String(path[..<end]), 0o700)
    }
}
#endif
