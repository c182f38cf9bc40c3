import CLinux
import Dispatch
import Glibc
import Synchronization

/// Watches folders through inotify(7): one instance for the whole process, one watch a folder.
///
/// What it tells is a hint to look: the kernel merges equal events and may drop them, so a hint says
/// neither what happened nor how often. A folder that isn't there, or that goes away, is waited for
/// at the nearest folder above it. Where there are no watches to be had, and on file systems whose
/// changes by other machines make no events, the hints come regularly instead.
public final class FolderWatcher: Sendable {
    public static let shared = FolderWatcher()

    private struct Interest {
        let folder: String
        /// nil: every file of the folder.
        let file: String?
        let hint: @Sendable () -> Void
    }

    private struct Folder {
        var interests = 0
        /// The watch on the folder itself, or on the nearest one above it that exists.
        var watch: Int32?
        var isThere = false
        /// Why the folder is polled; nil where events can be relied on.
        var pollReason: String?
    }

    private struct State {
        var descriptor: Int32?
        var source: (any DispatchSourceRead)?
        var lastID: UInt64 = 0
        var interests: [UInt64: Interest] = [:]
        var folders: [String: Folder] = [:]
        var isPolling = false
    }

    private let state = Mutex(State())
    private let scheduler: any Scheduler
    private let queue = DispatchQueue(label: "FolderWatcher", qos: .userInitiated)

    public init(scheduler: any Scheduler = LiveScheduler()) { self.scheduler = scheduler }

    deinit {
        state.withLock { state in
            if let source = state.source { source.cancel() }
        }
    }

    /// Seconds between hints where there are no events.
    private static let pollInterval = 1.0

    /// Hints whenever a file may have changed, appeared or gone, for as long as the watch is held.
    ///
    /// - Parameters:
    ///   - folder: an absolute path.
    ///   - file: the name of the file; nil for any file of the folder.
    public func watch(
        _ folder: String,
        file: String?,
        _ hint: @escaping @Sendable () -> Void
    ) -> StorageWatch {
        let (id, reason): (UInt64, String?) = state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            state.interests[id] = Interest(folder: folder, file: file, hint: hint)
            state.folders[folder, default: Folder()].interests += 1
            if state.folders[folder]?.interests == 1 { arm(folder, &state) }
            return (id, state.folders[folder]?.pollReason)
        }
        let holder = Holder { [weak self] in self?.forget(id) }
        return StorageWatch(reason.map { .polling($0) } ?? .events, heldBy: holder)
    }

    private final class Holder: Sendable {
        let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }

    private func forget(_ id: UInt64) {
        state.withLock { state in
            guard let interest = state.interests.removeValue(forKey: id) else { return }
            state.folders[interest.folder]?.interests -= 1
            if state.folders[interest.folder]?.interests == 0 {
                disarm(interest.folder, &state)
                state.folders[interest.folder] = nil
            }
        }
    }
}

// MARK: - Watches

extension FolderWatcher {
    private static let mask = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF
    )

    /// Puts a watch on a folder, or on what is above it until it is there.
    private func arm(_ folder: String, _ state: inout State) {
        guard let descriptor = openInstance(&state) else {
            return poll(folder, because: "no inotify instance is to be had", &state)
        }
        var path = folder
        while true {
            let watch = inotify_add_watch(descriptor, path, Self.mask | UInt32(IN_ONLYDIR))
            if watch >= 0 {
                state.folders[folder]?.watch = watch
                state.folders[folder]?.isThere = path == folder
                if path == folder, let reason = reasonToDistrust(folder) {
                    poll(folder, because: reason, &state)
                } else {
                    state.folders[folder]?.pollReason = nil
                }
                return
            }
            if errno != ENOENT && errno != ENOTDIR || path == "/" {
                let reason =
                    errno == ENOSPC ? "the user's inotify watches are used up" : message(ofErrorNumber: errno)
                return poll(folder, because: reason, &state)
            }
            path = splitPath(path).folder
        }
    }

    private func disarm(_ folder: String, _ state: inout State) {
        guard let watch = state.folders[folder]?.watch, let descriptor = state.descriptor else { return }
        state.folders[folder]?.watch = nil
        // Paths of the same folder share a watch.
        if !state.folders.values.contains(where: { $0.watch == watch }) {
            inotify_rm_watch(descriptor, watch)
        }
    }

    private func openInstance(_ state: inout State) -> Int32? {
        if let descriptor = state.descriptor { return descriptor }
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        if descriptor < 0 { return nil }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.readEvents(descriptor) }
        source.setCancelHandler { _ = close(descriptor) }
        source.activate()
        state.descriptor = descriptor
        state.source = source
        return descriptor
    }

    /// Why the events of a folder don't tell everything: its files are changed by other machines too
    /// (statfs(2) names the types).
    private func reasonToDistrust(_ folder: String) -> String? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return nil }
        defer { close(descriptor) }
        let remote: [Int: String] = [
            0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB2", 0x0102_1997: "9P",
            0x6573_5546: "FUSE", 0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x0BD0_0BD0: "Lustre",
        ]
        guard let name = remote[clinux_file_system_type(descriptor)] else { return nil }
        return "the folder is on \(name), which does not tell of other machines' changes"
    }
}

// MARK: - Events

extension FolderWatcher {
    private func readEvents(_ descriptor: Int32) {
        var changed: [Int32: Set<String>] = [:]
        var uprooted: Set<Int32> = []
        var hasOverflowed = false
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count <= 0 { return }
                var offset = 0
                while offset + 16 <= count {
                    let watch = buffer.load(fromByteOffset: offset, as: Int32.self)
                    let mask = buffer.load(fromByteOffset: offset + 4, as: UInt32.self)
                    let length = Int(buffer.load(fromByteOffset: offset + 12, as: UInt32.self))
                    let name = buffer[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }
                    offset += 16 + length
                    if mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOverflowed = true }
                    if mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
                        uprooted.insert(watch)
                    }
                    changed[watch, default: []].insert(String(decoding: name, as: UTF8.self))
                }
            }
        }
        let hints: [@Sendable () -> Void] = state.withLock { state in
            var moved: Set<String> = []
            for (path, folder) in state.folders {
                guard let watch = folder.watch else { continue }
                let isMoved = uprooted.contains(watch) || (!folder.isThere && changed[watch] != nil)
                guard isMoved || hasOverflowed else { continue }
                moved.insert(path)
                if isMoved {
                    disarm(path, &state)
                    arm(path, &state)
                }
            }
            return state.interests.values.compactMap { interest in
                if moved.contains(interest.folder) { return interest.hint }
                guard let watch = state.folders[interest.folder]?.watch, let names = changed[watch] else {
                    return nil
                }
                return interest.file.map(names.contains) ?? true ? interest.hint : nil
            }
        }
        for hint in hints { hint() }
    }

    private func poll(_ folder: String, because reason: String, _ state: inout State) {
        state.folders[folder]?.pollReason = reason
        if state.isPolling { return }
        state.isPolling = true
        scheduler.run(after: Self.pollInterval) { [weak self] in self?.pollAll() }
    }

    private func pollAll() {
        let hints = state.withLock { state in
            let polled = state.interests.values.filter { state.folders[$0.folder]?.pollReason != nil }
            state.isPolling = !polled.isEmpty
            return polled.map(\.hint)
        }
        for hint in hints { hint() }
        if !hints.isEmpty {
            scheduler.run(after: Self.pollInterval) { [weak self] in self?.pollAll() }
        }
    }
}
