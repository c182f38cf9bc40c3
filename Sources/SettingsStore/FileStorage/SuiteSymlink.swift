/// A suite's file that is a symbolic link: the link itself, whatever it leads to.
package struct SuiteSymlink: Sendable {
    let path: String
    let files: any FileSystem

    /// - Parameter path: The path of the suite's file, with links in it.
    package init(path: String, files: any FileSystem = LiveFileSystem()) {
        self.path = path
        self.files = files
    }

    /// The text of the link; nil if the path is no symbolic link.
    package func target() throws(SystemError) -> String? { try files.readlink(path) }

    /// Removes the link durably.
    ///
    /// - Parameter other: A folder that is locked already.
    /// - Returns: False if the link has another target, or is no link. Then it is still there.
    func remove(ifLeadingTo target: String, holding other: DirectoryLock) throws -> Bool {
        guard try self.target() == target else { return false }
        return try DirectoryLock.withLock(onFolderOf: path, holding: other, files) { folder in
            try folder.removeFile { try files.readlink($0) == target }
        }
    }
}
