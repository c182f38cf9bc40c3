import Glibc

/// What stands for a suite's file, where that is a symbolic link: the link alone, whatever it leads to.
package struct SuiteLink: Sendable {
    let path: String
    let files: any FileSystem

    /// - Parameter path: The suite's file, as it was asked for.
    package init(path: String, files: any FileSystem = LiveFileSystem()) {
        self.path = path
        self.files = files
    }

    /// Where it leads, as it is written there; nil where the path is no symbolic link.
    package func target() throws(SystemError) -> String? { try files.readlink(path) }

    /// Makes it where nothing is, durably.
    package func make(to target: String) throws(SettingsError) {
        do {
            try inFolder { folder, name throws(SystemError) in try files.symlinkat(target, folder, name) }
        } catch {
            if error.number == EEXIST {
                throw .notWritable(path: path, reason: "something else has its place by now")
            }
            throw SettingsError(error, at: path)
        }
    }

    /// Removes it, durably, if it leads there still.
    package func remove(leadingTo target: String) throws(SettingsError) {
        do {
            guard try self.target() == target else {
                throw SettingsError.notWritable(path: path, reason: "it is no link to \(target) any more")
            }
            try remove()
        } catch {
            throw SettingsError(error, at: path)
        }
    }

    /// Removes it, durably.
    func remove() throws(SystemError) {
        try inFolder { folder, name throws(SystemError) in try files.unlinkat(folder, name) }
    }

    private func inFolder(_ act: (Int32, String) throws(SystemError) -> Void) throws(SystemError) {
        let (folder, name) = splitPath(path)
        let descriptor = try files.openUninterrupted(folder, flags: O_RDONLY | O_DIRECTORY)
        defer { files.close(descriptor) }
        try act(descriptor, name)
        try files.fsync(descriptor)
    }
}
