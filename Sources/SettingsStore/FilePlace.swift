import Glibc

/// Where a path leads after all symbolic links: a folder, and a name in it, be there anything or not.
struct FilePlace {
    let folder: String
    let name: String

    /// As many links as the system follows (path_resolution(7)).
    static let linkLimit = 40

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

    /// As it is where nothing is there.
    private static func resolve(_ folder: String, _ files: any FileSystem) throws(SystemError) -> String {
        do {
            return try files.resolve(folder)
        } catch  where error.number == ENOENT || error.number == ENOTDIR {
            return folder
        }
    }

    /// C's strings end at a NUL, so that a path with one in it would be another path.
    static func check(_ path: String) throws(SystemError) {
        if path.utf8.contains(0) { throw SystemError("open", path, EINVAL) }
    }

    var path: String { joinPath(folder, name) }

    /// Whether a path leads here, whose folder is still where it was.
    func isStillReached(by path: String, _ files: any FileSystem) throws(SystemError) -> Bool {
        // Then there is no link on the way, but for the file.
        if self.path.utf8.elementsEqual(path.utf8) { return try files.readlink(path) == nil }
        return try FilePlace(of: path, files) == self
    }
}

extension FilePlace: Equatable {
    /// By bytes, as the file system compares.
    static func == (a: FilePlace, b: FilePlace) -> Bool { a.path.utf8.elementsEqual(b.path.utf8) }
}
