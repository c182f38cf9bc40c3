import Glibc
import PropertyList

// Reads the suite's file, which other programs may be writing. There are four steps, a function each: open the file and
// see whether it is the version that was read last; read its bytes; parse them; compare the values with those that were
// read before. A step that finds the file half-written says so in its result, and the caller decides whether to wait and
// read again.
extension FileStorage {
    /// How one attempt to read ended.
    enum ReadResult {
        case read(StorageReading)
        /// A program is writing the file, or is about to replace it. Nothing was read.
        case unfinished
    }

    /// The needs of a caller.
    struct ReadRequest {
        /// Whether all bytes of the file have to be in memory afterwards.
        var needsBytes = false
        /// Whether the caller reads again in a moment if the file is unfinished.
        var mayRetry = true
    }

    public mutating func read() throws(SettingsError) -> StorageReading {
        do {
            let isFirst = content == nil
            try ResolvedPath.check(path)
            // Most files that are read are not written soon.
            defer { if isFirst { releaseCache() } }
            var patience = WriterPatience()
            while patience.mayRetry {
                if case .read(let reading) = try read(ReadRequest(), open) { return reading }
                patience.retry()
                waitForWriters(&patience)
            }
            return try readAtOnce(open)
        } catch {
            throw named(error)
        }
    }

    /// Opens the file for reading; nil if there is none.
    func open() throws -> Int32? {
        guard let info = try files.stat(path) else { return nil }
        // Opening a pipe or a device can have effects.
        if info.kind != .file { throw SettingsError.notAFile(path: path) }
        return try files.openUninterrupted(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// Reads the file in the locked folder.
    mutating func read(in folder: DirectoryLock) throws -> StorageReading {
        if isUnchanged(in: folder) { return StorageReading(.none, exists: true) }
        return try readAtOnce(folder.openFile)
    }

    /// Reads the file in the locked folder for a write.
    ///
    /// - Parameter needsBytes: Whether all bytes of the file have to be in memory afterwards.
    /// - Returns: ``ReadResult/unfinished`` if the caller is to give the lock back, wait, and try again.
    mutating func readToWrite(
        in folder: DirectoryLock,
        needsBytes: Bool,
        _ patience: inout WriterPatience
    ) throws -> ReadResult {
        if !needsBytes, isUnchanged(in: folder) { return .read(StorageReading(.none, exists: true)) }
        guard patience.mayRetry else { return .read(try readAtOnce(needsBytes: needsBytes, folder.openFile)) }
        let result = try read(ReadRequest(needsBytes: needsBytes), folder.openFile)
        if case .unfinished = result { patience.retry() }
        return result
    }

    /// Whether the file is certainly the version that was read last, as most files are.
    private func isUnchanged(in folder: DirectoryLock) -> Bool {
        guard let seen, seen.isCertain else { return false }
        return (try? files.stat(folder.place.path))??.identity == seen.identity
    }

    /// Reads the file as it is, finished or not.
    private mutating func readAtOnce(
        needsBytes: Bool = false,
        _ open: () throws -> Int32?
    ) throws -> StorageReading {
        switch try read(ReadRequest(needsBytes: needsBytes, mayRetry: false), open) {
        case .read(let reading): reading
        case .unfinished: StorageReading(.none, exists: content != nil)
        }
    }

    /// Opens the file and reads it, unless it is the version that was read last.
    private mutating func read(
        _ request: ReadRequest,
        _ open: () throws -> Int32?
    ) throws -> ReadResult {
        guard let descriptor = try open() else { return fileIsMissing(request) }
        defer { files.close(descriptor) }
        let info = try files.fstat(descriptor, path)
        if info.kind != .file { throw SettingsError.notAFile(path: path) }
        if let seen, seen.isCertain, seen.identity == info.identity, document != nil || !request.needsBytes {
            return .read(StorageReading(.none, exists: true))
        }
        if !request.needsBytes, content == nil, info.identity.size >= largeFileSize {
            if let reading = try readInPieces(descriptor, info) { return .read(reading) }
            // From its start, which takes another descriptor.
            var request = request
            request.needsBytes = true
            return try read(request, open)
        }
        return try readBytes(of: descriptor, info, request)
    }

    /// A program that replaces the file may rename it away before, and that may undo what was written last.
    private mutating func fileIsMissing(_ request: ReadRequest) -> ReadResult {
        overwrites.forget(before: files.now())
        let mayComeBack = request.mayRetry && content != nil && !overwrites.isEmpty
        return mayComeBack ? .unfinished : .read(becomeAbsent())
    }

    /// Reads all bytes of the file. A program that writes in place leaves it half-written for a moment.
    private mutating func readBytes(
        of descriptor: Int32,
        _ info: FileInfo,
        _ request: ReadRequest
    ) throws -> ReadResult {
        let now = files.now()
        do {
            let bytes = try readAll(descriptor, expecting: Int(info.identity.size))
            if request.mayRetry, try files.fstat(descriptor, path).identity != info.identity {
                return .unfinished
            }
            return .read(try parse(bytes, of: descriptor, info, readAt: now))
        } catch SettingsError.unreadable(_, let error) {
            if request.mayRetry, isFresh(info) { return .unfinished }
            throw unreadable(error)
        }
    }

    /// Parses the bytes and reports what differs, with the keys that an unlocked writer has overwritten apart.
    private mutating func parse(
        _ bytes: [UInt8],
        of descriptor: Int32,
        _ info: FileInfo,
        readAt now: Timestamp
    ) throws -> StorageReading {
        var newMark: WriteMark?
        if !overwrites.isEmpty, mark != nil {
            newMark = WriteMark(of: info, try files.extendedAttributes(descriptor))
        }
        do throws(PropertyListError) {
            var reading = try compare(bytes)
            if let newMark {
                overwrites.separateOverwritten(in: &reading, of: newMark, after: mark)
                mark = newMark
            }
            overwrites.forget(before: now)
            seen = Seen(info, at: now)
            return reading
        } catch {
            throw SettingsError.unreadable(path: path, error)
        }
    }

    /// The error for a file that can't be parsed. It quotes nothing if the file may have secrets.
    func unreadable(_ error: PropertyListError) -> SettingsError {
        let schema = try? schemaStore.read()
        let mayHaveSecrets = schema.map { !$0.secretKeys.isEmpty } ?? true
        return .unreadable(path: path, mayHaveSecrets ? error.withoutQuotations : error)
    }

    /// Makes the bytes the document and reports what differs from the previous one. When it throws, nothing has
    /// changed.
    private mutating func compare(_ bytes: [UInt8]) throws(PropertyListError) -> StorageReading {
        if let onDiskDocument { return try compare(bytes, with: onDiskDocument) }
        if case .outline(let outline)? = content, let document = outline.document(of: bytes) {
            content = .document(document)
            return StorageReading(.none, exists: true)
        }
        guard let oldBytes = document?.bytes else {
            let (document, values) = try PropertyListDocument.read(bytes, expecting: newFormat)
            return found(.document(document), values)
        }
        if haveSameBytes(oldBytes, bytes) { return StorageReading(.none, exists: true) }
        // In place, so that the document isn't copied.
        let changes = try document?.update(to: bytes) ?? [:]
        durability = .unknown
        return StorageReading(changes.isEmpty ? .none : .some(changes), exists: true)
    }

    /// Applies to the document what another program has changed in the file that this process has written.
    mutating func compare(
        _ bytes: [UInt8],
        with written: PropertyListDocument
    ) throws(PropertyListError) -> StorageReading {
        var latest = written
        let changes = try latest.update(to: bytes)
        onDiskDocument = latest
        do throws(PropertyListError) {
            try document?.apply(changes)
        } catch {
            // The changes hold a value that only a file that has it already may hold, so the file becomes the document.
            document = latest
        }
        return StorageReading(changes.isEmpty ? .none : .some(changes), exists: true)
    }

    /// Takes over a file that is not compared with an older version.
    mutating func found(_ content: Content, _ values: PropertyListEntries) -> StorageReading {
        self.content = content
        durability = .unknown
        hasLooked = true
        return StorageReading(.all(values), exists: true)
    }

    mutating func becomeAbsent() -> StorageReading {
        let isNew = content != nil || !hasLooked
        content = nil
        onDiskDocument = nil
        seen = nil
        hasLooked = true
        durability = .durable
        return StorageReading(isNew ? .all(PropertyListEntries()) : .none, exists: false)
    }

    /// Whether the file was changed within the last 0.2 seconds, so that it may be half-written.
    private func isFresh(_ info: FileInfo) -> Bool {
        abs(files.now().nanoseconds - info.identity.changed.nanoseconds) < 200_000_000
    }

    func readAll(_ descriptor: Int32, expecting size: Int) throws -> [UInt8] {
        let limit = PropertyListLimits.standard.size
        if let bytes = try files.readAll(descriptor, expecting: size, limit: limit) { return bytes }
        let problem = "the file is larger than \(limit) bytes"
        throw SettingsError.unreadable(
            path: path,
            PropertyListError(.offset(limit), .limitExceeded, problem)
        )
    }
}

/// Whether both arrays are the same. `==` compares their elements one by one, which takes ten times as long.
func haveSameBytes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.withUnsafeBytes { a in
        b.withUnsafeBytes { b in
            guard a.count == b.count else { return false }
            // An empty array has no address.
            guard let aStart = a.baseAddress, let bStart = b.baseAddress else { return true }
            return memcmp(aStart, bStart, a.count) == 0
        }
    }
}
