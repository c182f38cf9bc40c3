import Glibc

// Gives the new file the suite's name.
//
// Problem: another program may put its own file in place in the same moment, without a lock. Approach: the new file and
// the old one exchange names in one step (renameat2(2)), so that the replaced file can be examined and put back. Without
// it, the other program's file would be lost.

extension DirectoryLock {
    /// How putting a new file in place ended.
    enum PutResult {
        case inPlace
        /// Nothing was replaced, because the suite's file is not the one that was read. Every file has its place again.
        case refused
        /// The new file is in place. The replaced file was not the one that was read, and could not be put back. It has
        /// this path.
        case keptAside(String, SystemError)
    }

    /// Puts the new file in the place of the suite's.
    ///
    /// - Parameters:
    ///   - old: The file that was read; nil if there was none.
    ///   - staysWanted: Called after the exchange: whether the new file stays in place.
    func put(
        _ new: FileInfo,
        inPlaceOf old: FileInfo?,
        keepingIf staysWanted: () -> Bool
    ) throws -> PutResult {
        guard let old else { return try putFirstFileInPlace() ? .inPlace : .refused }
        do throws(SystemError) {
            try exchangeNewFile()
        } catch {
            switch error.number {
            case ENOENT: return .refused
            // Some filters of system calls refuse unknown calls with EPERM.
            case EINVAL, ENOSYS, EPERM:
                try putNewFileInPlace()
                return .inPlace
            case EBUSY:
                let reason =
                    "the file itself is a mount point, so it can't be replaced: mount its folder instead"
                throw SettingsError.notWritable(path: place.path, reason: reason)
            default: throw error
            }
        }
        if (try? hasPrivateName(old)) == true, staysWanted() { return .inPlace }
        // At once. Otherwise the unlocked writer might read a file that lacks its change.
        do throws(SystemError) {
            try exchangeNewFile()
        } catch {
            let name = joinPath(place.folder, newFileName)
            return .keptAside((try? setNewFileAside()) ?? name, error)
        }
        // In that moment, too, a program may have put another file there, or may have written the new one.
        guard let isNew = try? hasPrivateName(new) else { return .refused }
        if isNew, !isWrittenInPlace(new) { return .refused }
        try? exchangeNewFile()
        return isNew ? .inPlace : .refused
    }

    /// Whether an unlocked writer has written the new file while the new file had the suite's name.
    private func isWrittenInPlace(_ new: FileInfo) -> Bool {
        guard let file = try? openExchanged() else { return false }
        defer { files.close(file) }
        if files.isOpenForWriting(file) == true { return true }
        guard let now = try? files.fstat(file, place.path) else { return false }
        return now.identity.size != new.identity.size || now.identity.modified != new.identity.modified
    }

    /// Whether the file with the private name is this one.
    private func hasPrivateName(_ other: FileInfo) throws -> Bool {
        let file = try openExchanged()
        defer { files.close(file) }
        return try files.fstat(file, place.path).isOfSameFile(as: other)
    }

    /// Gives the new file the suite's name, and unlinks the file that has it.
    func putNewFileInPlace() throws(SystemError) {
        try files.renameat(descriptor, from: newFileName, to: place.name)
    }

    /// Gives the new file the suite's name if nothing has that.
    ///
    /// - Returns: False if something has it.
    func putFirstFileInPlace() throws(SystemError) -> Bool {
        do {
            try files.renameatWithoutReplacing(descriptor, from: newFileName, to: place.name)
            return true
        } catch  where error.number == EEXIST {
            return false
        }
    }

    /// Exchanges the names of the new file and the suite's. A second call takes that back.
    func exchangeNewFile() throws(SystemError) {
        try files.renameatExchanging(descriptor, newFileName, place.name)
    }

    /// Gives the new file the suite's name, and the file that has it a free name, in one step if the file system
    /// supports that. Otherwise there is at least one of the two files at every moment, if the file system supports hard
    /// links.
    ///
    /// - Returns: The free name.
    func putNewFileInPlace(settingAsideAt time: Timestamp) throws(SystemError) -> String {
        let aside = try renameAside(newFileName, at: time)
        do throws(SystemError) {
            try files.renameatExchanging(descriptor, aside, place.name)
        } catch {
            do throws(SystemError) {
                guard [EINVAL, ENOSYS, EPERM].contains(error.number) else { throw error }
                try files.renameat(descriptor, from: aside, to: newFileName)
            } catch {
                try? files.unlinkat(descriptor, aside)
                throw error
            }
            try putNewFileInPlace(settingAsideAs: aside)
        }
        return aside
    }

    /// Does the same on file systems that can't exchange names.
    private func putNewFileInPlace(settingAsideAs aside: String) throws(SystemError) {
        if linkFile(as: aside) {
            do {
                try putNewFileInPlace()
            } catch {
                try? files.unlinkat(descriptor, aside)
                throw error
            }
            return
        }
        // Something that can't have a second name, such as a folder.
        try files.renameatWithoutReplacing(descriptor, from: place.name, to: aside)
        do {
            try putNewFileInPlace()
        } catch {
            try? files.renameatWithoutReplacing(descriptor, from: aside, to: place.name)
            throw error
        }
    }

    /// Gives the suite's file a second name.
    ///
    /// - Returns: Whether it has that.
    private func linkFile(as name: String) -> Bool {
        guard let file = (try? openFile()) ?? nil else { return false }
        defer { files.close(file) }
        return (try? files.linkat(file, descriptor, name)) != nil
    }

    /// Exchanges the names back.
    ///
    /// If another program has put its file in the new one's place before, that file keeps the suite's name, and nothing
    /// is removed.
    func takeNewFileBack(_ new: FileInfo, from aside: String) throws(SystemError) {
        try files.renameatExchanging(descriptor, aside, place.name)
        guard let there = try? files.stat(joinPath(place.folder, aside)) else { return }
        if there.isOfSameFile(as: new) {
            try? files.unlinkat(descriptor, aside)
        } else {
            try? files.renameatExchanging(descriptor, aside, place.name)
        }
    }
}
