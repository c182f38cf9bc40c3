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
    /// has the lock owns this private name, and the watcher ignores it.
    static let newFileName = ".pdefaults.new"

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
            try withPrivateName { () throws(SystemError) in
                try files.linkat(file.descriptor, descriptor, Self.newFileName)
            }
            return true
        } catch is SystemError {
            return false
        }
    }

    /// Makes an empty file with the private name.
    func makeNamedFile(mode: UInt32 = 0o600) throws -> Int32 {
        do {
            return try withPrivateName { () throws(SystemError) in
                let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
                return try files.openatUninterrupted(descriptor, Self.newFileName, flags: flags, mode: mode)
            }
        } catch let error as SystemError where error.number == EACCES {
            guard let reason = files.reasonNotToWrite(place.folder, called: "the folder \(place.folder)")
            else {
                throw error
            }
            throw SettingsError.notWritable(path: place.path, reason: reason)
        }
    }

    /// Calls `make`, and once more if a killed process's file had the private name and could be removed.
    ///
    /// - Parameter make: Throws `EEXIST` if something has the name.
    func withPrivateName<Result>(_ make: () throws(SystemError) -> Result) throws -> Result {
        do throws(SystemError) {
            return try make()
        } catch {
            if error.number != EEXIST { throw error }
        }
        do throws(SystemError) {
            try removeNewFile()
        } catch {
            throw obstruction(error)
        }
        return try make()
    }

    private func obstruction(_ error: SystemError) -> SettingsError {
        let file = joinPath(place.folder, Self.newFileName)
        let reason =
            "\(file) blocks every write in this folder, and can't be removed: "
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
                try files.unlinkat(descriptor, Self.newFileName)
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

    func discardNewFile() { try? files.unlinkat(descriptor, Self.newFileName) }

    /// Opens the file with the private name for reading.
    func openExchanged() throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        return try files.openatUninterrupted(descriptor, Self.newFileName, flags: flags, mode: 0)
    }
}
