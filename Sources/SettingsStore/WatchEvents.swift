import Glibc

/// What happened in the folders that are watched, as far as anybody is concerned.
struct WatchEvents {
    /// A file, by the watch of its folder and its name, or by its own watch and no name.
    private struct File: Hashable {
        let watch: Int32
        var name = ""
    }

    private var names: [Int32: Set<String>] = [:]
    /// The places, in the order of the events, of the last ones that tell that a file was changed and may
    /// still be open, and that it was closed after having been open for writing.
    private var changed: [File: Int] = [:]
    private var closed: [File: Int] = [:]
    /// Files that were made, removed, or have taken another one's place.
    private var exchanged: Set<File> = []
    /// Folders that are no longer where they were.
    private var uprooted: Set<Int32> = []
    private var hasOverflowed = false

    init(_ events: [WatchEvent]) {
        for (index, event) in events.enumerated() {
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOverflowed = true }
            if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
                uprooted.insert(event.watch)
            }
            // What becomes of that, another name tells.
            if event.name == LockedFolder.newFileName { continue }
            names[event.watch, default: []].insert(event.name)
            let file = File(watch: event.watch, name: event.name)
            if event.mask & UInt32(IN_MODIFY | IN_CREATE) != 0 { changed[file] = index }
            if event.mask & UInt32(IN_CLOSE_WRITE) != 0 { closed[file] = index }
            if event.mask & UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO) != 0 {
                exchanged.insert(file)
            }
        }
    }

    /// Whether they tell of nothing that anybody could be concerned by.
    var isEmpty: Bool { names.isEmpty && uprooted.isEmpty && !hasOverflowed }

    func concern(_ armed: ArmedPlace) -> Bool {
        hasOverflowed
            || armed.walk.watches.contains { watch, concern in
                uprooted.contains(watch) || names[watch].map(concern.includes(anyOf:)) ?? false
            }
    }

    /// Whether somebody may have written the file where the path ends without replacing it.
    func tellWriting(of armed: ArmedPlace) -> Bool {
        if hasOverflowed { return true }
        if let file = armed.file, changed[File(watch: file)] != nil { return true }
        return named(armed).map { closed[$0] != nil } ?? false
    }

    /// Whether the file where the path ends was changed and not closed after that; nil where it was neither
    /// changed nor closed.
    func leaveOpen(_ armed: ArmedPlace) -> Bool? {
        let named = named(armed)
        let changes = [named, armed.file.map { File(watch: $0) }].compactMap { $0.flatMap { changed[$0] } }
        let close = named.flatMap { closed[$0] }
        guard let lastChange = changes.max() else { return close == nil ? nil : false }
        return lastChange > close ?? -1
    }

    /// Whether another file may lie where the path ends, or none.
    func exchangeFile(of armed: ArmedPlace) -> Bool { named(armed).map(exchanged.contains) ?? false }

    /// The file where the path ends, by its name.
    private func named(_ armed: ArmedPlace) -> File? {
        guard let end = armed.walk.end, let name = end.name else { return nil }
        return File(watch: end.watch, name: name)
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
