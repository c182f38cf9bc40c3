extension FileStorage {
    /// Removes the suite's file, so that the suite is as one that never was.
    ///
    /// - Returns: false where there was none.
    /// - Throws: where the file can't be read, too: only ``recover()`` sets such a file aside.
    public mutating func remove() throws(SettingsError) -> Bool {
        do {
            guard let folder = try LockedFolder.lock(for: path, files) else { return false }
            defer { folder.unlock() }
            guard try read(in: folder).exists else { return false }
            if let reason = files.reasonNotToWrite(folder.place.path) {
                throw SettingsError.notWritable(path: path, reason: reason)
            }
            try folder.removeFile()
            _ = becomeAbsent()
            return true
        } catch {
            throw named(error)
        }
    }
}

extension LockedFolder {
    /// Removes the suite's file, durably.
    fileprivate func removeFile() throws(SystemError) {
        try files.unlinkat(descriptor, place.name)
        try files.fsync(descriptor)
    }
}
