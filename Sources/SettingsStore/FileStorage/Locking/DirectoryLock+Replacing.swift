import Glibc

// Gives the new file the suite's name.
//
// Problem: another program may put its own file in place in the same moment, without a lock. Approach: the new file and
// the old one exchange names in one step (renameat2(2)), so that the replaced file can be examined and put back. Without
// it, the other program's file would be lost.

extension DirectoryLock {
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
    /// supports that. Otherwise there is at least one of the two files at every moment.
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
