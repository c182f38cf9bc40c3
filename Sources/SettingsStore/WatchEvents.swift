import Glibc

/// What happened in the folders that are watched, as far as anybody is concerned.
struct WatchEvents {
    private var names: [Int32: Set<String>] = [:]
    /// What was open for writing under its own name.
    private var written: [Int32: Set<String>] = [:]
    /// Folders that are no longer where they were.
    private var uprooted: Set<Int32> = []
    private var hasOverflowed = false

    init(_ events: [WatchEvent]) {
        for event in events {
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOverflowed = true }
            if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
                uprooted.insert(event.watch)
            }
            // What becomes of that, another name tells.
            if event.name == LockedFolder.newFileName { continue }
            names[event.watch, default: []].insert(event.name)
            if event.mask & UInt32(IN_CLOSE_WRITE) != 0 {
                written[event.watch, default: []].insert(event.name)
            }
        }
    }

    func concern(_ walk: WatchedPlace.Walk) -> Bool {
        hasOverflowed
            || walk.watches.contains { watch, concern in
                uprooted.contains(watch) || names[watch].map(concern.includes(anyOf:)) ?? false
            }
    }

    /// Whether somebody may have written the file where the path ends without replacing it.
    func tellWriting(atEndOf walk: WatchedPlace.Walk) -> Bool {
        guard !hasOverflowed, let end = walk.end, let name = end.name else { return hasOverflowed }
        return written[end.watch]?.contains(name) ?? false
    }

    /// Whether the path may lead somewhere else now: anything but the last file or folder has changed,
    /// or it is a link.
    func mayRedirect(_ walk: WatchedPlace.Walk) -> Bool {
        guard !hasOverflowed, let end = walk.end else { return true }
        let isBeforeEnd = walk.watches.contains { watch, concern in
            if uprooted.contains(watch) { return true }
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
