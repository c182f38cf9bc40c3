import Glibc
import PropertyList

// Puts a new file in the old one's place: write it without a name, make it durable, exchange the two files, and verify
// that the replaced file is the version that was read. Otherwise exchange them back. `DirectoryLock+Replacing.swift` says
// why.
extension FileStorage {
    /// Writes the new file and puts it in the old one's place.
    ///
    /// - Parameters:
    ///   - isWanted: Called when the new file is complete. If it returns false, nothing is replaced.
    ///   - staysWanted: Called after the exchange. If it returns false, the files are exchanged back.
    /// - Returns: Whether the new file is in place.
    mutating func putFile(
        of pieces: [ArraySlice<UInt8>],
        inPlaceOf old: Int32?,
        in folder: DirectoryLock,
        if isWanted: () throws -> Bool,
        keepingIf staysWanted: () -> Bool
    ) throws -> Bool {
        if old != nil, let refusal = files.refusalToWrite(folder.place.path) {
            // The file was renamed since it was opened.
            if refusal.number == ENOENT { return false }
            let reason = files.reasonNotToWrite(folder.place.path) ?? "\(refusal)"
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        let metadata = try old.map(metadata(of:))
        return try makeFile(of: pieces, like: metadata, in: folder, if: isWanted) { new in
            try folder.put(new, inPlaceOf: metadata?.info, keepingIf: staysWanted)
        }
    }

    /// Writes a new file, and calls `put` to put it in its place.
    ///
    /// - Parameters:
    ///   - isNamed: Whether the new file gets its private name before it is written.
    ///   - isWanted: Called when the new file is complete. If it returns false, nothing is replaced.
    ///   - put: Gives the file, which has its private name then, the suite's name.
    /// - Returns: Whether the new file is in place.
    mutating func makeFile(
        of pieces: [ArraySlice<UInt8>],
        like old: Metadata?,
        in folder: DirectoryLock,
        named isNamed: Bool = false,
        if isWanted: () throws -> Bool,
        put: (FileInfo) throws -> DirectoryLock.PutResult
    ) throws -> Bool {
        let file = try folder.makeNewFile(mode: old?.firstMode ?? 0o600, named: isNamed)
        let descriptor = file.descriptor
        var isOpen = true
        var hasName = file.isNamed
        defer {
            if isOpen { files.close(descriptor) }
            if hasName { folder.discardNewFile() }
        }
        if let old {
            try copyMetadata(old, to: descriptor)
        } else if let newFileTemplate {
            try files.fchmod(descriptor, mode: newFileTemplate.mode)
        }
        if isForEveryone { try files.fchmod(descriptor, mode: 0o644) }
        try files.writeAll(descriptor, pieces)
        let (exactTime, newMark) = mark(descriptor, over: old)
        try files.makeDurable(descriptor, path)
        guard try isWanted() else { return false }
        guard try folder.name(file) else {
            return try makeFile(of: pieces, like: old, in: folder, named: true, if: isWanted, put: put)
        }
        hasName = true
        let new = try files.fstat(descriptor, path)
        // Closing a written file is an event. Now it has the private name, which watchers ignore.
        files.close(descriptor)
        isOpen = false
        let result = try put(new)
        // The private name has the old file now, which goes, or a file of another program, which stays.
        if case .keptAside = result { hasName = false }
        if case .refused = result { return false }
        // The new file is in place, whether or not the next steps succeed.
        durability = .unconfirmed
        seen = nil
        mark = newMark
        seen = (try? seen(new, exactTime: exactTime, in: folder)) ?? nil
        if case .keptAside(let place, let error) = result {
            let reason =
                "your change is in the file, but another program replaced the file during the write, and its version can't be restored: "
                + "it is \(place) (\(error.call) failed: \(message(ofErrorNumber: error.number)))"
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        return true
    }

    /// Marks the new file as one of ours, with an exact time, which no later write of it can have.
    ///
    /// - Returns: The time and the mark; nil if the file can't have them.
    private func mark(_ descriptor: Int32, over old: Metadata?) -> (Timestamp?, WriteMark?) {
        let exactTime = try? files.setExactTime(descriptor)
        let mark = WriteMark(
            lastUnlockedWrite: [old?.mark.lastUnlockedWrite, lateWrite].compactMap { $0 }.max()
        )
        guard let file = try? files.fstat(descriptor, path),
            (try? files.setExtendedAttribute(descriptor, mark.attribute(of: file))) != nil
        else { return (exactTime, nil) }
        return (exactTime, mark)
    }

    /// The new file in its place; nil if another program has put another file there since.
    private func seen(_ new: FileInfo, exactTime: Timestamp?, in folder: DirectoryLock) throws -> Seen? {
        guard let descriptor = try folder.openFile() else { return nil }
        defer { files.close(descriptor) }
        let info = try files.fstat(descriptor, path)
        return info.isOfSameFile(as: new) ? Seen(info, exactTime: exactTime) : nil
    }

    /// The metadata that a new file takes over from the old one.
    struct Metadata {
        let info: FileInfo
        let attributes: [ExtendedAttribute]
        let mark: WriteMark

        /// The mode that the new file is made with: the old one's, which saves an event, if its group may do the
        /// same as everyone. Otherwise only its owner may read it until it has the right group.
        var firstMode: UInt32 {
            let isForEverybody = info.mode >> 3 & 7 == info.mode & 7 && attributes.isEmpty
            return isForEverybody ? info.mode & 0o777 | 0o600 : 0o600
        }
    }

    private func metadata(of old: Int32) throws -> Metadata {
        let (info, attributes) = (try files.fstat(old, path), try files.extendedAttributes(old))
        return Metadata(
            info: info,
            attributes: attributes.filter { $0.name != WriteMark.attributeName },
            mark: WriteMark(of: info, attributes)
        )
    }

    /// Gives the new file the owner, mode and extended attributes of the old one.
    private func copyMetadata(_ metadata: Metadata, to descriptor: Int32) throws {
        let (old, attributes) = (metadata.info, metadata.attributes)
        let new = try files.fstat(descriptor, path)
        var hasMode = new.mode == old.mode
        if new.owner != old.owner || new.group != old.group {
            try hand(descriptor, toOwnerOf: old)
            hasMode = false
        }
        // The folder may have an access control list for new files that the old file does not have.
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
            // The system sets attributes outside `user.` itself.
            let isOurs = attribute.name.hasPrefix("user.")
            guard !isOurs, [EPERM, EACCES, ENOTSUP].contains(error.number) else { throw error }
        }
    }
}
