/// Distinguishes the files that this library wrote from the files of unlocked writers.
///
/// Problem: an unlocked writer leaves no trace in the file, and its file may lack values that other programs stored.
/// Approach: each write of ours notes the file's modification time in an extended attribute of the file; a file
/// whose time differs from its attribute, or that has none, was written by an unlocked writer. Without it, a value
/// that another process of ours sets back on purpose could not be distinguished from a value that an unlocked writer
/// overwrote without having read it.
///
/// The attribute also keeps the time of the last write of an unlocked writer. Otherwise a write of another process of
/// ours would hide it.
struct WriteMark {
    static let attributeName = "user.pdefaults.mark"

    /// Whether this library wrote the file, and no other program has written it since.
    let isOurs: Bool
    /// When an unlocked writer last wrote the file or one that it replaced, as far as that is known.
    let lastUnlockedWrite: Timestamp?

    /// The mark of a file as it is now.
    init(of file: FileInfo, _ attributes: [ExtendedAttribute]) {
        let value = attributes.first { $0.name == Self.attributeName }?.value ?? []
        let numbers = value.withUnsafeBytes { bytes in
            (0..<value.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self) }
        }
        isOurs = numbers.first == file.identity.modified.nanoseconds
        let noted = numbers.dropFirst().first.map(Timestamp.init(nanoseconds:))
        // A program may give its file any time of modification, but not of its last change.
        lastUnlockedWrite = isOurs ? noted : Self.time(file.identity.changed, after: noted)
    }

    /// The mark of a file that an unlocked writer has just written.
    ///
    /// - Parameter known: The mark of the file before that.
    init(unlockedAt now: Timestamp, after known: WriteMark?) {
        (isOurs, lastUnlockedWrite) = (false, Self.time(now, after: known?.lastUnlockedWrite))
    }

    /// Two writes have different times, although clocks advance in steps, and file times may be ahead of the clock. A
    /// time far ahead is from before the clock was set back.
    private static func time(_ time: Timestamp, after last: Timestamp?) -> Timestamp {
        guard let last, time <= last, last.nanoseconds - time.nanoseconds < 1_000_000_000 else { return time }
        return Timestamp(nanoseconds: last.nanoseconds + 1)
    }

    /// The mark of a file of ours.
    init(lastUnlockedWrite: Timestamp?) { (isOurs, self.lastUnlockedWrite) = (true, lastUnlockedWrite) }

    /// The attribute for the file, which has its modification time already: one or two times in the machine's byte order.
    func attribute(of file: FileInfo) -> ExtendedAttribute {
        let numbers = [file.identity.modified, lastUnlockedWrite].compactMap { $0?.nanoseconds }
        return ExtendedAttribute(Self.attributeName, numbers.withUnsafeBytes(Array.init))
    }
}
