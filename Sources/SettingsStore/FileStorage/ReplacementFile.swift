import Glibc
import PropertyList

// The file that takes the place of a suite's file.
//
// Problem: a program that reads the suite's file, or a loss of power, must find the old file or the new one, whole.
// Approach: a new file without a name (open(2), O_TMPFILE) is written and made durable, gets a private name, and then
// exchanges names with the old file in one step (renameat2(2)), so that the replaced file can be examined and put back.
// Without it, a killed writer would leave its half-written file behind, and a file that another program puts in place
// in that moment would be lost.

extension DirectoryLock {
    /// The name of a new file before it gets the suite's, and of the replaced file after it lost that. The process that
    /// has the lock owns these names.
    ///
    /// It uses the first of them that it can clear of a killed process's file: only root can remove another user's file
    /// in a sticky folder, or unlink a folder.
    final class PrivateName {
        /// The name that is used unless something else has it and cannot be removed.
        static let first = ".pdefaults.new"
        static let all = [first] + (2...8).map { "\(first)-\($0)" }
        var number = 1
        var text: String { Self.all[number - 1] }
    }

    /// Whether a file with this name is one that a process writes before it gives it a suite's name.
    static func isPrivateName(_ name: String) -> Bool {
        name.hasPrefix(PrivateName.first) && PrivateName.all.contains(name)
    }

    /// The private name in use.
    var newFileName: String { privateName.text }
}

extension DirectoryLock {
    /// Opens the suite's file for reading; nil if there is none.
    func openFile() throws(SystemError) -> Int32? {
        do {
            // O_NONBLOCK, because opening a pipe would wait for its writer.
            let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
            return try files.openatUninterrupted(descriptor, place.name, flags: flags, mode: 0)
        } catch  where error.number == ENOENT {
            return nil
        }
    }

    /// An empty file that can take the suite's file's place.
    struct NewFile {
        let descriptor: Int32
        /// Whether the file has a name. A file without a name disappears with its writer, and causes no event.
        let isNamed: Bool
    }

    /// Makes a new file, without a name if the file system supports that.
    ///
    /// - Parameter isNamed: Whether the file gets its name at once.
    func makeNewFile(mode: UInt32, named isNamed: Bool) throws -> NewFile {
        if !isNamed, let descriptor = try? files.openUnnamed(in: self.descriptor, mode: mode) {
            return NewFile(descriptor: descriptor, isNamed: false)
        }
        return NewFile(descriptor: try makeNamedFile(mode: mode), isNamed: true)
    }

    /// Gives a new file its private name.
    ///
    /// - Returns: False if the file has to be made with its name, as without proc(5) and on some file systems.
    func name(_ file: NewFile) throws -> Bool {
        if file.isNamed { return true }
        do {
            try withPrivateName { name throws(SystemError) in
                try files.linkat(file.descriptor, descriptor, name)
            }
            return true
        } catch is SystemError {
            return false
        }
    }

    /// Makes an empty file with the private name.
    func makeNamedFile(mode: UInt32 = 0o600) throws -> Int32 {
        do {
            return try withPrivateName { name throws(SystemError) in
                let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
                return try files.openatUninterrupted(descriptor, name, flags: flags, mode: mode)
            }
        } catch let error as SystemError where error.number == EACCES {
            guard let reason = files.reasonNotToWrite(place.folder, called: "the folder \(place.folder)")
            else {
                throw error
            }
            throw SettingsError.notWritable(path: place.path, reason: reason)
        }
    }

    /// Calls `make` with the first private name that is free or can be cleared.
    ///
    /// - Parameter make: Throws `EEXIST` if something has the name.
    private func withPrivateName<Result>(_ make: (String) throws(SystemError) -> Result) throws -> Result {
        var obstacle: SystemError?
        for number in 1...PrivateName.all.count {
            privateName.number = number
            do throws(SystemError) {
                return try make(newFileName)
            } catch {
                if error.number != EEXIST { throw error }
            }
            do throws(SystemError) {
                try removeNewFile()
            } catch {
                guard [EPERM, EACCES, EISDIR, EBUSY].contains(error.number) else { throw obstruction(error) }
                obstacle = obstacle ?? error
                continue
            }
            return try make(newFileName)
        }
        privateName.number = 1
        throw obstruction(obstacle ?? SystemError("unlink", newFileName, EEXIST))
    }

    private func obstruction(_ error: SystemError) -> SettingsError {
        let reason =
            "\(joinPath(place.folder, newFileName)) blocks every write in this folder, and can't be removed: "
            + message(ofErrorNumber: error.number)
        return .notWritable(path: place.path, reason: reason)
    }

    /// Clears the private name of a file that a killed process left there: an unfinished one, or the one that it had
    /// replaced.
    private func removeNewFile() throws(SystemError) {
        do throws(SystemError) {
            if isUnlockedWritersFile {
                try setNewFileAside()
            } else {
                try files.unlinkat(descriptor, newFileName)
            }
        } catch  where error.number == ENOENT {}
    }

    /// Whether the private name has a whole property list of an unlocked writer. It may have come there in the very
    /// moment of an exchange, so that no process has read it.
    private var isUnlockedWritersFile: Bool {
        guard let file = try? openExchanged() else { return false }
        defer { files.close(file) }
        let limit = PropertyListLimits.standard.size
        guard let info = try? files.fstat(file, place.path),
            let attributes = try? files.extendedAttributes(file), !WriteMark(of: info, attributes).isOurs,
            let bytes = try? files.readAll(file, expecting: Int(info.identity.size), limit: limit)
        else { return false }
        return (try? PropertyListDocument.read(bytes)) != nil
    }

    /// Gives another program's file that has the private name a visible one, and returns its path.
    @discardableResult
    func setNewFileAside() throws(SystemError) -> String {
        let stem = "pdefaults-rescued-" + utcStamp(files.now())
        let name = try rename(newFileName) { ($0 == 1 ? stem : "\(stem)-\($0)") + ".plist" }
        return joinPath(place.folder, name)
    }

    func discardNewFile() { try? files.unlinkat(descriptor, newFileName) }

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

    /// Opens the file with the private name for reading.
    func openExchanged() throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        return try files.openatUninterrupted(descriptor, newFileName, flags: flags, mode: 0)
    }

    /// Renames the suite's file to a free name, and returns that and the new path.
    func moveFileAside(at time: Timestamp) throws(SystemError) -> (name: String, path: String) {
        let name = try renameAside(place.name, at: time)
        return (name, joinPath(place.folder, name))
    }

    private func renameAside(_ name: String, at time: Timestamp) throws(SystemError) -> String {
        let suffix = ".broken-" + utcStamp(time)
        // Room for the suffix and a number in the 255 bytes that a name can have.
        let stem = prefix(of: place.name, bytes: 255 - suffix.utf8.count - 6)
        return try rename(name) { stem + ($0 == 1 ? suffix : "\(suffix)-\($0)") }
    }

    /// Renames to the first free name, and returns it.
    private func rename(_ name: String, _ newName: (Int) -> String) throws(SystemError) -> String {
        var count = 1
        while true {
            do {
                try files.renameatWithoutReplacing(descriptor, from: name, to: newName(count))
                return newName(count)
            } catch {
                if error.number != EEXIST || count == 9999 { throw error }
            }
            count += 1
        }
    }
}

extension DirectoryLock {
    /// Removes the suite's file durably, if it is the file that the caller expects.
    ///
    /// An unlocked writer may put another file in its place at any moment, and unlink(2) knows only names. So the file
    /// first gets the private name, where no program replaces it, and is examined there.
    ///
    /// - Parameter isExpected: Is given the path of the file with the private name.
    /// - Returns: False if it is another file, or gone. Another file has its name again then, or a visible one if
    ///   another program has put something under its name.
    func removeFile(if isExpected: (String) throws -> Bool) throws -> Bool {
        do {
            try withPrivateName { name throws(SystemError) in
                if try files.stat(joinPath(place.folder, name)) != nil {
                    throw SystemError("rename", name, EEXIST)
                }
                try files.renameat(descriptor, from: place.name, to: name)
            }
        } catch let error as SystemError where error.number == ENOENT {
            return false
        }
        var failure: (any Error)?
        do {
            if try isExpected(joinPath(place.folder, newFileName)) {
                try files.unlinkat(descriptor, newFileName)
                try files.makeDurable(descriptor, place.path)
                return true
            }
        } catch {
            failure = error
        }
        try putBack()
        if let failure { throw failure }
        return false
    }

    /// Gives the file with the private name the suite's name, unless another program has put something there.
    private func putBack() throws {
        do throws(SystemError) {
            try files.renameatWithoutReplacing(descriptor, from: newFileName, to: place.name)
        } catch {
            if error.number == ENOENT || (try? setNewFileAside()) != nil { return }
            let reason =
                "the file can't be removed, nor get its name back: it is \(joinPath(place.folder, newFileName)) "
                + "(\(error.call) failed: \(message(ofErrorNumber: error.number)))"
            throw SettingsError.notWritable(path: place.path, reason: reason)
        }
    }
}

/// The longest prefix, in whole characters, that fits into so many bytes.
private func prefix(of text: String, bytes limit: Int) -> String {
    var prefix = text
    while prefix.utf8.count > limit { prefix.removeLast() }
    return prefix
}
