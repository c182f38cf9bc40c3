import Glibc
import PropertyList

extension FileStorage {
    public mutating func read() throws(SettingsError) -> StorageReading {
        do {
            let isFirst = content == nil
            try FilePlace.check(path)
            // Most of what is read is not written soon.
            defer { if isFirst { letGo() } }
            return try readSettled(unlessBeingWritten: true, open)
        } catch {
            throw named(error)
        }
    }

    /// Where the file has a key in several Unicode forms, at the top and inside values, of which one is read, and its
    /// format.
    package mutating func placesInSeveralForms() throws(SettingsError)
        -> (places: [ValuePath], format: PropertyListFormat?)
    {
        do {
            try FilePlace.check(path)
            _ = try readSettled(needsBytes: true, open)
            return (document?.placesInSeveralForms ?? [], document?.format)
        } catch {
            throw named(error)
        }
    }

    /// Opens the file; nil where there is none.
    private var open: () throws -> Int32? {
        { [path, files] in
            guard let info = try files.stat(path) else { return nil }
            // Pipes and devices are not even opened.
            if info.kind != .file { throw SettingsError.notAFile(path: path) }
            return try files.openUninterrupted(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        }
    }

    public mutating func readAfterUpdate() throws(SettingsError) -> StorageReading? {
        // What was undone is written again as a part of the same contest, which is not to last longer for that.
        let isOver = contest?.isLong(at: files.now()) == true
        // It may have written it before the new file was looked at.
        var isKnown = seen?.isCertain == true
        while let patience = contest?.patience, patience > 0, let last = seen {
            contest?.patience -= 1
            guard isKnown, (try? files.stat(path))??.identity == last.identity else {
                // At a moment of chance: who is always as quick comes between that program's reading and its writing
                // each time.
                files.pause(.random(in: 0...0.003))
                if isOver {
                    // What is found is for the next reading.
                    var other = self
                    let found = try other.read()
                    isKnown = true
                    if found.isNone, found.undone.isEmpty { continue }
                    contest = nil
                    if found.undone.isEmpty { return nil }
                    throw .overwritten(path: path)
                }
                let reading = try read()
                isKnown = true
                if reading.isNone, reading.undone.isEmpty { continue }
                if !isContested(after: reading) { contest = nil }
                return reading
            }
            files.pause(0.001)
        }
        contest = nil
        return nil
    }

    /// Whether something may still become of an update.
    private func isContested(after reading: StorageReading) -> Bool {
        // That program has seen it; where the file is one of ours, its next one may still be to come.
        !reading.undone.isEmpty || seen.map { FileMark(of: $0.info) != nil } ?? false
    }

    mutating func read(in folder: LockedFolder) throws -> StorageReading {
        // Most files are as they were.
        if let seen, seen.isCertain, try files.stat(folder.place.path)?.identity == seen.identity {
            return StorageReading(.none, exists: true)
        }
        return try readSettled(folder.openFile)
    }

    /// The same, and what it finds is in memory as a whole then.
    mutating func readWhole(in folder: LockedFolder) throws -> StorageReading {
        try readSettled(needsBytes: true, folder.openFile)
    }

    /// Reads the file, and reads it again for a while where a program that writes in place seems to be
    /// at it: its file is half-written for a moment.
    ///
    /// - Parameters:
    ///   - canPostpone: whether nothing is told where the watch says that the program goes on writing: a
    ///     hint follows.
    ///   - needsBytes: whether all of it has to be in memory then.
    private mutating func readSettled(
        unlessBeingWritten canPostpone: Bool = false,
        needsBytes: Bool = false,
        _ open: () throws -> Int32?
    ) throws -> StorageReading {
        var isWhole = needsBytes || content != nil
        var attemptsLeft = 200
        var absencesLeft = 20
        while true {
            guard let descriptor = try open() else {
                // Some programs rename the file before they write a new one, which may undo what was written last.
                if content == nil || absencesLeft == 0
                    || recentWrites.isEmpty(at: heldUpSince ?? files.now())
                {
                    return becomeAbsent()
                }
                absencesLeft -= 1
                files.pause(0.005)
                continue
            }
            defer { files.close(descriptor) }
            let info = try files.fstat(descriptor, path)
            if info.kind != .file { throw SettingsError.notAFile(path: path) }
            if let seen, seen.isCertain, seen.identity == info.identity, document != nil || !needsBytes {
                return StorageReading(.none, exists: true)
            }
            if !isWhole, info.identity.size >= large {
                isWhole = true
                guard let reading = try readInPieces(descriptor, info) else { continue }
                isUnreadable = false
                return reading
            }
            let isPostponed =
                canPostpone && hasLooked && !isUnreadable && watcher.isBeingWritten(path)
            attemptsLeft = isPostponed ? 0 : attemptsLeft - 1
            do {
                if let reading = try read(descriptor, info, canWait: attemptsLeft > 0) { return reading }
            } catch SettingsError.unreadable(let path, let error) {
                if isPostponed { return StorageReading(.none, exists: content != nil) }
                isUnreadable = true
                throw SettingsError.unreadable(path: path, error)
            }
            files.pause(0.005)
        }
    }

    /// Nil where it is worth while to wait and to look again.
    private mutating func read(
        _ descriptor: Int32,
        _ info: FileInfo,
        canWait: Bool
    ) throws -> StorageReading? {
        let now = files.now()
        let bytes = try readAll(descriptor, expecting: Int(info.identity.size))
        if canWait, try files.fstat(descriptor, path).identity != info.identity { return nil }
        do throws(PropertyListError) {
            let old = document
            let isSameFile = seen?.info.isOfSameFile(as: info) ?? false
            var reading = try take(bytes)
            let found = reading.difference
            isUnreadable = false
            let mark =
                isSameFile ? nil : FileMark(of: info, attributes: try files.extendedAttributes(descriptor))
            // Whoever has put another file there without the lock may have read the one before it earlier.
            let mayBeUnaware = !isSameFile && keepsMarks && mark.map(\.isOverOthers) ?? true
            // What was written in place another process, which keeps to the lock, may have read and written
            // anew.
            // Whoever is held up has had no chance to see that in time.
            let asked = heldUpSince ?? now
            recentWrites.findUndone(in: &reading, at: asked, isSameFile: isSameFile, isLocked: mark != nil) {
                [watcher, path, files] in
                if mayBeUnaware { return true }
                // Asked first: whoever has closed it by then has been told of.
                let isOpen = files.isOpenForWriting(descriptor) != false
                let time = RecentWrites.memory + Double(now.nanoseconds - asked.nanoseconds) / 1e9
                let wasWritten = watcher.wasWrittenInPlace(path, within: time)
                return wasWritten == false && isOpen ? nil : wasWritten
            }
            if case .some(let found) = found {
                var others: [String: PropertyListValue?] = [:]
                if SettingsSuite.mendsWritesOfOthers, mark != nil,
                    case .some(let changes) = reading.difference
                {
                    others = changes
                }
                recentWrites.note(found: found, ofOthers: others, over: old, at: now)
            }
            seen = Seen(info, at: now)
            return reading
        } catch {
            if canWait, isFresh(info) { return nil }
            throw SettingsError.unreadable(path: path, error)
        }
    }

    /// Makes the bytes the document and tells what differs from the last one. When it throws, all is as
    /// it was.
    private mutating func take(_ bytes: [UInt8]) throws(PropertyListError) -> StorageReading {
        if let standIn { return try take(bytes, after: standIn) }
        if case .outline(let outline, _)? = content {
            if let document = outline.document(of: bytes) {
                content = .document(document)
                return StorageReading(.none, exists: true)
            }
            if let document = formerDocument { content = .document(document) }
        }
        guard let oldBytes = document?.bytes else {
            let (document, values) = try PropertyListDocument.read(bytes)
            return found(.document(document), values)
        }
        if haveSameBytes(oldBytes, bytes) { return StorageReading(.none, exists: true) }
        // In place, so that the document isn't copied.
        let changes = try document?.update(to: bytes) ?? [:]
        durability = .unknown
        return StorageReading(changes.isEmpty ? .none : .some(changes), exists: true)
    }

    /// Lays what somebody did to a first write over the document.
    mutating func take(
        _ bytes: [UInt8],
        after written: PropertyListDocument
    ) throws(PropertyListError) -> StorageReading {
        var latest = written
        let changes = try latest.update(to: bytes)
        standIn = latest
        do throws(PropertyListError) {
            try document?.apply(changes)
        } catch {
            // They hold what only a file that has it already may hold: so theirs it is.
            document = latest
        }
        return StorageReading(changes.isEmpty ? .none : .some(changes), exists: true)
    }

    /// The file is not compared with an older version.
    mutating func found(_ content: Content, _ values: PropertyListEntries) -> StorageReading {
        self.content = content
        durability = .unknown
        hasLooked = true
        return StorageReading(.all(values), exists: true)
    }

    mutating func becomeAbsent() -> StorageReading {
        let isNew = content != nil || !hasLooked
        content = nil
        standIn = nil
        seen = nil
        isUnreadable = false
        hasLooked = true
        durability = .durable
        return StorageReading(isNew ? .all(PropertyListEntries()) : .none, exists: false)
    }

    /// Whether the file was changed within the last moments.
    private func isFresh(_ info: FileInfo) -> Bool {
        let last = max(info.identity.modified, info.identity.changed)
        return abs(files.now().nanoseconds - last.nanoseconds) < 200_000_000
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

/// Whether both are the same. `==` compares an array's elements one by one, which takes ten times as
/// long.
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
