import Glibc
import PropertyList

extension FileStorage {
    public mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        heldUpSince = files.now()
        defer { heldUpSince = nil }
        do {
            let folder: LockedFolder
            if let found = try LockedFolder.lock(for: path, guess: lastPlace, files) {
                lastPlace = found.place
                folder = found
            } else {
                // No folder is made before there is something to put there.
                let write = decide(becomeAbsent())
                if !write.isMaking, !write.changes.values.contains(where: { $0 != nil }) { return }
                folder = try makeFolder()
            }
            let watching = watcher.beginOwnWrite()
            defer {
                folder.unlock()
                watching?.endOwnWrite()
            }
            try update(in: folder, decide)
        } catch {
            // The next one has its own.
            contest = nil
            throw named(error)
        }
    }

    /// How often a program that writes in place may go first.
    private static var politeRounds: Int { 24 }
    /// How often such a program may spoil a write, before it is tried again later.
    private static var rounds: Int { 64 }

    private mutating func update(
        in folder: LockedFolder,
        _ decide: (StorageReading) -> StorageWrite
    ) throws {
        // Most updates write.
        var reading = try content == nil ? readWhole(in: folder) : read(in: folder)
        heldUpSince = nil
        var round = 0
        while true {
            let decision = decide(reading)
            if round == Self.rounds {
                let reason = "another program writes the file again and again, and leaves no time to do so"
                throw SettingsError.notWritable(path: path, reason: reason)
            }
            if !decision.changes.isEmpty, case .outline? = content {
                let again = try readWhole(in: folder)
                // It was not what it was taken for.
                guard again.isNone else {
                    reading = again
                    round += 1
                    continue
                }
            }
            if !decision.keeping.isEmpty { try keep(decision.keeping, in: folder) }
            let late = try write(decision, in: folder, isPolite: round < Self.politeRounds)
            guard let late else { break }
            reading = late
            round += 1
        }
        if durability == .unconfirmed {
            do throws(SystemError) {
                try files.fsync(folder.descriptor)
            } catch {
                throw unconfirmed(error)
            }
            durability = .durable
        }
    }

    /// Writes the document with the changes.
    ///
    /// - Parameter isPolite: whether to begin anew when somebody changes the file before it is replaced.
    ///   Otherwise what is changed then is found in the file that was replaced.
    /// - Returns: what a program that takes no locks did to the file meanwhile. The document is that
    ///   program's then, as if nothing had been written, and is to be written with the changes once
    ///   more.
    private mutating func write(
        _ decision: StorageWrite,
        in folder: LockedFolder,
        isPolite: Bool
    ) throws -> StorageReading? {
        if case .removed = decision.whole { return try removeFile(in: folder) }
        let isMade = document == nil && decision.isMaking
        if isMade, let link = form(for: decision)?.link, try makeLink(link, to: decision.changes, in: folder)
        {
            return nil
        }
        let changes = isMade ? begin(decision) : decision.changes
        if changes.isEmpty && durability != .unconfirmed && !isMade { return nil }
        if document == nil && !isMade && !changes.values.contains(where: { $0 != nil }) { return nil }
        let edit: PropertyListDocument.Edit
        if keepsSpellings, let document { spellings.note(changes.keys, of: document) }
        do throws(PropertyListError) {
            edit = try base.edit(changes, spelledAs: keepsSpellings ? spellings : nil)
        } catch {
            throw refusal(error)
        }
        if durability != .unconfirmed, document != nil, edit.isEmpty {
            if durability == .unknown { try confirm(in: folder) }
            recentWrites.note(changes, over: document, at: files.now())
            return nil
        }

        let oldFile = try folder.openFile()
        defer { if let oldFile { files.close(oldFile) } }
        let replacedSeen = seen
        let isReplaced = try replaceFile(oldFile, with: base.pieces(after: edit), in: folder) { [self] in
            // A program that is writing in place goes first: it reads again what it wrote, and would
            // write it once more, over ours, if it found something else.
            try isPolite ? !isChanged(oldFile, in: folder) : isStillThere(oldFile, in: folder)
        }
        guard isReplaced else { return try read(in: folder) }
        let now = files.now()
        let replaced = standIn ?? document
        let late: [UInt8]?
        do {
            late = try lateBytes(of: oldFile, replacedSeen)
        } catch {
            recentWrites.note(changes, over: replaced, at: now)
            make(edit)
            throw unconfirmed(error)
        }
        guard let late, let replaced else {
            recentWrites.note(changes, over: replaced, at: now)
            make(edit)
            return nil
        }
        var next = base
        next.make(edit)
        guard var reading = try? take(late, after: replaced) else {
            recentWrites.note(changes, over: replaced, at: now)
            document = next
            standIn = nil
            model = nil
            return nil
        }
        standIn = next
        lastLate = now
        // That program can't have seen what is written here.
        recentWrites.findUndone(in: &reading, at: now)
        recentWrites.note(changes, over: replaced, at: now)
        recentWrites.note(undoneLate: reading.undone, at: now)
        // That program may read what is there now, without what it wrote late, before that is put back.
        if case .some(let late) = reading.difference {
            recentWrites.note(late: late.filter { !changes.keys.contains($0.key) }, over: next, at: now)
        }
        return reading
    }

    /// Has a file that is made begin with what it is to be like, and returns what is to change in that.
    private mutating func begin(_ decision: StorageWrite) -> [String: PropertyListValue?] {
        model = form(for: decision)
        guard let model else { return decision.changes }
        let others = model.keys.filter { !decision.changes.keys.contains($0) }
        return decision.changes.merging(others.map { ($0, nil) }) { mine, _ in mine }
    }

    /// What a suite that is made is to be like.
    private func form(for decision: StorageWrite) -> SuiteForm? {
        if case .made(let form?, _) = decision.whole { return form }
        return removedForm(with: Set(decision.changes.filter { $0.value != nil }.keys))
    }

    /// What changes are laid over.
    private var base: PropertyListDocument {
        document ?? model?.document ?? PropertyListDocument(format: newFormat)
    }

    /// Takes over what was written, in place, so that the document isn't copied.
    private mutating func make(_ edit: PropertyListDocument.Edit) {
        if document == nil { document = base }
        document?.make(edit)
        standIn = nil
        model = nil
    }

    /// Whether somebody has changed, removed or made the file since it was read. Whoever is at it is
    /// waited for.
    func isChanged(_ file: Int32?, in folder: LockedFolder) throws -> Bool {
        guard let file else { return try document != nil || files.stat(folder.place.path) != nil }
        guard document != nil else { return true }
        _ = waitForWriters(of: file)
        guard let seen else { return false }
        return try files.fstat(file, path).identity != seen.identity
    }

    private func isStillThere(_ file: Int32?, in folder: LockedFolder) throws -> Bool {
        let there = try files.stat(folder.place.path)?.identity
        let opened = try file.map { try files.fstat($0, path).identity }
        return there?.device == opened?.device && there?.inode == opened?.inode
    }

    /// Keeps values aside that are about to be overwritten and that nobody could read.
    func keep(_ values: [String: PropertyListValue], in folder: LockedFolder) throws {
        let place = KeptValues(beside: folder.place, files)
        do {
            try place.keep(values, as: content?.format == .binary ? .binary : .xml)
        } catch {
            let keys = values.keys.sorted().map { "“\($0)”" }.joined(separator: ", ")
            throw SettingsError.notWritable(
                path: path,
                reason: "what is stored for \(keys) can't be read, and keeping it aside failed: \(error)"
            )
        }
    }

    /// What fails when the new file is there already.
    func unconfirmed(_ error: SystemError) -> SettingsError {
        let reason = "what was set is in the file, but may not outlive a power cut: \(error.call) failed: "
        return .notWritable(path: path, reason: reason + message(ofErrorNumber: error.number))
    }

    func refusal(_ error: PropertyListError) -> SettingsError {
        if case .path(let place) = error.place, case .key(let key)? = place.steps.first {
            return .unrepresentable(path: path, key: key, error)
        }
        return .notWritable(path: path, reason: "\(error)")
    }

    /// Makes durable what somebody else wrote and what the changes do not alter.
    private mutating func confirm(in folder: LockedFolder) throws {
        guard let file = try folder.openFile() else { return }
        defer { files.close(file) }
        // Should it fail, the file is to be written again.
        durability = .unconfirmed
        try files.fsync(file)
        try files.fsync(folder.descriptor)
        durability = .durable
    }

    // MARK: Late writes

    /// What the file that was replaced holds, if a program that writes in place changed it after it had
    /// been read; nil otherwise, and where it can't be read any more.
    private func lateBytes(of file: Int32?, _ seen: Seen?) throws(SystemError) -> [UInt8]? {
        guard let file, let seen, let replaced = standIn ?? document else { return nil }
        let hadWriter = waitForWriters(of: file)
        let info = try files.fstat(file, path).identity
        let isUntouched = info.size == seen.identity.size && info.modified == seen.identity.modified
        if isUntouched, seen.isCertain, !hadWriter { return nil }
        guard let bytes = try? readAll(file, expecting: Int(info.size)) else { return nil }
        return haveSameBytes(bytes, replaced.bytes) ? nil : bytes
    }

    /// Waits until nobody has the file open for writing any more, for a second at the most, and tells
    /// whether anybody had.
    private func waitForWriters(of descriptor: Int32) -> Bool {
        var rounds = 0
        // Most are done at once, and some begin anew soon.
        while rounds < 1_000, files.isOpenForWriting(descriptor) == true {
            files.pause(rounds < 10 ? 0.000_05 : 0.001)
            rounds += 1
        }
        return rounds > 0
    }

    // MARK: The folder

    /// Makes the folder that the path leads to and what is missing above it, readable by its owner
    /// alone, as the XDG Base Directory Specification has it.
    private func makeFolder() throws -> LockedFolder {
        let folder = try FilePlace(of: path, files).folder
        try makeFolder(folder)
        guard let locked = try LockedFolder.lock(for: path, files) else {
            throw SystemError("open", folder, ENOENT)
        }
        return locked
    }

    private func makeFolder(_ folder: String) throws(SystemError) {
        do {
            try makeOneFolder(folder)
        } catch  where error.number == ENOENT && folder != "/" {
            try makeFolder(splitPath(folder).folder)
            try makeOneFolder(folder)
        }
        let parent = try files.openUninterrupted(splitPath(folder).folder, flags: O_RDONLY | O_DIRECTORY)
        defer { files.close(parent) }
        try files.fsync(parent)
    }

    private func makeOneFolder(_ folder: String) throws(SystemError) {
        do {
            try files.mkdir(folder, mode: 0o700)
        } catch  where error.number == EEXIST {
            // Made by somebody else meanwhile, who need not have got any further.
        }
    }
}
