import Glibc

/// The events of one reading, grouped by folder and file. Registrations ask whether the batch concerns them.
struct InotifyBatch {
    private var names: [Int32: Set<String>] = [:]
    /// Folders that were moved or removed.
    private var movedFolders: Set<Int32> = []
    private var hasOverflowed = false

    init(_ events: [WatchEvent]) {
        for event in events {
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOverflowed = true }
            if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
                movedFolders.insert(event.watch)
            }
            // The new file then gets the suite's name, which is an event of its own.
            if DirectoryLock.isPrivateName(event.name) { continue }
            names[event.watch, default: []].insert(event.name)
        }
    }

    /// Whether no registration can be concerned.
    var isEmpty: Bool { names.isEmpty && movedFolders.isEmpty && !hasOverflowed }

    func concern(_ armed: ArmedPath) -> Bool {
        hasOverflowed
            || armed.walk.watches.contains { watch, concern in
                movedFolders.contains(watch) || names[watch].map(concern.includes(anyOf:)) ?? false
            }
    }

    /// Whether the path may lead somewhere else now, because more than its last file has changed, or that is a link.
    func mayRedirect(_ walk: WatchedPath.Walk) -> Bool {
        guard !hasOverflowed, let end = walk.end else { return true }
        let isBeforeEnd = walk.watches.contains { watch, concern in
            if movedFolders.contains(watch) { return true }
            guard var happened = names[watch] else { return false }
            if watch == end.watch {
                guard let name = end.name else { return false }
                happened.remove(name)
            }
            return concern.includes(anyOf: happened)
        }
        if isBeforeEnd { return true }
        guard let name = end.name, names[end.watch]?.contains(name) == true else { return false }
        return (try? LiveFileSystem().readlink(joinPath(end.folder, name))) != .some(nil)
    }
}
