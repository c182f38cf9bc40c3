import Glibc

/// Decides which folders and links must be watched for one path. A folder in the middle of the path may be renamed and a
/// link may be redirected, so watching the last folder would not be enough.
struct WatchedPath {
    enum Kind { case file, folder }

    let path: String
    let kind: Kind

    /// The changes in a watched folder that matter.
    enum Concern: Equatable {
        /// Only moving or removing the folder itself.
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
        /// The end of the path; nil if a folder in it is missing.
        var end: End?
        /// Why the events are not complete; nil if they are.
        var problem: String?
    }

    /// The last folder, and the name of the file in it; nil for a path of a folder.
    struct End: Equatable {
        var watch: Int32
        var folder: String
        var name: String?
    }

    private static let itself = UInt32(IN_ONLYDIR | IN_DELETE_SELF | IN_MOVE_SELF)
    private static let content =
        itself | UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB)

    /// Follows the path as the system does (path_resolution(7)), and watches everything that can make it lead somewhere
    /// else: each folder for being moved or removed, and the folders of links and missing names for these names.
    func walk(_ instance: Int32, _ system: any InotifySystem) throws(SystemError) -> Walk {
        let files = LiveFileSystem()
        var walk = Walk()
        var folder = "/"
        var linksLeft = ResolvedPath.linkLimit
        // In reverse order, so that the next name is at the end.
        var names: [Substring] = path.split(separator: "/").reversed()

        func watchContent(_ name: String?) throws(SystemError) -> End {
            let watch = try system.addWatch(instance, folder, mask: Self.content)
            switch (walk.watches[watch], name) {
            case (.everything, _), (_, nil): walk.watches[watch] = .everything
            case (.names(let others), let name?): walk.watches[watch] = .names(others.union([name]))
            case (.itself, let name?), (nil, let name?): walk.watches[watch] = .names([name])
            }
            if let reason = reasonForMissingEvents(folder, system) { walk.problem = reason }
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
                // The folder is gone, and the next walk finds that. Or this user may not read it, so that it can't be
                // watched.
                if ![ENOENT, ENOTDIR, EACCES].contains(error.number) { throw error }
            }
            folder = next
        }
        walk.end = try watchContent(nil)
        return walk
    }

    /// Why the events of a folder are not complete: other machines can change its files too (statfs(2) lists the types).
    private func reasonForMissingEvents(_ folder: String, _ system: any InotifySystem) -> String? {
        let remote: [Int: String] = [
            0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB2", 0x0102_1997: "9P",
            0x6573_5546: "FUSE", 0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x0BD0_0BD0: "Lustre",
            0x0116_1970: "GFS2", 0x7461_636F: "OCFS2", 0x786F_4256: "a shared folder of VirtualBox",
        ]
        guard let type = system.fileSystemType(of: folder), let name = remote[type] else { return nil }
        return "the folder is on \(name), which does not report changes of other machines"
    }
}
