import Glibc

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

    /// Makes the link durably. Nothing may have its name.
    package func make(to target: String) throws(SettingsError) {
        do {
            let (folder, name) = splitPath(path)
            let descriptor = try files.openUninterrupted(folder, flags: O_RDONLY | O_DIRECTORY)
            defer { files.close(descriptor) }
            try files.symlinkat(target, descriptor, name)
            try files.makeDurable(descriptor, path)
        } catch {
            if error.number == EEXIST {
                throw .notWritable(path: path, reason: "another program has put something else there")
            }
            throw SettingsError(error, at: path)
        }
    }

    /// Removes the link durably, if it still has this target.
    package func remove(leadingTo target: String) throws(SettingsError) {
        do {
            if try remove(ifLeadingTo: target) { return }
        } catch {
            throw SettingsError(error, at: path)
        }
        throw .notWritable(path: path, reason: "it no longer is a link to \(target)")
    }

    /// Removes the link durably.
    ///
    /// - Parameter other: A folder that is locked already.
    /// - Returns: False if the link has another target, or is no link. Then it is still there.
    func remove(ifLeadingTo target: String, holding other: DirectoryLock? = nil) throws -> Bool {
        guard try self.target() == target else { return false }
        return try DirectoryLock.withLock(onFolderOf: path, holding: other, files) { folder in
            try folder.removeFile { try files.readlink($0) == target }
        }
    }
}
