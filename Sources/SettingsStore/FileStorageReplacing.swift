import Glibc

// How a new file takes the old one's place.
extension FileStorage {
    /// Writes the new file and puts it in the old one's place, if that is still wanted then.
    mutating func replaceFile(
        _ old: Int32?,
        with pieces: [ArraySlice<UInt8>],
        in folder: LockedFolder,
        if isWanted: () throws -> Bool
    ) throws -> Bool {
        if old != nil, let reason = files.reasonNotToWrite(folder.place.path) {
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        var descriptor = try folder.makeNewFile()
        defer { files.close(descriptor) }
        let stamp: Timestamp?
        do {
            if let old { try dress(descriptor, like: old) }
            for piece in pieces { try files.writeAll(descriptor, piece) }
            stamp = try? files.stamp(descriptor)
            try files.fsync(descriptor)
            guard try isWanted() else {
                folder.discardNewFile()
                return false
            }
            // To close it tells watchers of a change: now of one to a name that they don't look at.
            let reader = try folder.reopenNewFile()
            files.close(descriptor)
            descriptor = reader
            try folder.putNewFileInPlace()
        } catch {
            folder.discardNewFile()
            throw error
        }
        // The new file is there, whether or not what follows succeeds.
        durability = .unconfirmed
        seen = nil
        seen = Seen(try files.fstat(descriptor, path), stamp: stamp)
        return true
    }

    /// Gives the new file the owner, mode and extended attributes of the old one.
    private func dress(_ descriptor: Int32, like oldFile: Int32) throws {
        let old = try files.fstat(oldFile, path)
        let new = try files.fstat(descriptor, path)
        if new.owner != old.owner || new.group != old.group {
            try hand(descriptor, toOwnerOf: old)
        }
        let attributes = try files.extendedAttributes(oldFile)
        // The folder may have an access control list for new files, which the old one need not have.
        for attribute in try files.extendedAttributes(descriptor)
        where !attributes.contains(where: { $0.name == attribute.name }) {
            try change(attribute) { name throws(SystemError) in
                try files.removeExtendedAttribute(descriptor, name)
            }
        }
        try files.fchmod(descriptor, mode: old.mode)
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
                    reason: "the file is another user's or group's, which writing would change"
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
