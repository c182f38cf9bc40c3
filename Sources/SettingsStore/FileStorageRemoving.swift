extension FileStorage {
    /// Removes the suite's file, or the symbolic link that leads to it, so that the suite is as one that never
    /// was.
    ///
    /// - Returns: false where there was none.
    /// - Throws: where the file can't be read, too: only ``recover(with:)`` sets such a file aside.
    public mutating func remove() throws(SettingsError) -> Bool {
        do {
            guard let folder = try LockedFolder.lock(for: path, files) else { return false }
            defer { folder.unlock() }
            guard try read(in: folder).exists else { return false }
            if try link.target() != nil {
                try link.remove()
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
        let target = try link.target()
        guard let file = try folder.openFile() else {
            if target != nil { try link.remove() }
            _ = becomeAbsent()
            return nil
        }
        defer { files.close(file) }
        if target == nil, let reason = files.reasonNotToWrite(folder.place.path) {
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        guard try !isChanged(file, in: folder) else { return try read(in: folder) }
        var form = keepsSpellings ? try self.form(of: file) : nil
        form?.link = target
        if target == nil { try folder.removeFile() } else { try link.remove() }
        _ = becomeAbsent()
        if let form { removed = removed.suffix(Self.mostRemoved - 1) + [form] }
        return nil
    }
}

extension FileStorage {
    /// The same file may be removed several times, with more and with less in it.
    private static var mostRemoved: Int { 4 }

    /// How the suite was written that is made again with these keys, when this has removed it last.
    func removedForm(with keys: Set<String>) -> SuiteForm? {
        if let form = removed.last(where: { Set($0.keys) == keys }) { return form }
        // Only some of it comes back: that has its spelling, and is not what the link leads to.
        var form = keys.isEmpty ? nil : removed.last { keys.isSubset(of: $0.keys) } ?? removed.last
        form?.link = nil
        return form
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
