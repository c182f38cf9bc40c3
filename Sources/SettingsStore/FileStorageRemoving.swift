extension FileStorage {
    /// Removes the suite's file, or the symbolic link that leads to it, so that the suite is as one that never
    /// was.
    ///
    /// - Returns: false where there was none.
    /// - Throws: where the file can't be read, too: only ``recover()`` sets such a file aside.
    public mutating func remove() throws(SettingsError) -> Bool {
        do {
            guard let folder = try LockedFolder.lock(for: path, files) else { return false }
            defer { folder.unlock() }
            guard try read(in: folder).exists else { return false }
            if try link() != nil {
                try removeLink()
                _ = becomeAbsent()
                return true
            }
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
    /// Removes the file whose keys all are to go, or the symbolic link that leads to it. What is removed is
    /// remembered where what is taken back is to be as it was.
    ///
    /// - Returns: what somebody has changed in it meanwhile; then it is still there.
    mutating func removeFile(in folder: LockedFolder) throws -> StorageReading? {
        let link = try link()
        guard let file = try folder.openFile() else {
            if link != nil { try removeLink() }
            _ = becomeAbsent()
            removed = nil
            return nil
        }
        defer { files.close(file) }
        if link == nil, let reason = files.reasonNotToWrite(folder.place.path) {
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        guard try !isChanged(file, in: folder) else { return try read(in: folder) }
        var form = keepsSpellings ? try self.form(of: file) : nil
        form?.link = link
        if link == nil { try folder.removeFile() } else { try removeLink() }
        _ = becomeAbsent()
        removed = form
        return nil
    }
}

extension StorageWrite {
    var isMaking: Bool { if case .made = whole { true } else { false } }
}

extension LockedFolder {
    /// Removes the file, durably.
    func removeFile() throws(SystemError) {
        try files.unlinkat(descriptor, place.name)
        try files.fsync(descriptor)
    }
}
