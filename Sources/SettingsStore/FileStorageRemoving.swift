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

extension FileStorage {
    /// Removes the file whose keys all are to go. What is removed is remembered where what is taken back is to
    /// be as it was.
    ///
    /// - Returns: what somebody has changed in it meanwhile; then it is still there.
    mutating func removeFile(in folder: LockedFolder) throws -> StorageReading? {
        guard let file = try folder.openFile() else {
            _ = becomeAbsent()
            return nil
        }
        defer { files.close(file) }
        if let reason = files.reasonNotToWrite(folder.place.path) {
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        guard try !isChanged(file, in: folder) else { return try read(in: folder) }
        let form = keepsSpellings ? try self.form(of: file) : nil
        try folder.removeFile()
        _ = becomeAbsent()
        removed = form
        return nil
    }
}

extension StorageWrite {
    var isMaking: Bool { if case .made = whole { true } else { false } }
}

extension LockedFolder {
    /// Removes the suite's file, durably.
    fileprivate func removeFile() throws(SystemError) {
        try files.unlinkat(descriptor, place.name)
        try files.fsync(descriptor)
    }
}
