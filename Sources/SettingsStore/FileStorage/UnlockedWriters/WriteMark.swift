/// Distinguishes the files that this library wrote from the files of unlocked writers.
///
/// Problem: an unlocked writer leaves no trace in the file, and its file may lack values that other programs stored.
/// Approach: each write of ours notes the file's modification time in an extended attribute of the file; a file
/// whose time differs from its attribute, or that has none, was written by an unlocked writer. Without it, a value
/// that another process of ours sets back on purpose could not be distinguished from a value that an unlocked writer
/// overwrote without having read it.
///
/// The attribute also notes when an unlocked writer had last written before, because a process of ours may write
/// between that program and the process that looks.
struct WriteMark {
    static let attributeName = "user.pdefaults.mark"

    /// Whether this library wrote the file, and no other program has written it since.
    let isOurs: Bool
    /// When an unlocked writer last wrote the file or one that it replaced, as far as that is known.
    let lastUnlockedWrite: Timestamp?

    /// The mark of a file as it is now.
    init(of file: FileInfo, _ attributes: [ExtendedAttribute]) {
        var numbers = attributes.first { $0.name == Self.attributeName }?.value[...] ?? []
        isOurs = Self.takeNumber(from: &numbers) == file.identity.modified.nanoseconds
        let noted = Self.takeNumber(from: &numbers).map(Timestamp.init(nanoseconds:))
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

    /// The attribute for the file, which has its modification time already.
    func attribute(of file: FileInfo) -> ExtendedAttribute {
        var text = String(file.identity.modified.nanoseconds)
        if let lastUnlockedWrite { text += " " + String(lastUnlockedWrite.nanoseconds) }
        return ExtendedAttribute(Self.attributeName, Array(text.utf8))
    }

    /// Every write reads two numbers, so this is not left to strings.
    private static func takeNumber(from text: inout ArraySlice<UInt8>) -> Int64? {
        var number: Int64?
        while let byte = text.popFirst(), byte != UInt8(ascii: " ") {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, isOver) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            if isTooLarge || isOver { return nil }
            number = sum
        }
        return number
    }
}
