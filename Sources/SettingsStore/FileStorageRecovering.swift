import PropertyList

// How what can't be read is set aside, with a new file in its place.
extension FileStorage {
    public mutating func recover(with write: StorageWrite) throws(SettingsError) -> String? {
        do {
            guard let folder = try LockedFolder.lock(for: path, files) else { return nil }
            let watching = watcher.beginOwnWrite()
            defer {
                folder.unlock()
                watching?.endOwnWrite()
            }
            // Nobody goes on making something else of it for that long.
            for _ in 0..<8 {
                let found = try files.stat(folder.place.path)
                guard try isUnreadable(in: folder), let found else { return nil }
                if let place = try setAside(found, in: folder, for: write) { return place }
            }
            let reason = "another program writes the file again and again, and leaves no time to set it aside"
            throw SettingsError.notWritable(path: path, reason: reason)
        } catch {
            throw named(error)
        }
    }

    /// - Returns: where it lies; nil where it is another one by now, and nothing was done.
    private mutating func setAside(
        _ found: FileInfo,
        in folder: LockedFolder,
        for write: StorageWrite
    ) throws -> String? {
        guard write.changes.values.contains(where: { $0 != nil }) else {
            let place = try folder.moveFileAside(at: files.now())
            _ = becomeAbsent()
            // Should it fail, the file is aside all the same until the power goes.
            try? files.fsync(folder.descriptor)
            return place
        }
        // What the last file could hold the new one can.
        var new = PropertyListDocument(format: content?.format == .binary ? .binary : newFormat)
        do throws(PropertyListError) {
            try new.apply(write.changes)
        } catch {
            throw refusal(error)
        }
        if !write.keeping.isEmpty { try keep(write.keeping, in: folder) }
        var place = ""
        func put(_: FileInfo) throws -> End {
            let aside = try folder.putNewFileInPlace(settingAsideAt: folder.files.now())
            place = joinPath(folder.place.folder, aside)
            if let there = try? folder.files.stat(place), there.isSameVersion(as: found) { return .inPlace }
            do throws(SystemError) {
                try folder.takeNewFileBack(from: aside)
            } catch {
                return .over(place, error)
            }
            return .not
        }
        let isMade = try makeFile(of: [new.bytes[...]], like: nil, in: folder, if: { true }, put: put)
        guard isMade else { return nil }
        content = .document(new)
        standIn = nil
        isUnreadable = false
        hasLooked = true
        recentWrites.note(write.changes, over: nil, at: files.now())
        do throws(SystemError) {
            try files.fsync(folder.descriptor)
        } catch {
            throw unconfirmed(error)
        }
        durability = .durable
        return place
    }

    private func isUnreadable(in folder: LockedFolder) throws -> Bool {
        do {
            // Of a copy, so that what it finds is still to be told by the next reading.
            var probe = self
            _ = try probe.read(in: folder)
            return false
        } catch SettingsError.unreadable {
            return true
        } catch let error as SettingsError {
            // A folder or a pipe in its place keeps all that it has under another name. What a link leads to
            // is somebody else's.
            guard case .notAFile = error, try files.readlink(path) == nil else { throw error }
            return true
        }
    }
}

extension FileInfo {
    /// Whether nobody has written it in between, whatever its name is.
    fileprivate func isSameVersion(as other: FileInfo) -> Bool {
        isOfSameFile(as: other) && identity.size == other.identity.size
            && identity.modified == other.identity.modified
    }
}
