import Glibc
import PropertyList

/// The folder of a suite's file while this process alone may replace files in it.
struct LockedFolder {
    /// What a file is written as before it takes its place. Whoever holds the lock owns the name.
    static let newFileName = ".pdefaults.new"
    private static let lockFileName = ".pdefaults.lock"

    let place: FilePlace
    let descriptor: Int32
    private let lockDescriptor: Int32
    let files: any FileSystem

    /// Locks the folder that a path leads to; nil where there is none.
    ///
    /// - Parameter guess: where it led before, if that is known.
    static func lock(
        for path: String,
        guess: FilePlace? = nil,
        _ files: any FileSystem
    ) throws -> LockedFolder? {
        if let guess, let descriptor = try? open(guess.folder, files),
            let folder = try lock(descriptor, guess, path, files)
        {
            return folder
        }
        // Folders and links may be exchanged while the lock is waited for.
        for _ in 0..<100 {
            let place = try FilePlace(of: path, files)
            guard let descriptor = try open(place.folder, files) else { return nil }
            if let folder = try lock(descriptor, place, path, files) { return folder }
        }
        throw SystemError("flock", path, EAGAIN)
    }

    /// Nil where the path leads somewhere else by the time that the lock is there.
    private static func lock(
        _ descriptor: Int32,
        _ place: FilePlace,
        _ path: String,
        _ files: any FileSystem
    ) throws -> LockedFolder? {
        let folder = try locking(descriptor, place, path, files)
        do {
            if try folder.isStillThere(), try place.isStillReached(by: path, files) { return folder }
        } catch {
            folder.unlock()
            throw error
        }
        folder.unlock()
        return nil
    }

    private static func open(_ folder: String, _ files: any FileSystem) throws(SystemError) -> Int32? {
        do {
            return try files.openUninterrupted(folder, flags: O_RDONLY | O_DIRECTORY)
        } catch  where error.number == ENOENT {
            return nil
        }
    }

    private static func locking(
        _ descriptor: Int32,
        _ place: FilePlace,
        _ path: String,
        _ files: any FileSystem
    ) throws -> LockedFolder {
        do {
            let lock = try lock(descriptor, path, files)
            return LockedFolder(place: place, descriptor: descriptor, lockDescriptor: lock, files: files)
        } catch {
            files.close(descriptor)
            throw error
        }
    }

    private func isStillThere() throws(SystemError) -> Bool {
        let held = try files.fstat(descriptor, place.folder).identity
        guard let there = try files.stat(place.folder)?.identity else { return false }
        return held.device == there.device && held.inode == there.inode
    }

    private static func lock(_ folder: Int32, _ path: String, _ files: any FileSystem) throws -> Int32 {
        do {
            try LockWaiting(path: path, folder: folder, files: files).wait(for: folder)
            return folder
        } catch let error as SystemError
            where [EOPNOTSUPP, ENOLCK, EINVAL, EBADF, ENOSYS].contains(error.number)
        {
            // This file system locks no folders: a file that stays takes its place.
            let file = try files.openatUninterrupted(
                folder,
                lockFileName,
                flags: O_RDWR | O_CREAT | O_NOFOLLOW,
                mode: 0o600
            )
            do {
                try LockWaiting(path: path, folder: folder, files: files).wait(for: file)
            } catch {
                files.close(file)
                throw error
            }
            return file
        }
    }

    func unlock() {
        // To close it is not enough where a process was forked meanwhile: that one has it too (flock(2)).
        try? files.flock(lockDescriptor, operation: LOCK_UN)
        if lockDescriptor != descriptor { files.close(lockDescriptor) }
        files.close(descriptor)
    }
}

extension LockedFolder {
    /// Opens the suite's file for reading; nil where there is none.
    func openFile() throws(SystemError) -> Int32? {
        do {
            // Without waiting, if it is a pipe.
            let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
            return try files.openatUninterrupted(descriptor, place.name, flags: flags, mode: 0)
        } catch  where error.number == ENOENT {
            return nil
        }
    }

    /// An empty file that can take the other one's place.
    struct NewFile {
        let descriptor: Int32
        /// Whether it has a name. One without is gone with its writer, and no watcher is told that it was made.
        let isNamed: Bool
    }

    /// Makes a new file, without a name where the file system can.
    ///
    /// - Parameter isNamed: whether it is to have its name at once.
    func makeNewFile(mode: UInt32, named isNamed: Bool) throws -> NewFile {
        if !isNamed, let descriptor = try? files.openUnnamed(in: self.descriptor, mode: mode) {
            return NewFile(descriptor: descriptor, isNamed: false)
        }
        return NewFile(descriptor: try makeNamedFile(mode: mode), isNamed: true)
    }

    /// Gives a new file its name.
    ///
    /// - Returns: false where only one that is made with it can have it: without proc(5), and by the rules of
    ///   some file systems.
    func name(_ file: NewFile) throws -> Bool {
        if file.isNamed { return true }
        let failure = link(file)
        guard failure == EEXIST else { return failure == 0 }
        // Left behind by a process that was killed.
        try removeNewFile()
        return link(file) == 0
    }

    /// An error number, or 0.
    private func link(_ file: NewFile) -> Int32 {
        do throws(SystemError) {
            try files.linkat(file.descriptor, descriptor, Self.newFileName)
            return 0
        } catch {
            return error.number
        }
    }

    /// Makes an empty file that has its name.
    func makeNamedFile(mode: UInt32 = 0o600) throws -> Int32 {
        do throws(SystemError) {
            return try openNewFile(mode)
        } catch {
            if error.number == EACCES,
                let reason = files.reasonNotToWrite(place.folder, called: "the folder \(place.folder)")
            {
                throw SettingsError.notWritable(path: place.path, reason: reason)
            }
            if error.number != EEXIST { throw error }
            // Left behind by a process that was killed.
            try removeNewFile()
            return try openNewFile(mode)
        }
    }

    /// Clears the new file's name of what a killed process has left there: something unfinished, or the file
    /// whose place its own has taken.
    private func removeNewFile() throws {
        do throws(SystemError) {
            if isLeftBySomebodyElse {
                try setNewFileAside()
            } else {
                try files.unlinkat(descriptor, Self.newFileName)
            }
        } catch {
            if error.number == ENOENT { return }
            let obstacle = joinPath(place.folder, Self.newFileName)
            throw SettingsError.notWritable(
                path: place.path,
                reason: "\(obstacle) is in the way of every write in this folder, and can't be removed: "
                    + message(ofErrorNumber: error.number)
            )
        }
    }

    /// Whether what has the new file's name is a whole property list of a program that does not keep to the lock.
    /// It may have come there in the very moment of the exchange, so that nobody has read it.
    private var isLeftBySomebodyElse: Bool {
        guard let file = try? openExchanged() else { return false }
        defer { files.close(file) }
        let limit = PropertyListLimits.standard.size
        guard let info = try? files.fstat(file, place.path),
            FileMark(of: info, attributes: try files.extendedAttributes(file)) == nil,
            let bytes = try? files.readAll(file, expecting: Int(info.identity.size), limit: limit)
        else { return false }
        return (try? PropertyListDocument.read(bytes)) != nil
    }

    /// Gives what has the new file's name, and is somebody else's, a name by which it is seen, and returns its
    /// path.
    @discardableResult
    func setNewFileAside() throws(SystemError) -> String {
        let stem = "pdefaults-rescued-" + utcStamp(files.now())
        let name = try rename(Self.newFileName) { ($0 == 1 ? stem : "\(stem)-\($0)") + ".plist" }
        return joinPath(place.folder, name)
    }

    private func openNewFile(_ mode: UInt32) throws(SystemError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        return try files.openatUninterrupted(descriptor, Self.newFileName, flags: flags, mode: mode)
    }

    func discardNewFile() { try? files.unlinkat(descriptor, Self.newFileName) }

    /// Gives the new file the suite's name, whatever has that.
    func putNewFileInPlace() throws(SystemError) {
        try files.renameat(descriptor, from: Self.newFileName, to: place.name)
    }

    /// The same, where nothing has that name.
    ///
    /// - Returns: false where something has.
    func putFirstFileInPlace() throws(SystemError) -> Bool {
        do {
            try files.renameatWithoutReplacing(descriptor, from: Self.newFileName, to: place.name)
            return true
        } catch  where error.number == EEXIST {
            return false
        }
    }

    /// Gives the new file and the suite's each the other's name; done again, it takes that back.
    func exchangeNewFile() throws(SystemError) {
        try files.renameatExchanging(descriptor, Self.newFileName, place.name)
    }

    /// Gives the new file the suite's name, and what has that another one that nothing has, in one step where
    /// the file system can; else there is never less than either of them.
    ///
    /// - Returns: the other name.
    func putNewFileInPlace(settingAsideAt time: Timestamp) throws(SystemError) -> String {
        let aside = try renameAside(Self.newFileName, at: time)
        do throws(SystemError) {
            try files.renameatExchanging(descriptor, aside, place.name)
        } catch {
            do throws(SystemError) {
                guard [EINVAL, ENOSYS, EPERM].contains(error.number) else { throw error }
                try files.renameat(descriptor, from: aside, to: Self.newFileName)
            } catch {
                try? files.unlinkat(descriptor, aside)
                throw error
            }
            try putNewFileInPlace(settingAsideAs: aside)
        }
        return aside
    }

    /// The same where no names can be exchanged.
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
        // It has one name only, as folders have.
        try files.renameatWithoutReplacing(descriptor, from: place.name, to: aside)
        do {
            try putNewFileInPlace()
        } catch {
            try? files.renameatWithoutReplacing(descriptor, from: aside, to: place.name)
            throw error
        }
    }

    /// Whether the suite's file has a second name now.
    private func linkFile(as name: String) -> Bool {
        guard let file = (try? openFile()) ?? nil else { return false }
        defer { files.close(file) }
        return (try? files.linkat(file, descriptor, name)) != nil
    }

    /// Takes back that names were exchanged.
    func takeNewFileBack(from aside: String) throws(SystemError) {
        try files.renameatExchanging(descriptor, aside, place.name)
        try? files.unlinkat(descriptor, aside)
    }

    /// Opens what has the new file's name, for reading.
    func openExchanged() throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        return try files.openatUninterrupted(descriptor, Self.newFileName, flags: flags, mode: 0)
    }

    /// Renames the suite's file to a name that nothing has, and returns its new path.
    func moveFileAside(at time: Timestamp) throws(SystemError) -> String {
        joinPath(place.folder, try renameAside(place.name, at: time))
    }

    private func renameAside(_ name: String, at time: Timestamp) throws(SystemError) -> String {
        let suffix = ".broken-" + utcStamp(time)
        // Room for the suffix and a number in the 255 bytes that a name can have.
        let stem = prefix(of: place.name, bytes: 255 - suffix.utf8.count - 6)
        return try rename(name) { stem + ($0 == 1 ? suffix : "\(suffix)-\($0)") }
    }

    /// Renames to the first name that nothing has, and returns it.
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

/// As much of a text as fits into so many bytes, in whole characters.
private func prefix(of text: String, bytes limit: Int) -> String {
    var prefix = text
    while prefix.utf8.count > limit { prefix.removeLast() }
    return prefix
}

/// `20240501T102030Z`
func utcStamp(_ time: Timestamp) -> String {
    var seconds = time_t(time.nanoseconds / 1_000_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
        + "T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
}
