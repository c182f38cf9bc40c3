import Glibc

/// A path that is watched.
struct WatchedPlace {
    enum Kind { case file, folder }

    let path: String
    let kind: Kind

    /// What matters in a folder that is watched.
    enum Concern: Equatable {
        /// Whether it is where it was.
        case itself
        case names(Set<String>)
        case everything

        func includes(anyOf happened: Set<String>) -> Bool {
            switch self {
            case .itself: false
            case .names(let names): !names.isDisjoint(with: happened)
            case .everything: true
            }
        }
    }

    typealias Watches = [Int32: Concern]

    struct Walk: Equatable {
        var watches: Watches = [:]
        /// Where it ends; nil where something is missing on the way.
        var end: End?
        /// Why the watches don't tell of everything; nil where they do.
        var problem: String?
    }

    /// The last folder, and the file in it; nil where the folder itself was meant.
    struct End: Equatable {
        var watch: Int32
        var folder: String
        var name: String?
    }

    private static let itself = UInt32(IN_ONLYDIR | IN_DELETE_SELF | IN_MOVE_SELF)
    private static let content =
        itself | UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB)

    /// Goes along the path, as the system does (path_resolution(7)), and watches everything whose
    /// change would make it lead somewhere else: each folder for being moved or removed, and, by their
    /// names, links and what is missing in the folders that hold them.
    func walk(_ instance: Int32, _ system: any WatchSystem) throws(SystemError) -> Walk {
        let files = LiveFileSystem()
        var walk = Walk()
        var folder = "/"
        var linksLeft = FilePlace.linkLimit
        // The next one is the last one.
        var names: [Substring] = path.split(separator: "/").reversed()

        func watchContent(_ name: String?) throws(SystemError) -> End {
            let watch = try system.addWatch(instance, folder, mask: Self.content)
            switch (walk.watches[watch], name) {
            case (.everything, _), (_, nil): walk.watches[watch] = .everything
            case (.names(let others), let name?): walk.watches[watch] = .names(others.union([name]))
            case (.itself, let name?), (nil, let name?): walk.watches[watch] = .names([name])
            }
            if let reason = reasonToDistrust(folder, system) { walk.problem = reason }
            return End(watch: watch, folder: folder, name: name)
        }

        while let name = names.popLast() {
            if name == "." { continue }
            if name == ".." {
                folder = splitPath(folder).folder
                continue
            }
            let next = joinPath(folder, String(name))
            if linksLeft > 0, let target = try files.readlink(next) {
                linksLeft -= 1
                _ = try watchContent(String(name))
                names += target.split(separator: "/").reversed()
                if target.hasPrefix("/") { folder = "/" }
                continue
            }
            let isWatchedFile = names.isEmpty && kind == .file
            guard !isWatchedFile, try files.stat(next)?.kind == .folder else {
                let end = try watchContent(String(name))
                if isWatchedFile { walk.end = end }
                return walk
            }
            do {
                let watch = try system.addWatch(instance, next, mask: Self.itself)
                walk.watches[watch] = walk.watches[watch] ?? .itself
            } catch {
                // Gone meanwhile, which the next walk finds; or a folder that may be passed but not
                // read, which can't be watched.
                if ![ENOENT, ENOTDIR, EACCES].contains(error.number) { throw error }
            }
            folder = next
        }
        walk.end = try watchContent(nil)
        return walk
    }

    /// Watches the file where a walk ended for being written, which its folder tells of only when it is
    /// closed, and only under the name that it was opened by. Nil where there is none, or none to be read.
    static func watchFile(
        at end: End?,
        _ instance: Int32,
        _ system: any WatchSystem
    ) throws(SystemError) -> Int32? {
        guard let end, let name = end.name else { return nil }
        do {
            return try system.addWatch(instance, joinPath(end.folder, name), mask: UInt32(IN_MODIFY))
        } catch {
            if [ENOENT, ENOTDIR, EACCES, EPERM].contains(error.number) { return nil }
            throw error
        }
    }

    /// Why the events of a folder don't tell everything: its files are changed by other machines too
    /// (statfs(2) names the types).
    private func reasonToDistrust(_ folder: String, _ system: any WatchSystem) -> String? {
        let remote: [Int: String] = [
            0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB2", 0x0102_1997: "9P",
            0x6573_5546: "FUSE", 0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x0BD0_0BD0: "Lustre",
            0x0116_1970: "GFS2", 0x7461_636F: "OCFS2", 0x786F_4256: "a shared folder of VirtualBox",
        ]
        guard let type = system.fileSystemType(of: folder), let name = remote[type] else { return nil }
        return "the folder is on \(name), which does not tell of other machines' changes"
    }
}
