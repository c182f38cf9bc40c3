import PropertyList

/// Keeps what an unlocked writer writes into a file that was just replaced.
///
/// Problem: a program that opened the file before our write writes into the replaced file, which no program reads any
/// more. Approach: the two files are exchanged and the replaced one stays open; after its writers have closed it, its
/// changes are merged like a foreign change. Without it, `UserDefaults` would lose every key that it stores in the
/// moment of one of our writes.
extension FileStorage {
    func hasWriter(_ file: Int32?) -> Bool {
        guard let file else { return false }
        return files.isOpenForWriting(file) == true
    }

    /// Waits until the suite's file is there and no program has it open for writing.
    func waitForWriters(_ patience: inout WriterPatience) {
        // A file that is half-written may be closed in between.
        files.pause(0.001)
        patience.wait(files) {
            guard let file = try? open() else { return false }
            defer { files.close(file) }
            return !hasWriter(file)
        } isStalled: {
            guard let file = try? files.stat(path) else { return false }
            return LinuxProcess.isAnyStalled(with: file.identity, files)
        }
    }

    /// The changes of an unlocked writer in the replaced file after it was read; nil if there are none. The document has
    /// these changes afterwards, and not ours, which the caller stores once more.
    mutating func takeLateWrites(
        of replacement: Replacement,
        _ patience: inout WriterPatience
    ) throws(SystemError) -> StorageReading? {
        guard let replaced = onDiskDocument ?? document, patience.looksForLateWrites,
            let late = try lateBytes(of: replacement, replaced, &patience)
        else { return nil }
        var next = base
        next.make(replacement.edit)
        // A replaced file that is half-written is ignored.
        guard var reading = try? compare(late, with: replaced) else { return nil }
        onDiskDocument = next
        durability = .unconfirmed
        let lateMark = WriteMark(unlockedAt: files.now(), after: mark)
        lateWrite = lateMark.lastUnlockedWrite
        overwrites.separateOverwritten(in: &reading, of: lateMark, after: mark)
        noteLate(reading, over: next, &patience)
        return reading
    }

    /// Notes late changes like changes of our own. The unlocked writer might have read the new file before they are in
    /// it. Then its next write overwrites them.
    ///
    /// A removal is not noted: the program may not have read a key that another process of ours has just stored. That
    /// process writes it again, and this one must not remove it again.
    mutating func noteLate(
        _ reading: StorageReading,
        over new: PropertyListDocument?,
        _ patience: inout WriterPatience
    ) {
        guard case .some(let differences) = reading.difference else { return }
        let changes = differences.filter { $0.value != nil }
        overwrites.note(changes, over: new, at: files.now())
        patience.late.merge(changes) { $1 }
    }

    private func lateBytes(
        of replacement: Replacement,
        _ replaced: PropertyListDocument,
        _ patience: inout WriterPatience
    ) throws(SystemError) -> [UInt8]? {
        guard let file = replacement.file, let seen = replacement.seen else { return nil }
        let hadWriter = hasWriter(file)
        if hadWriter {
            patience.wait(files) {
                !hasWriter(file)
            } isStalled: {
                LinuxProcess.isAnyStalled(with: seen.identity, files)
            }
        }
        let info = try files.fstat(file, path).identity
        let isUntouched = info.size == seen.identity.size && info.modified == seen.identity.modified
        if isUntouched, seen.isCertain, !hadWriter { return nil }
        guard let bytes = try? readAll(file, expecting: Int(info.size)) else { return nil }
        return haveSameBytes(bytes, replaced.bytes) ? nil : bytes
    }
}
