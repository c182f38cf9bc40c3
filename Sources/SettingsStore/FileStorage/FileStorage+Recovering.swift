import PropertyList

// Sets an unreadable file aside and puts a new file in its place. Without this, a suite with a damaged file could never
// be stored again. Only an explicit request does it.
extension FileStorage {
    public mutating func recover(with write: StorageWrite) throws(SettingsError) -> String? {
        do {
            guard let folder = try DirectoryLock.lock(for: path, files) else { return nil }
            let watching = watcher.beginOwnWrite()
            defer {
                folder.unlock()
                watching?.endOwnWrite()
            }
            // A program that replaces the file more often than that leaves no time for this.
            for _ in 0..<8 {
                let found = try files.stat(folder.place.path)
                guard try isUnreadable(in: folder), let found else { return nil }
                if let place = try setAside(found, in: folder, for: write) { return place }
            }
            let reason = "another program keeps writing the file: stop that program, then recover the file"
            throw SettingsError.notWritable(path: path, reason: reason)
        } catch {
            throw named(error)
        }
    }

    /// - Returns: The path of the file that was set aside; nil if another file has its place, and nothing was done.
    private mutating func setAside(
        _ found: FileInfo,
        in folder: DirectoryLock,
        for write: StorageWrite
    ) throws -> String? {
        guard write.changes.values.contains(where: { $0 != nil }) else {
            let (name, place) = try folder.moveFileAside(at: files.now())
            guard let moved = try? files.stat(place), moved.isSameVersion(as: found) else {
                // Another program put its file there in that moment. If a third file is there now, both stay.
                try? files.renameatWithoutReplacing(folder.descriptor, from: name, to: folder.place.name)
                return nil
            }
            _ = becomeAbsent()
            // If that fails, the file is set aside all the same until the power fails.
            try? files.makeDurable(folder.descriptor, path)
            return place
        }
        // The previous file's format, so that the new file can have each of its values.
        var new = PropertyListDocument(format: formatOfNewContent)
        do throws(PropertyListError) {
            try new.apply(write.changes)
        } catch {
            throw refusal(error)
        }
        if !write.quarantine.isEmpty { try keep(write.quarantine, in: folder) }
        var place = ""
        func put(_ new: FileInfo) throws -> DirectoryLock.PutResult {
            let aside = try folder.putNewFileInPlace(settingAsideAt: folder.files.now())
            place = joinPath(folder.place.folder, aside)
            if let there = try? folder.files.stat(place), there.isSameVersion(as: found) { return .inPlace }
            do throws(SystemError) {
                try folder.takeNewFileBack(new, from: aside)
            } catch {
                return .keptAside(place, error)
            }
            return .refused
        }
        let isMade = try makeFile(of: [new.bytes[...]], like: nil, in: folder, if: { true }, put: put)
        guard isMade else { return nil }
        content = .document(new)
        onDiskDocument = nil
        hasLooked = true
        overwrites.note(write.changes, over: nil, at: files.now())
        do throws(SystemError) {
            try files.makeDurable(folder.descriptor, path)
        } catch {
            throw unconfirmed(error)
        }
        durability = .durable
        return place
    }

    private func isUnreadable(in folder: DirectoryLock) throws -> Bool {
        do {
            // In a copy, so that the next reading still reports the differences.
            var probe = self
            _ = try probe.read(in: folder)
            return false
        } catch SettingsError.unreadable(_, let error) {
            guard error.reason == .unsupported else { return true }
            // A file of another kind belongs to another program.
            let reason = "\(error). The file is not damaged, so it stays in its place"
            throw SettingsError.notWritable(path: path, reason: reason)
        } catch let error as SettingsError {
            // A folder or a pipe in the file's place can be renamed. The target of a link belongs to another program.
            guard case .notAFile = error, try files.readlink(path) == nil else { throw error }
            return true
        }
    }
}

extension FileInfo {
    /// Whether both are the same version of the same file, whatever its name is.
    func isSameVersion(as other: FileInfo) -> Bool {
        isOfSameFile(as: other) && identity.size == other.identity.size
            && identity.modified == other.identity.modified
    }
}
