#if Cluster
import Glibc
import PropertyList
import SettingsStore

/// The last good state of a suite on this machine's disk, from which a process starts while no server
/// answers. It is written some time after a change, and at the end of the process.
final class DiskCopy: Sendable {
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
        /// Whether it has been given everything: changes alone are no copy.
        var isWhole = false
    }

    private let path: String
    /// What is declared is kept beside it; nil where nothing is to be kept.
    private let schema: ClusterSchema?
    private let state = Mutex(State())
    private let file: Mutex<File>
    private let scheduler = LiveWorkScheduler()

    /// - Parameter schema: what is kept beside it; nil keeps nothing, and only reads what is there.
    init(_ path: String, with schema: ClusterSchema?) {
        self.path = path
        self.schema = schema
        file = Mutex(File(storage: FileStorage(path: path, newFormat: .binary)))
    }

    /// Whether there is any.
    var isThere: Bool { access(path, R_OK) == 0 }

    /// What is there; nil where there is nothing, or nothing that can be read.
    func read() -> PropertyListEntries? {
        // A storage of its own, since that of the writer tells everything but once.
        var file = FileStorage(path: path)
        do throws(SettingsError) {
            let reading = try file.read()
            guard reading.exists, case .all(let values) = reading.difference else { return nil }
            return values
        } catch {
            SettingsSuite.onFailure?(path, error)
            return nil
        }
    }

    /// What the suite holds is different now.
    func note(_ difference: StorageReading.Difference) {
        if schema == nil { return }
        let seconds: Double? = state.withLock { state in
            switch (difference, state.unwritten) {
            case (.none, _): return nil
            case (.all(let all), _): state.unwritten = .all(all)
            case (.some(let changes), .nothing): state.unwritten = .some(changes)
            case (.some(let changes), .some(let old)): state.unwritten = .some(old.merging(changes) { $1 })
            case (.some(let changes), .all(var all)):
                state.unwritten = .nothing
                for (key, value) in changes { all[key] = value }
                state.unwritten = .all(all)
            }
            if state.isScheduled { return nil }
            state.isScheduled = true
            UnwrittenCopies.shared.insert(self)
            if case .all = state.unwritten { return 0 }
            return 1
        }
        guard let seconds else { return }
        scheduler.run(after: seconds) { self.write() }
    }

    /// Writes what there is to write. What can't be written is worth a word, but holds up nothing.
    func write() {
        do throws(SettingsError) {
            try file.withLock { file throws(SettingsError) in
                let unwritten = state.withLock { state in
                    defer { state = State() }
                    return state.unwritten
                }
                // First, so that no copy of secrets is there of which nobody knows that they are.
                if case .all = unwritten { schema?.keep() }
                // Not before it is there: the end of the process waits for those that are still to be written.
                defer { state.withLock { if !$0.isScheduled { UnwrittenCopies.shared.remove(self) } } }
                do throws(SettingsError) {
                    try Self.write(unwritten, to: &file)
                } catch {
                    guard case .unreadable = error else { throw error }
                    // It is but a copy.
                    unlink(path)
                    file.isWhole = false
                    if case .all = unwritten { try Self.write(unwritten, to: &file) }
                }
            }
        } catch {
            SettingsSuite.onFailure?(path, error)
        }
    }

    private static func write(
        _ unwritten: Unwritten,
        to file: inout File
    ) throws(SettingsError) {
        switch unwritten {
        case .nothing: break
        case .some(let changes):
            if file.isWhole { try file.storage.update { _ in StorageWrite(changes: changes) } }
        case .all(let all):
            // Told everything anew.
            file.isWhole = false
            file.storage = FileStorage(path: file.storage.path, newFormat: .binary)
            var old = PropertyListEntries()
            try file.storage.update { reading in
                reading.apply(to: &old)
                var changes: [String: PropertyListValue?] = [:]
                for (key, value) in all where old[key] != value { changes.updateValue(value, forKey: key) }
                for key in old.keys where all[key] == nil { changes.updateValue(nil, forKey: key) }
                return StorageWrite(changes: changes)
            }
            file.isWhole = true
        }
    }
}

/// Copies that the end of the process has to write.
private final class UnwrittenCopies: Sendable {
    static let shared = UnwrittenCopies()

    private let copies = Mutex<[ObjectIdentifier: DiskCopy]>([:])

    private init() {
        atexit {
            // What is stored at the last moment is part of them.
            SettingsSuite.storeAllAtTheEnd()
            for copy in UnwrittenCopies.shared.copies.withLock({ Array($0.values) }) { copy.write() }
        }
    }

    func insert(_ copy: DiskCopy) { copies.withLock { $0[ObjectIdentifier(copy)] = copy } }

    func remove(_ copy: DiskCopy) {
        _ = copies.withLock { $0.removeValue(forKey: ObjectIdentifier(copy)) }
    }
}
#endif
