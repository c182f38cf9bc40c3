import Glibc
import PropertyList

// The new file that takes the place of a suite's file, until it has the suite's name.
//
// Problem: a program that reads the suite's file, or a loss of power, must find the old file or the new one, whole.
// Approach: a new file without a name (open(2), O_TMPFILE) is written and made durable, and gets a private name. Then
// `DirectoryLock+Replacing.swift` gives it the suite's name. Without it, a killed writer would leave its half-written
// file behind.

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
    func withPrivateName<Result>(_ make: (String) throws(SystemError) -> Result) throws -> Result {
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

    func discardNewFile() { try? files.unlinkat(descriptor, newFileName) }

    /// Opens the file with the private name for reading.
    func openExchanged() throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        return try files.openatUninterrupted(descriptor, newFileName, flags: flags, mode: 0)
    }
}
