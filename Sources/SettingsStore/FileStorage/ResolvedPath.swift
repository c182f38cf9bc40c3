import Glibc

/// The folder and the name that a path leads to after all symbolic links. A write must replace the target of a link and
/// lock the target's folder, so it resolves links first. There may be no file with the name.
struct ResolvedPath {
    let folder: String
    let name: String

    /// How many links the system follows (path_resolution(7)).
    static let linkLimit = 40

    init(folder: String, name: String) {
        self.folder = folder
        self.name = name
    }

    init(of path: String, _ files: any FileSystem) throws(SystemError) {
        try Self.check(path)
        var path = path
        for _ in 0...Self.linkLimit {
            let (asked, name) = splitPath(path)
            let folder = try Self.resolve(asked, files)
            guard let target = try files.readlink(joinPath(folder, name)) else {
                self.folder = folder
                self.name = name
                return
            }
            path = target.hasPrefix("/") ? target : joinPath(folder, target)
        }
        throw SystemError("open", path, ELOOP)
    }

    /// Returns a missing folder's path unchanged.
    private static func resolve(_ folder: String, _ files: any FileSystem) throws(SystemError) -> String {
        do {
            return try files.resolve(folder)
        } catch  where error.number == ENOENT || error.number == ENOTDIR {
            return folder
        }
    }

    /// Refuses a path with a NUL, where a C string ends, and a path with a `~`, for which ``absolutePath(_:)`` has found
    /// no home folder.
    static func check(_ path: String) throws(SystemError) {
        if path == "~" || path.hasPrefix("~/") { throw SystemError("open", path, ENOENT) }
        if path.utf8.contains(0) { throw SystemError("open", path, EINVAL) }
    }

    var path: String { joinPath(folder, name) }

    /// Whether a path still leads here. The folder must be where it was.
    func isStillReached(by path: String, _ files: any FileSystem) throws(SystemError) -> Bool {
        // An equal path has no link in it. Only the file may have become one.
        if self.path.utf8.elementsEqual(path.utf8) { return try files.readlink(path) == nil }
        return try ResolvedPath(of: path, files) == self
    }
}

extension ResolvedPath: Equatable {
    /// Compares bytes, as the file system does.
    static func == (a: ResolvedPath, b: ResolvedPath) -> Bool { a.path.utf8.elementsEqual(b.path.utf8) }
}
