import Glibc
import PropertyList

// How a new file takes the old one's place.
extension FileStorage {
    /// Writes the new file and puts it in the old one's place, if that is still wanted then.
    ///
    /// - Returns: whether it is there.
    mutating func replaceFile(
        _ old: Int32?,
        with pieces: [ArraySlice<UInt8>],
        in folder: LockedFolder,
        if isWanted: () throws -> Bool
    ) throws -> Bool {
        if old != nil, let refusal = files.refusalToWrite(folder.place.path) {
            // Renamed away since it was opened.
            if refusal.number == ENOENT { return false }
            let reason = files.reasonNotToWrite(folder.place.path) ?? "\(refusal)"
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        let look = try old.map(look(of:))
        return try makeFile(of: pieces, like: look, in: folder, if: isWanted) { [self] new in
            try put(new, inPlaceOf: look?.info, in: folder)
        }
    }

    /// Writes a new file, and has it put in its place, if that is still wanted then.
    ///
    /// - Parameters:
    ///   - isNamed: whether the new file is to have a name before it is written.
    ///   - put: gives it the suite's name, when it has that of new files.
    /// - Returns: whether it is there.
    mutating func makeFile(
        of pieces: [ArraySlice<UInt8>],
        like look: Look?,
        in folder: LockedFolder,
        named isNamed: Bool = false,
        if isWanted: () throws -> Bool,
        put: (FileInfo) throws -> End
    ) throws -> Bool {
        let file = try folder.makeNewFile(mode: look?.firstMode ?? 0o600, named: isNamed)
        let descriptor = file.descriptor
        var isOpen = true
        var hasName = file.isNamed
        defer {
            if isOpen { files.close(descriptor) }
            if hasName { folder.discardNewFile() }
        }
        if let look {
            try dress(descriptor, in: look)
        } else if let model {
            try files.fchmod(descriptor, mode: model.mode)
        }
        try files.writeAll(descriptor, pieces)
        let (stamp, isMarked) = mark(descriptor, over: look)
        try files.fsync(descriptor)
        guard try isWanted() else { return false }
        guard try folder.name(file) else {
            return try makeFile(of: pieces, like: look, in: folder, named: true, if: isWanted, put: put)
        }
        hasName = true
        let new = try files.fstat(descriptor, path)
        // That tells watchers of a change: now of one to a name that they don't look at.
        files.close(descriptor)
        isOpen = false
        let end = try put(new)
        // Of the old file nothing is needed any more, but for what is somebody else's.
        if case .over = end { hasName = false }
        if case .not = end { return false }
        // The new file is there, whether or not what follows succeeds.
        durability = .unconfirmed
        seen = nil
        keepsMarks = isMarked
        seen = (try? seen(new, stamp: stamp, in: folder)) ?? nil
        if case .over(let place, let error) = end {
            let reason =
                "what was set is in the file, but what it replaced is not what was read before, and can't be put back: "
                + "it is \(place) (\(error.call) failed: \(message(ofErrorNumber: error.number)))"
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        return true
    }

    /// Marks the new file, and returns the time that it was to have, and whether it has the mark.
    private mutating func mark(_ descriptor: Int32, over old: Look?) -> (stamp: Timestamp?, isMarked: Bool) {
        let now = files.now()
        let mark = FileMark(over: old?.info, marked: old?.mark, lastLate: lastLate, at: now)
        let isFresh =
            old.map { old in
                // Over a file of ours that program may be about to write again what it had written before.
                old.info.identity.changed.isLess(than: old.mark == nil ? 20 : 100, before: now)
            } ?? false
        let isJustLate = lastLate?.isLess(than: 20, before: now) ?? false
        contest =
            mark.isJustOverOthers(at: now)
            ? Contest(since: contest?.start ?? now, isFresh: isFresh || isJustLate) : nil
        do throws(SystemError) {
            let file = try files.fstat(descriptor, path)
            let stamp = try? files.stamp(descriptor, digits: mark.digits(of: file))
            let stamped = try files.fstat(descriptor, path)
            if stamped.identity.modified == stamp { return (stamp, true) }
            return (stamp, (try? files.setExtendedAttribute(descriptor, mark.attribute(of: stamped))) != nil)
        } catch {
            return (nil, false)
        }
    }

    /// The new file as it is in its place, nil where somebody has put another there since.
    private func seen(_ new: FileInfo, stamp: Timestamp?, in folder: LockedFolder) throws -> Seen? {
        guard let descriptor = try folder.openFile() else { return nil }
        defer { files.close(descriptor) }
        let info = try files.fstat(descriptor, path)
        return info.isOfSameFile(as: new) ? Seen(info, stamp: stamp) : nil
    }

    /// How it ends that a new file is put in its place.
    enum End {
        case inPlace
        /// The new file is not to be there, since somebody has put another there in the moment before.
        case not
        /// It is there, and the other one, which could not be put back, at another place.
        case over(String, SystemError)
    }

    private func put(_ new: FileInfo, inPlaceOf old: FileInfo?, in folder: LockedFolder) throws -> End {
        guard let old else { return try folder.putFirstFileInPlace() ? .inPlace : .not }
        do throws(SystemError) {
            try folder.exchangeNewFile()
        } catch {
            switch error.number {
            case ENOENT: return .not
            // Some filters of system calls refuse with EPERM what they don't know.
            case EINVAL, ENOSYS, EPERM:
                try folder.putNewFileInPlace()
                return .inPlace
            case EBUSY:
                let reason =
                    "the file is mounted there by itself, so that no new one can take its place: mount its folder"
                throw SettingsError.notWritable(path: path, reason: reason)
            default: throw error
            }
        }
        if (try? hasNewName(old, in: folder)) == true { return .inPlace }
        // At once, so that nobody builds upon what lacks theirs.
        do throws(SystemError) {
            try folder.exchangeNewFile()
        } catch {
            let name = joinPath(folder.place.folder, LockedFolder.newFileName)
            return .over((try? folder.setNewFileAside()) ?? name, error)
        }
        // In that moment, too, somebody may have put another there.
        if (try? hasNewName(new, in: folder)) == false { try? folder.exchangeNewFile() }
        return .not
    }

    /// Whether the new file's name is that of a file that was looked at before.
    private func hasNewName(_ file: FileInfo, in folder: LockedFolder) throws -> Bool {
        let descriptor = try folder.openExchanged()
        defer { files.close(descriptor) }
        return try files.fstat(descriptor, path).isOfSameFile(as: file)
    }

    /// What a new file takes over from the old one besides values.
    struct Look {
        let info: FileInfo
        let attributes: [ExtendedAttribute]
        let mark: FileMark?

        /// The mode that the new file is made with: at once the old one's, so that watchers need not hear of
        /// another, where nobody can do more with that than anybody can; else its owner's alone.
        var firstMode: UInt32 {
            let isForEverybody = info.mode >> 3 & 7 == info.mode & 7 && attributes.isEmpty
            return isForEverybody ? info.mode & 0o777 | 0o600 : 0o600
        }
    }

    private func look(of old: Int32) throws -> Look {
        let (info, attributes) = (try files.fstat(old, path), try files.extendedAttributes(old))
        return Look(
            info: info,
            attributes: attributes.filter { $0.name != FileMark.attributeName },
            mark: FileMark(of: info, attributes: attributes)
        )
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

extension Timestamp {
    fileprivate func isLess(than milliseconds: Int64, before now: Timestamp) -> Bool {
        now.nanoseconds - nanoseconds < milliseconds * 1_000_000
    }
}
