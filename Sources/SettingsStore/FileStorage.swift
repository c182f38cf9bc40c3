import Glibc
import PropertyList

/// A suite in a property-list file of its own, shared with every other program that keeps to the
/// format, Foundation's `UserDefaults` among them.
///
/// A write locks the folder (flock(2) on its descriptor, which leaves no file behind), reads the
/// file again if it isn't the one last seen, lays the changes over it, writes a new file beside it,
/// fsyncs it, renames it over the old one, and fsyncs the folder. So there is a whole file at every
/// moment, the old or the new one. Format, mode, owner and extended attributes stay.
public struct FileStorage: SuiteStorage {
    /// The file, as it was asked for; it may be a symbolic link.
    public let path: String
    /// The format of a file that this makes. One that is there keeps its own.
    public let newFormat: PropertyListFormat
    private let files: any FileSystem
    private let watcher: FolderWatcher

    /// The file as last read or written; nil where there is none.
    private var document: PropertyListDocument?
    private var seen: Seen?
    /// The last write may not have reached the disk.
    private var isUnsure = false

    private struct Seen {
        var identity: FileInfo.Identity
        /// Whether a later write would surely have another time: file times have the grain of the
        /// kernel's tick, 10 ms at the most.
        var isCertain: Bool

        init(_ info: FileInfo, at now: Timestamp) {
            identity = info.identity
            let last = max(identity.modified, identity.changed)
            isCertain = now.nanoseconds - last.nanoseconds > 20_000_000
        }
    }

    /// - Parameter path: an absolute path.
    public init(
        path: String,
        newFormat: PropertyListFormat = .xml,
        files: any FileSystem = LiveFileSystem(),
        watcher: FolderWatcher = .shared
    ) {
        self.path = path
        self.newFormat = newFormat
        self.files = files
        self.watcher = watcher
    }

    public var location: String { path }
}

// MARK: - Reading

extension FileStorage {
    public mutating func read() throws(SettingsError) -> StorageReading {
        do {
            guard let info = try files.stat(path) else { return becomeAbsent() }
            if let seen, seen.isCertain, seen.identity == info.identity {
                return StorageReading(.none, exists: true)
            }
            if info.kind != .file { throw SettingsError.notAFile(path: path) }
            // Not to hang on a pipe that has taken the file's place since.
            let descriptor = try files.open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
            defer { files.close(descriptor) }
            return try read(descriptor)
        } catch {
            throw named(error)
        }
    }

    private mutating func read(in folder: LockedFolder) throws -> StorageReading {
        let descriptor: Int32
        do {
            descriptor = try files.openat(
                folder.descriptor,
                folder.fileName,
                flags: O_RDONLY | O_NONBLOCK | O_NOCTTY,
                mode: 0
            )
        } catch  where error.number == ENOENT {
            return becomeAbsent()
        }
        defer { files.close(descriptor) }
        return try read(descriptor)
    }

    private mutating func read(_ descriptor: Int32) throws -> StorageReading {
        let info = try files.fstat(descriptor, path)
        if info.kind != .file { throw SettingsError.notAFile(path: path) }
        if let seen, seen.isCertain, seen.identity == info.identity {
            return StorageReading(.none, exists: true)
        }
        let now = files.now()
        let bytes = try readAll(descriptor, expecting: Int(info.identity.size))
        do throws(PropertyListError) {
            let reading: StorageReading
            if document == nil {
                let (document, values) = try PropertyListDocument.read(bytes)
                self.document = document
                reading = StorageReading(.all(values), exists: true)
            } else {
                // In place, so that the document isn't copied. When it throws, it is as it was.
                let changes = try document?.update(to: bytes) ?? [:]
                reading = StorageReading(changes.isEmpty ? .none : .some(changes), exists: true)
            }
            seen = Seen(info, at: now)
            return reading
        } catch {
            throw SettingsError.unreadable(path: path, error)
        }
    }

    private mutating func becomeAbsent() -> StorageReading {
        let isNew = document != nil || seen == nil
        document = nil
        seen = nil
        return StorageReading(isNew ? .all([:]) : .none, exists: false)
    }

    private func readAll(_ descriptor: Int32, expecting size: Int) throws -> [UInt8] {
        let limit = PropertyListLimits.standard.size
        if size > limit { throw tooLarge(limit) }
        // One byte more, to see the end without another round.
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var count = 0
        while true {
            let read = try bytes.withUnsafeMutableBytes { buffer in
                try files.readUninterrupted(
                    descriptor,
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                )
            }
            count += read
            if read == 0 {
                bytes.removeLast(bytes.count - count)
                return bytes
            }
            if count > limit { throw tooLarge(limit) }
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: count) }
        }
    }

    private func tooLarge(_ limit: Int) -> SettingsError {
        .unreadable(
            path: path,
            PropertyListError(.offset(limit), .limitExceeded, "the file is larger than \(limit) bytes")
        )
    }
}

// MARK: - Writing

extension FileStorage {
    public mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        do {
            let folderPath = try resolved().folder
            if try files.stat(folderPath) == nil {
                // No folder is made before there is something to put there.
                if decide(becomeAbsent()).changes.isEmpty { return }
                try makeFolder(folderPath)
            }
            let folder = try lockFolder()
            defer { folder.unlock() }
            let write = decide(try read(in: folder))
            try self.write(write.changes, in: folder)
        } catch {
            throw named(error)
        }
    }

    private mutating func write(_ changes: [String: PropertyListValue?], in folder: LockedFolder) throws {
        if changes.isEmpty && !isUnsure { return }
        if document == nil && !changes.values.contains(where: { $0 != nil }) { return }
        var next = document ?? PropertyListDocument(format: newFormat)
        do throws(PropertyListError) {
            try next.apply(changes)
        } catch {
            if case .path(let place) = error.place, case .key(let key)? = place.steps.first {
                throw SettingsError.unrepresentable(path: path, key: key, error)
            }
            throw SettingsError.unreadable(path: path, error)
        }
        if !isUnsure, let document, next.bytes == document.bytes { return }
        try replaceFile(with: next.bytes, in: folder)
        document = next
    }

    private mutating func replaceFile(with bytes: [UInt8], in folder: LockedFolder) throws {
        let old = try files.stat(folder.filePath)
        if old != nil, !files.isWritable(folder.filePath) {
            throw SettingsError.notWritable(path: path, reason: "the file is not yours to write")
        }
        let descriptor = try makeNewFile(in: folder)
        defer { files.close(descriptor) }
        do {
            try dress(descriptor, like: old, in: folder)
            try bytes.withUnsafeBytes { try writeAll(descriptor, $0) }
            try files.fsync(descriptor)
            try files.renameat(folder.descriptor, from: LockedFolder.newFileName, to: folder.fileName)
        } catch {
            try? files.unlinkat(folder.descriptor, LockedFolder.newFileName)
            throw error
        }
        // The new file is there, whether or not what follows succeeds.
        isUnsure = true
        let now = files.now()
        seen = nil
        seen = Seen(try files.fstat(descriptor, path), at: now)
        try files.fsync(folder.descriptor)
        isUnsure = false
    }

    /// Makes the file that will take the old one's place. Whoever holds the folder's lock owns its
    /// name, so one that is there was left behind by a process that was killed.
    private func makeNewFile(in folder: LockedFolder) throws(SystemError) -> Int32 {
        func make() throws(SystemError) -> Int32 {
            try files.openat(
                folder.descriptor,
                LockedFolder.newFileName,
                flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                mode: 0o600
            )
        }
        do {
            return try make()
        } catch  where error.number == EEXIST {
            try files.unlinkat(folder.descriptor, LockedFolder.newFileName)
            return try make()
        }
    }

    /// Gives the new file the owner, mode and extended attributes of the old one.
    private func dress(_ descriptor: Int32, like old: FileInfo?, in folder: LockedFolder) throws {
        guard let old else { return }
        let new = try files.fstat(descriptor, path)
        if new.owner != old.owner || new.group != old.group {
            try hand(descriptor, toOwnerOf: old)
        }
        try files.fchmod(descriptor, mode: old.mode)
        let source = try files.openat(
            folder.descriptor,
            folder.fileName,
            flags: O_RDONLY | O_NONBLOCK,
            mode: 0
        )
        defer { files.close(source) }
        for attribute in try files.extendedAttributes(source) {
            try copy(attribute, to: descriptor)
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

    private func copy(_ attribute: ExtendedAttribute, to descriptor: Int32) throws(SystemError) {
        do {
            try files.setExtendedAttribute(descriptor, attribute)
        } catch {
            // Outside `user.` the system gives a new file its own.
            let isOurs = attribute.name.hasPrefix("user.")
            guard !isOurs, error.number == EPERM || error.number == ENOTSUP else { throw error }
        }
    }

    private func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = try files.writeUninterrupted(descriptor, rest)
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    public mutating func recover() throws(SettingsError) -> String? {
        do {
            let folder = try lockFolder()
            defer { folder.unlock() }
            guard try isUnreadable(in: folder) else { return nil }
            let name = try moveAside(in: folder)
            document = nil
            seen = nil
            try files.fsync(folder.descriptor)
            return folder.path + "/" + name
        } catch {
            throw named(error)
        }
    }

    private mutating func isUnreadable(in folder: LockedFolder) throws -> Bool {
        do {
            _ = try read(in: folder)
            return false
        } catch SettingsError.unreadable {
            return true
        }
    }

    /// Renames the file to a name that nothing has, and returns that.
    private func moveAside(in folder: LockedFolder) throws(SystemError) -> String {
        let first = folder.fileName + ".broken-" + utcStamp(files.now())
        var name = first
        var count = 1
        while true {
            do {
                try files.renameatWithoutReplacing(folder.descriptor, from: folder.fileName, to: name)
                return name
            } catch {
                if error.number != EEXIST { throw error }
            }
            count += 1
            name = "\(first)-\(count)"
        }
    }
}

// MARK: - The folder

extension FileStorage {
    /// The folder and the file in it after all symbolic links.
    private func resolved() throws(SystemError) -> (folder: String, file: String) {
        let whole: String
        if try files.stat(path) != nil {
            whole = try files.resolve(path)
        } else {
            let (folder, name) = splitPath(path)
            whole = (try files.stat(folder) == nil ? folder : try files.resolve(folder)) + "/" + name
        }
        return splitPath(whole)
    }

    private func lockFolder() throws -> LockedFolder {
        let (folder, name) = try resolved()
        return try LockedFolder(folder, fileName: name, files)
    }

    /// Makes the folder and what is missing above it, readable by its owner alone, as the XDG Base
    /// Directory Specification has it.
    private func makeFolder(_ folder: String) throws(SystemError) {
        do {
            try files.mkdir(folder, mode: 0o700)
        } catch  where error.number == ENOENT {
            try makeFolder(splitPath(folder).folder)
            try files.mkdir(folder, mode: 0o700)
        } catch  where error.number == EEXIST {
            // Made by somebody else meanwhile.
        }
    }

    public func readOnlyReason() -> String? {
        guard let (folder, name) = try? resolved() else { return nil }
        guard (try? files.stat(folder)) ?? nil != nil else { return nil }
        if !files.isWritable(folder) { return "the folder \(folder) is not yours to write" }
        let file = folder + "/" + name
        if ((try? files.stat(file)) ?? nil) != nil, !files.isWritable(file) {
            return "the file is not yours to write"
        }
        return nil
    }

    public func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        do throws(PropertyListError) {
            var scratch = PropertyListDocument(format: document?.format == .binary ? .binary : newFormat)
            try scratch.apply([key: value])
            return nil
        } catch {
            return .unrepresentable(path: path, key: key, error)
        }
    }

    public func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        let target = try? resolved()
        let asked = splitPath(path)
        var watches = [watcher.watch(asked.folder, file: asked.file, hint)]
        if let target, target.folder != asked.folder || target.file != asked.file {
            watches.append(watcher.watch(target.folder, file: target.file, hint))
        }
        return StorageWatch(watches[0].watching, heldBy: WatchHolders(watches: watches))
    }

    private final class WatchHolders: Sendable {
        let watches: [StorageWatch]

        init(watches: [StorageWatch]) { self.watches = watches }
    }

    /// Every error of this storage names its file.
    private func named(_ error: any Error) -> SettingsError {
        switch error {
        case let error as SettingsError: error
        case let error as SystemError where error.number == EACCES || error.number == EROFS:
            .notWritable(path: path, reason: "\(error.call): \(message(ofErrorNumber: error.number))")
        case let error as SystemError: .system(SystemError(error.call, path, error.number))
        // Nothing else is thrown here.
        default: .system(SystemError("\(error)", path, 0))
        }
    }
}

/// `20240501T102030Z`
private func utcStamp(_ time: Timestamp) -> String {
    var seconds = time_t(time.nanoseconds / 1_000_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
        + "T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
}
