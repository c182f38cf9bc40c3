import Glibc
import PropertyList

// Removing a suite must not destroy a file that no process of ours has read. An unlocked writer may rename its file into
// place at any moment. So the suite's file first gets a private name, and is removed if it has the bytes that were read.
extension FileStorage {
    /// Removes the suite's file, or the symbolic link that leads to it.
    ///
    /// - Returns: False if there was none.
    /// - Throws: Also if the file can't be read: only ``recover(with:)`` sets such a file aside.
    public mutating func remove() throws(SettingsError) -> Bool {
        do {
            guard let folder = try DirectoryLock.lock(for: path, files) else { return false }
            defer { folder.unlock() }
            for _ in 0..<Self.removingRounds {
                guard try read(in: folder).exists else { return false }
                if try removeFile(leadingTo: link.target(), in: folder) {
                    _ = becomeAbsent()
                    return true
                }
            }
            let reason = "another program keeps writing the file: stop that program, then delete the file"
            throw SettingsError.notWritable(path: path, reason: reason)
        } catch {
            throw named(error)
        }
    }

    /// How often another program may replace the file while it is being removed.
    private static var removingRounds: Int { 64 }
}

extension FileStorage {
    /// Removes the file, or the symbolic link that leads to it. If an undo is to restore the file's exact bytes, its
    /// template is kept.
    ///
    /// - Returns: The foreign changes since the file was read, if there are any. Then the file is still there.
    mutating func removeFile(in folder: DirectoryLock) throws -> StorageReading? {
        let target = try link.target()
        guard let file = try folder.openFile() else {
            if let target, try !removeLink(leadingTo: target, in: folder) { return try read(in: folder) }
            _ = becomeAbsent()
            return nil
        }
        defer { files.close(file) }
        guard try !knownVersion.isChanged(file, in: folder) else { return try read(in: folder) }
        var template = keepsSpellings ? try self.template(of: file) : nil
        template?.link = target
        guard try removeFile(leadingTo: target, in: folder) else { return try read(in: folder) }
        _ = becomeAbsent()
        if let template { removed = removed.suffix(Self.templateLimit - 1) + [template] }
        return nil
    }

    /// - Parameter target: The target of the suite's file, if that is a symbolic link.
    /// - Returns: False if another program has replaced the file since it was read. Then it is still there.
    private func removeFile(leadingTo target: String?, in folder: DirectoryLock) throws -> Bool {
        if let target { return try removeLink(leadingTo: target, in: folder) }
        if let reason = files.reasonNotToWrite(folder.place.path) {
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        return try folder.removeFile { _ in try hasPrivateNameAsRead(in: folder) }
    }

    private func removeLink(leadingTo target: String, in folder: DirectoryLock) throws -> Bool {
        try link.remove(ifLeadingTo: target, holding: folder)
    }

    /// Whether the file with the private name is the version that was read last.
    private func hasPrivateNameAsRead(in folder: DirectoryLock) throws -> Bool {
        guard let seen else { return false }
        let file: Int32
        do throws(SystemError) {
            file = try folder.openExchanged()
        } catch {
            // A symbolic link is not the file that was read.
            guard error.number == ELOOP else { throw error }
            return false
        }
        defer { files.close(file) }
        let info = try files.fstat(file, path)
        guard info.isSameVersion(as: seen.info) else { return false }
        // A program may have written the file since, and may have set its modification time back. The rename has set
        // its time of change. So only its bytes are certain.
        let bytes = try readAll(file, expecting: Int(info.identity.size))
        if case .outline(let outline)? = content { return outline.document(of: bytes) != nil }
        return (onDiskDocument ?? document).map { haveSameBytes($0.bytes, bytes) } ?? false
    }
}

extension FileStorage {
    /// How many templates are kept: a suite may be removed several times, with different keys.
    private static var templateLimit: Int { 4 }

    /// The template of the removed suite with these keys, the last one if there are several.
    func removedTemplate(with keys: Set<String>) -> SuiteTemplate? {
        if let template = removed.last(where: { Set($0.keys) == keys }) { return template }
        // Only some of its keys come back. They have their earlier bytes, and are not the target of the link.
        var template = keys.isEmpty ? nil : removed.last { keys.isSubset(of: $0.keys) } ?? removed.last
        template?.link = nil
        return template
    }
}

extension StorageWrite {
    var isMaking: Bool { if case .create = suiteAction { true } else { false } }
}
