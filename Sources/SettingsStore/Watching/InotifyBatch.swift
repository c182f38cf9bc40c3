import Glibc

/// The events of one reading, grouped by folder and file. Registrations ask whether the batch concerns them.
struct InotifyBatch {
    /// A file: the watch of its folder and its name, or its own watch without a name.
    private struct File: Hashable {
        let watch: Int32
        var name = ""
    }

    private var names: [Int32: Set<String>] = [:]
    /// For each file the number of the last event for a change, after which it may still be open, and of the last event
    /// for its closing by a writer.
    private var changed: [File: Int] = [:]
    private var closed: [File: Int] = [:]
    /// Files that were made, removed, or have taken another one's place.
    private var exchanged: Set<File> = []
    /// Folders that were moved or removed.
    private var movedFolders: Set<Int32> = []
    private var hasOverflowed = false

    init(_ events: [WatchEvent]) {
        for (index, event) in events.enumerated() {
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOverflowed = true }
            if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
                movedFolders.insert(event.watch)
            }
            // The new file then gets the suite's name, which is an event of its own.
            if DirectoryLock.isPrivateName(event.name) { continue }
            names[event.watch, default: []].insert(event.name)
            let file = File(watch: event.watch, name: event.name)
            if event.mask & UInt32(IN_MODIFY | IN_CREATE) != 0 { changed[file] = index }
            if event.mask & UInt32(IN_CLOSE_WRITE) != 0 { closed[file] = index }
            if event.mask & UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO) != 0 {
                exchanged.insert(file)
            }
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

    /// Whether the file at the end of the path was changed and not closed after that; nil if it was neither changed nor
    /// closed.
    func leaveOpen(_ armed: ArmedPath) -> Bool? {
        let named = named(armed)
        let changes = [named, armed.file.map { File(watch: $0) }].compactMap { $0.flatMap { changed[$0] } }
        let close = named.flatMap { closed[$0] }
        guard let lastChange = changes.max() else { return close == nil ? nil : false }
        return lastChange > close ?? -1
    }

    /// Whether there may be another file, or none, at the end of the path.
    func exchangeFile(of armed: ArmedPath) -> Bool { named(armed).map(exchanged.contains) ?? false }

    /// The file at the end of the path, by its name.
    private func named(_ armed: ArmedPath) -> File? {
        guard let end = armed.walk.end, let name = end.name else { return nil }
        return File(watch: end.watch, name: name)
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
