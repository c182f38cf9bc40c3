/// The version of the suite's file that was read, to find out whether another program has changed the file since.
struct KnownVersion {
    let path: String
    let exists: Bool
    /// Nil if the version is not known exactly.
    let seen: FileStorage.Seen?
    let files: any FileSystem

    /// Whether another program has changed, removed or made the file since it was read.
    func isChanged(_ file: Int32?, in folder: DirectoryLock) throws -> Bool {
        guard let file else { return try exists || files.stat(folder.place.path) != nil }
        guard exists else { return true }
        guard let seen else { return false }
        return try files.fstat(file, path).identity != seen.identity
    }

    /// Whether a program has written the file since it was read. Renaming the file changes only its other time.
    func isWritten(_ file: Int32?) -> Bool {
        guard let file, let old = seen?.identity else { return false }
        guard let now = try? files.fstat(file, path).identity else { return true }
        return now.size != old.size || now.modified != old.modified
    }

    func isStillThere(_ file: Int32?, in folder: DirectoryLock) throws -> Bool {
        let there = try files.stat(folder.place.path)?.identity
        let opened = try file.map { try files.fstat($0, path).identity }
        return there?.device == opened?.device && there?.inode == opened?.inode
    }
}
