import Glibc

/// The lock on the folder of a suite's file. Only the process that has it may replace files in the folder.
///
/// A lock on the file itself would be stale as soon as the file is replaced, so all writers lock the folder (flock(2)).
/// The kernel gives the lock back when its process ends.
struct DirectoryLock {
    /// The name of the file that is locked in place of the folder if the file system locks no folders.
    ///
    /// All processes have to lock the same file, so there is no second choice. If another user's file has the name,
    /// nothing can be written in the folder until that user or the folder's owner removes it or makes it writable.
    private static let lockFileName = ".pdefaults.lock"

    let place: ResolvedPath
    let descriptor: Int32
    private let lockDescriptor: Int32
    let files: any FileSystem
    let privateName = PrivateName()

    /// Runs work while the folder of the path is locked. If the path is a symbolic link, that is the link's own folder.
    ///
    /// - Parameter other: A folder that is locked already, which may be the same one.
    static func withLock<Result>(
        onFolderOf path: String,
        holding other: DirectoryLock? = nil,
        _ files: any FileSystem,
        _ work: (DirectoryLock) throws -> Result
    ) throws -> Result {
        let (folder, name) = splitPath(path)
        let place = ResolvedPath(folder: try files.resolve(folder), name: name)
        let descriptor = try files.openUninterrupted(place.folder, flags: O_RDONLY | O_DIRECTORY)
        if let other {
            let isSame: Bool
            do throws(SystemError) {
                isSame = try files.fstat(descriptor, path).isOfSameFile(
                    as: files.fstat(other.descriptor, path)
                )
            } catch {
                files.close(descriptor)
                throw error
            }
            // A second lock on it would wait for the first.
            if isSame {
                files.close(descriptor)
                return try work(
                    DirectoryLock(
                        place: place,
                        descriptor: other.descriptor,
                        lockDescriptor: other.lockDescriptor,
                        files: files
                    )
                )
            }
        }
        let locked = try locking(descriptor, place, path, true, files)
        defer { locked.unlock() }
        return try work(locked)
    }

    /// Locks the folder that a path leads to; nil if there is none.
    ///
    /// - Parameter isPatient: Whether to wait for a process that has the lock. Otherwise `EWOULDBLOCK` is thrown.
    static func lock(
        for path: String,
        isPatient: Bool = true,
        _ files: any FileSystem
    ) throws -> DirectoryLock? {
        // Folders and links may be exchanged while this waits for the lock.
        for _ in 0..<100 {
            let place = try ResolvedPath(of: path, files)
            guard let descriptor = try open(place.folder, files) else { return nil }
            if let folder = try lock(descriptor, place, path, isPatient, files) { return folder }
        }
        throw SystemError("flock", path, EAGAIN)
    }

    /// Nil if the path leads somewhere else by the time that this process has the lock.
    private static func lock(
        _ descriptor: Int32,
        _ place: ResolvedPath,
        _ path: String,
        _ isPatient: Bool,
        _ files: any FileSystem
    ) throws -> DirectoryLock? {
        let folder = try locking(descriptor, place, path, isPatient, files)
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
        _ place: ResolvedPath,
        _ path: String,
        _ isPatient: Bool,
        _ files: any FileSystem
    ) throws -> DirectoryLock {
        do {
            let lock = try lock(descriptor, path, isPatient, files)
            return DirectoryLock(place: place, descriptor: descriptor, lockDescriptor: lock, files: files)
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

    private static func lock(
        _ folder: Int32,
        _ path: String,
        _ isPatient: Bool,
        _ files: any FileSystem
    ) throws -> Int32 {
        let waiting = LockAcquisition(path: path, folder: folder, isPatient: isPatient, files: files)
        do {
            try waiting.wait(for: folder)
            return folder
        } catch let error as SystemError
            where [EOPNOTSUPP, ENOLCK, EINVAL, EBADF, ENOSYS].contains(error.number)
        {
            // This file system locks no folders: a file that stays takes its place.
            let file = try openLockFile(in: folder, path, files)
            do {
                try waiting.wait(for: file)
            } catch {
                files.close(file)
                throw error
            }
            return file
        }
    }

    private static func openLockFile(
        in folder: Int32,
        _ path: String,
        _ files: any FileSystem
    ) throws -> Int32 {
        do throws(SystemError) {
            return try files.openatUninterrupted(
                folder,
                lockFileName,
                flags: O_RDWR | O_CREAT | O_NOFOLLOW,
                mode: 0o600
            )
        } catch {
            let file = joinPath(splitPath(path).folder, lockFileName)
            guard [EACCES, EPERM, EISDIR, ELOOP].contains(error.number), (try? files.stat(file)) ?? nil != nil
            else { throw error }
            let reason =
                "this file system can't lock folders, and the lock file \(file) can't be opened: "
                + "\(message(ofErrorNumber: error.number)). Its owner or the folder's can remove it"
            throw SettingsError.notWritable(path: path, reason: reason)
        }
    }

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

    func unlock() {
        // Closing the descriptor is not enough: a child of fork(2) may have a copy of it, which keeps the lock (flock(2)).
        try? files.flock(lockDescriptor, operation: LOCK_UN)
        if lockDescriptor != descriptor { files.close(lockDescriptor) }
        files.close(descriptor)
    }
}
