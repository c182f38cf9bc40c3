import Glibc
import PropertyList

// Stores changes without losing the changes of other programs. With the folder's lock: read the file if it has changed,
// let the caller decide what to write, write a new file and put it in the old one's place. After unlocking: wait for a
// program that has the file open, and check that no other program overwrote the write. Each step returns how it ended,
// and `store` decides what comes next.
extension FileStorage {
    public mutating func tryLock() -> Bool {
        do {
            lockedFolder = try DirectoryLock.lock(for: path, isPatient: false, files)
        } catch let error as SystemError where error.number == EWOULDBLOCK {
            return false
        } catch {
            // The update meets the same error, and throws it.
        }
        return true
    }

    /// The process that keeps ``tryLock()`` from locking; nil if the system does not say.
    package var lockHolder: LockHolder? {
        let folder = try? files.stat(ResolvedPath(of: path, files).folder)
        return (folder ?? nil).flatMap { LockHolder(of: $0.identity, files) }
    }

    public mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        do {
            var patience = WriterPatience()
            let changes = try store(&patience, decide)
            try lookAgain(at: changes, patience.late)
        } catch {
            throw named(error)
        }
    }

    /// How an attempt to write ended.
    enum WriteResult {
        /// The file has all of the changes already.
        case unneeded
        /// A program has the file open for writing. Nothing was written.
        case busy
        /// A program has changed the file since it was read. Nothing was written.
        case changed(StorageReading)
        case replaced(Replacement)
    }

    /// A write that has put a new file in the old one's place.
    struct Replacement {
        let edit: PropertyListDocument.Edit
        let changes: [String: PropertyListValue?]
        /// The replaced file, still open; nil if there was none.
        let file: Int32?
        /// Its version when it was read.
        let seen: Seen?
        /// Why the new file may not survive a loss of power; nil if it will.
        var failure: SettingsError?
    }

    /// Stores what the caller decides, with what unlocked writers write meanwhile.
    ///
    /// - Returns: The changes that were written.
    mutating func store(
        _ patience: inout WriterPatience,
        _ decide: (StorageReading) -> StorageWrite
    ) throws -> [String: PropertyListValue?] {
        while true {
            guard let folder = try lockFolder(forWriting: decide) else { return [:] }
            switch try attempt(in: folder, &patience, decide) {
            case .unneeded: return [:]
            case .busy: waitForWriters(&patience)
            // A reading that the caller is given counts as read, even if the next attempt fails.
            case .changed(let reading): _ = decide(reading)
            case .replaced(let replacement):
                defer { if let file = replacement.file { files.close(file) } }
                if let late = try lateWrites(of: replacement, &patience) {
                    _ = decide(late)
                    break
                }
                adopt(replacement.edit)
                if let failure = replacement.failure { throw failure }
                return replacement.changes
            }
        }
    }

    /// Locks the file's folder; nil if there is none, and no value to store in it.
    private mutating func lockFolder(
        forWriting decide: (StorageReading) -> StorageWrite
    ) throws -> DirectoryLock? {
        let ready = lockedFolder.take()
        if let found = try ready ?? DirectoryLock.lock(for: path, files) { return found }
        // A folder is made only for a value.
        let write = decide(becomeAbsent())
        if !write.isMaking, !write.changes.values.contains(where: { $0 != nil }) { return nil }
        return try makeFolder()
    }

    /// Reads the file, lets the caller decide and writes, in the locked folder, which it unlocks.
    private mutating func attempt(
        in folder: DirectoryLock,
        _ patience: inout WriterPatience,
        _ decide: (StorageReading) -> StorageWrite
    ) throws -> WriteResult {
        let watching = watcher.beginOwnWrite()
        defer {
            folder.unlock()
            watching?.endOwnWrite()
        }
        let mayWrite = patience.beginRound()
        // A write that goes first holds unlocked writers off from its reading on.
        let file = patience.givesWay ? nil : try folder.openFile()
        var lease = file.map { WriterLease(on: $0, files) }
        lease?.take()
        defer {
            lease?.end()
            if let file { files.close(file) }
        }
        // A program is writing the file. Its change would be missing in our reading, and our write would drop it.
        if lease?.isRefused == true, patience.mayWait { return .busy }
        // The bytes are read now, because most updates need them to write.
        guard case .read(let reading) = try readToWrite(in: folder, needsBytes: content == nil, &patience)
        else {
            return .busy
        }
        let decision = decide(reading)
        guard mayWrite else {
            let reason = "another program keeps writing the file: stop that program, then try again"
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        if !decision.changes.isEmpty, case .outline? = content {
            guard case .read(let again) = try readToWrite(in: folder, needsBytes: true, &patience) else {
                return .busy
            }
            // The file is not what the outline was made of.
            guard again.isNone else { return .changed(again) }
        }
        if !decision.quarantine.isEmpty { try keep(decision.quarantine, in: folder) }
        var result = try write(decision, in: folder, &patience)
        switch result {
        case .replaced(var replacement):
            do { try confirmName(in: folder) } catch { replacement.failure = error }
            result = .replaced(replacement)
        case .unneeded: try confirmName(in: folder)
        case .busy, .changed: break
        }
        return result
    }

    /// Makes the name of a new file durable.
    private mutating func confirmName(in folder: DirectoryLock) throws(SettingsError) {
        guard durability == .unconfirmed else { return }
        do throws(SystemError) {
            try files.makeDurable(folder.descriptor, path)
        } catch {
            throw unconfirmed(error)
        }
        durability = .durable
    }

    /// Removes the suite, or replaces its file by one with the changes.
    private mutating func write(
        _ decision: StorageWrite,
        in folder: DirectoryLock,
        _ patience: inout WriterPatience
    ) throws -> WriteResult {
        if case .remove = decision.suiteAction {
            if patience.waitsForWriters, let file = try folder.openFile() {
                defer { files.close(file) }
                if hasWriter(file) { return .busy }
            }
            return try removeFile(in: folder).map(WriteResult.changed) ?? .unneeded
        }
        let isMade = document == nil && decision.isMaking
        if isMade, let link = template(for: decision)?.link,
            try makeLink(link, to: decision.changes, in: folder)
        {
            return .unneeded
        }
        let changes = isMade ? changesFromTemplate(for: decision) : decision.changes
        if changes.isEmpty && durability != .unconfirmed && !isMade { return .unneeded }
        if document == nil && !isMade && !changes.values.contains(where: { $0 != nil }) { return .unneeded }
        let edit: PropertyListDocument.Edit
        if keepsSpellings, let document { spellings.note(changes.keys, of: document) }
        do throws(PropertyListError) {
            edit = try base.edit(changes, spelledAs: keepsSpellings ? spellings : nil)
            if keepsSpellings, let document { spellings.note(edit, of: document) }
        } catch {
            throw refusal(error)
        }
        if durability != .unconfirmed, document != nil, edit.isEmpty {
            if durability == .unknown { try confirm(in: folder) }
            return .unneeded
        }
        return try replaceFile(with: edit, storing: changes, in: folder, &patience)
    }

    /// Puts a new file in the old one's place, unless an unlocked writer goes first.
    ///
    /// Such a program reads its file again after it has written it, and writes it once more if it finds something else.
    /// So it would overwrite our changes if it did not go first.
    private mutating func replaceFile(
        with edit: PropertyListDocument.Edit,
        storing changes: [String: PropertyListValue?],
        in folder: DirectoryLock,
        _ patience: inout WriterPatience
    ) throws -> WriteResult {
        let oldFile = try folder.openFile()
        var isOpen = true
        defer { if isOpen, let oldFile { files.close(oldFile) } }
        // Spares a new file that would be written in vain. For most files, asking once, with the lease below, is enough.
        if isBesideUnlockedWriter, patience.waitsForWriters, hasWriter(oldFile) { return .busy }
        let (known, waits, now) = (knownVersion, patience.waitsForWriters, files.now())
        let givesWay = patience.givesWay
        var lease = givesWay ? oldFile.map { WriterLease(on: $0, files) } : nil
        defer { lease?.end() }
        /// Whether the new file had the suite's name for a moment, without what an unlocked writer had just written.
        var wasThere = false
        let isReplaced = try putFile(of: base.pieces(after: edit), inPlaceOf: oldFile, in: folder) {
            guard givesWay else { return try known.isStillThere(oldFile, in: folder) }
            lease?.take()
            if waits, lease?.hasWriter == true { return false }
            return try !known.isChanged(oldFile, in: folder)
        } keepingIf: {
            if !givesWay { return true }
            wasThere = known.isWritten(oldFile)
            return !wasThere && !(waits && lease?.hasWriter == true)
        }
        guard isReplaced else {
            let isBusy = lease?.hasWriter == true
            lease?.end()
            if isBusy, patience.waitsForWriters, !wasThere { return .busy }
            let before = wasThere ? document : nil
            guard case .read(let reading) = try readToWrite(in: folder, needsBytes: true, &patience) else {
                return .busy
            }
            if wasThere { noteLate(reading, over: before, &patience) }
            return .changed(reading)
        }
        overwrites.note(changes, over: document, at: now)
        isOpen = false
        return .replaced(Replacement(edit: edit, changes: changes, file: oldFile, seen: known.seen))
    }

    /// The changes that an unlocked writer has made in the replaced file. The new file is in place even if this throws.
    private mutating func lateWrites(
        of replacement: Replacement,
        _ patience: inout WriterPatience
    ) throws -> StorageReading? {
        do throws(SystemError) {
            return try takeLateWrites(of: replacement, &patience)
        } catch {
            adopt(replacement.edit)
            durability = .unconfirmed
            throw unconfirmed(error)
        }
    }

    /// Starts a new file from its template, if it has one, and returns the changes to the template.
    private mutating func changesFromTemplate(for decision: StorageWrite) -> [String: PropertyListValue?] {
        newFileTemplate = template(for: decision)
        guard let newFileTemplate else { return decision.changes }
        let others = newFileTemplate.keys.filter { !decision.changes.keys.contains($0) }
        return decision.changes.merging(others.map { ($0, nil) }) { mine, _ in mine }
    }

    /// The template of a suite that is made.
    private func template(for decision: StorageWrite) -> SuiteTemplate? {
        if case .create(let template?) = decision.suiteAction { return template }
        return removedTemplate(with: Set(decision.changes.filter { $0.value != nil }.keys))
    }

    /// The document that changes are applied to.
    var base: PropertyListDocument {
        document ?? newFileTemplate?.document ?? PropertyListDocument(format: newFormat)
    }

    /// Applies the edit that was written to the document, in place, so that the document isn't copied.
    private mutating func adopt(_ edit: PropertyListDocument.Edit) {
        if document == nil { document = base }
        document?.make(edit)
        onDiskDocument = nil
        newFileTemplate = nil
    }

    /// The file as it was read.
    var knownVersion: KnownVersion {
        KnownVersion(path: path, exists: document != nil, seen: seen, files: files)
    }

    /// Quarantines unreadable values that are about to be overwritten.
    func keep(_ values: [String: PropertyListValue], in folder: DirectoryLock) throws {
        let place = QuarantinedValues(beside: folder.place, files)
        do {
            try place.keep(
                values,
                as: formatOfNewContent,
                in: folder.descriptor
            )
        } catch {
            let keys = MessageText.names(values.keys, quoted: true)
            throw SettingsError.notWritable(
                path: path,
                reason: "the stored value of \(keys) can't be read, and keeping it aside failed: \(error)"
            )
        }
    }

    /// The error for a failure after the new file was put in place.
    func unconfirmed(_ error: SystemError) -> SettingsError {
        let reason = "the change is in the file, but might not survive a power cut: \(error.call) failed: "
        return .notWritable(path: path, reason: reason + message(ofErrorNumber: error.number))
    }

    func refusal(_ error: PropertyListError) -> SettingsError {
        if case .path(let place) = error.place, case .key(let key)? = place.steps.first {
            return .unrepresentable(path: path, key: key, error)
        }
        return .notWritable(path: path, reason: "\(error)")
    }

    /// Makes a file durable that another program wrote, if it has the changes already.
    private mutating func confirm(in folder: DirectoryLock) throws {
        guard let file = try folder.openFile() else { return }
        defer { files.close(file) }
        // If this fails, the file has to be written again.
        durability = .unconfirmed
        try files.makeDurable(file, path)
        try files.makeDurable(folder.descriptor, path)
        durability = .durable
    }

    // MARK: The folder

    /// Makes the folder that the path leads to, with the missing folders above it. Only its owner may read it, as the XDG
    /// Base Directory Specification requires, unless its files are for everyone.
    private func makeFolder() throws -> DirectoryLock {
        let folder = try ResolvedPath(of: path, files).folder
        try makeFolder(folder)
        guard let locked = try DirectoryLock.lock(for: path, files) else {
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
        try files.makeDurable(parent, path)
    }

    private func makeOneFolder(_ folder: String) throws(SystemError) {
        do {
            try files.mkdir(folder, mode: isForEveryone ? 0o755 : 0o700)
            guard isForEveryone else { return }
            // The umask does not apply to this call.
            let descriptor = try files.openUninterrupted(folder, flags: O_RDONLY | O_DIRECTORY)
            defer { files.close(descriptor) }
            try files.fchmod(descriptor, mode: 0o755)
        } catch  where error.number == EEXIST {
            // Another process has made it meanwhile, but perhaps not yet durably.
        }
    }
}
