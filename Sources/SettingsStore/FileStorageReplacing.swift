import Glibc
import PropertyList

// How a new file takes the old one's place.
extension FileStorage {
    /// What a new file has put out of the way.
    enum Replaced {
        /// The file that it was made from, or none where there was none.
        case expected
        /// What somebody has put there in the moment before.
        case other([UInt8])
    }

    /// Writes the new file and puts it in the old one's place, if that is still wanted then.
    ///
    /// - Parameter isNamed: whether the new file is to have a name before it is written.
    /// - Returns: nil where it is not there.
    mutating func replaceFile(
        _ old: Int32?,
        with pieces: [ArraySlice<UInt8>],
        in folder: LockedFolder,
        named isNamed: Bool = false,
        if isWanted: () throws -> Bool
    ) throws -> Replaced? {
        if old != nil, let reason = files.reasonNotToWrite(folder.place.path) {
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        let look = try old.map(look(of:))
        let file = try folder.makeNewFile(mode: look?.firstMode ?? 0o600, named: isNamed)
        let descriptor = file.descriptor
        var isOpen = true
        defer { if isOpen { files.close(descriptor) } }
        let stamp: Timestamp?
        let new: FileInfo
        let replaced: Replaced
        do {
            if let look {
                try dress(descriptor, in: look)
            } else if let model {
                try files.fchmod(descriptor, mode: model.mode)
            }
            try files.writeAll(descriptor, pieces)
            let mark = FileMark(over: look?.info, lastLate: lastLate, at: files.now())
            stamp = try? files.stamp(descriptor, digits: mark.digits)
            try files.fsync(descriptor)
            guard try isWanted() else {
                folder.discardNewFile()
                return nil
            }
            guard try folder.name(file) else {
                return try replaceFile(old, with: pieces, in: folder, named: true, if: isWanted)
            }
            new = try files.fstat(descriptor, path)
            // That tells watchers of a change: now of one to a name that they don't look at.
            files.close(descriptor)
            isOpen = false
            guard let done = try putInPlace(of: look?.info, in: folder) else {
                folder.discardNewFile()
                return nil
            }
            replaced = done
        } catch {
            folder.discardNewFile()
            throw error
        }
        // The new file is there, whether or not what follows succeeds.
        durability = .unconfirmed
        seen = nil
        keepsMarks = new.identity.modified == stamp
        seen = try seen(new, stamp: stamp, in: folder)
        return replaced
    }

    /// The new file as it is in its place, nil where somebody has put another there since.
    private func seen(_ new: FileInfo, stamp: Timestamp?, in folder: LockedFolder) throws -> Seen? {
        guard let descriptor = try folder.openFile() else { return nil }
        defer { files.close(descriptor) }
        let info = try files.fstat(descriptor, path)
        return info.isOfSameFile(as: new) ? Seen(info, stamp: stamp) : nil
    }

    /// Nil where the new file keeps its name, since something is there that it must not replace.
    private func putInPlace(of old: FileInfo?, in folder: LockedFolder) throws -> Replaced? {
        guard let old else { return try folder.putFirstFileInPlace() ? .expected : nil }
        do throws(SystemError) {
            try folder.exchangeNewFile()
        } catch {
            switch error.number {
            case ENOENT: return nil
            case EINVAL, ENOSYS:
                try folder.putNewFileInPlace()
                return .expected
            default: throw error
            }
        }
        if let replaced = try? examineExchanged(old, in: folder) {
            folder.discardNewFile()
            return replaced
        }
        // If that can't be taken back, the new file is the suite's.
        return (try? folder.exchangeNewFile()) == nil ? .expected : nil
    }

    /// Nil where nobody can say what the other file holds.
    private func examineExchanged(_ old: FileInfo, in folder: LockedFolder) throws -> Replaced? {
        let descriptor = try folder.openExchanged()
        defer { files.close(descriptor) }
        let info = try files.fstat(descriptor, path)
        if info.isOfSameFile(as: old) { return .expected }
        guard info.kind == .file else { return nil }
        let bytes = try readAll(descriptor, expecting: Int(info.identity.size))
        _ = try PropertyListDocument.read(bytes)
        return .other(bytes)
    }

    /// What a new file takes over from the old one besides values.
    private struct Look {
        let info: FileInfo
        let attributes: [ExtendedAttribute]

        /// The mode that the new file is made with: at once the old one's, so that watchers need not hear of
        /// another, where nobody can do more with that than anybody can; else its owner's alone.
        var firstMode: UInt32 {
            let isForEverybody = info.mode >> 3 & 7 == info.mode & 7 && attributes.isEmpty
            return isForEverybody ? info.mode & 0o777 | 0o600 : 0o600
        }
    }

    private func look(of old: Int32) throws -> Look {
        Look(info: try files.fstat(old, path), attributes: try files.extendedAttributes(old))
    }

    /// Gives the new file the owner, mode and extended attributes of the old one.
    private func dress(_ descriptor: Int32, in look: Look) throws {
        let (old, attributes) = (look.info, look.attributes)
        let new = try files.fstat(descriptor, path)
        var hasMode = new.mode == old.mode
        if new.owner != old.owner || new.group != old.group {
            try hand(descriptor, toOwnerOf: old)
            hasMode = false
        }
        // The folder may have an access control list for new files, which the old one need not have.
        for attribute in try files.extendedAttributes(descriptor)
        where !attributes.contains(where: { $0.name == attribute.name }) {
            try change(attribute) { name throws(SystemError) in
                try files.removeExtendedAttribute(descriptor, name)
            }
            hasMode = false
        }
        if !hasMode { try files.fchmod(descriptor, mode: old.mode) }
        for attribute in attributes {
            try change(attribute) { _ throws(SystemError) in
                try files.setExtendedAttribute(descriptor, attribute)
            }
        }
    }

    private func hand(_ descriptor: Int32, toOwnerOf old: FileInfo) throws(SettingsError) {
        do throws(SystemError) {
            try files.fchown(descriptor, owner: old.owner, group: old.group)
        } catch {
            throw error.number == EPERM
                ? .notWritable(
                    path: path,
                    reason: files.reasonNotToHand(toOwnerOf: old)
                )
                : .system(error)
        }
    }

    private func change(
        _ attribute: ExtendedAttribute,
        _ call: (String) throws(SystemError) -> Void
    ) throws(SystemError) {
        do {
            try call(attribute.name)
        } catch {
            // Outside `user.` the system gives a new file its own.
            let isOurs = attribute.name.hasPrefix("user.")
            guard !isOurs, [EPERM, EACCES, ENOTSUP].contains(error.number) else { throw error }
        }
    }
}
