/// What the time of a file's last modification tells of who wrote it: whoever keeps to the folder's lock gives
/// a file a time whose last four digits, of nanoseconds, those of others have by chance alone. They go by what else
/// tells this file from others, so that who copies the time of one (`cp -p`, `touch -r`) does not copy its mark.
///
/// Where the file system keeps no such times, an extended attribute says the same.
///
/// They also say when, within the last moments, somebody else had put a file there: whoever did so may have
/// undone without knowing what had just been stored, and what was built upon it has undone that as well.
package struct FileMark {
    private static let scale: Int64 = 10_000
    private static let memory = Int64(RecentWrites.memory * 1_000_000_000)
    /// Nanoseconds; as many steps later they are counted from the start again.
    private static let step = memory / 8
    private static let steps: Int64 = 16

    /// In which step somebody else had put a file there; nil where that was longer ago than matters.
    private let others: Int64?

    package var isOverOthers: Bool { others != nil }

    /// Whether somebody else had put a file there within the last quarter of a second, or two.
    func isJustOverOthers(at now: Timestamp) -> Bool {
        others.map { (Self.step(at: now) - $0 + Self.steps) % Self.steps <= 1 } ?? false
    }

    /// The last digits of the time that a file is to have.
    package func digits(of file: FileInfo) -> Int64 {
        (Self.first(of: file) + (others.map { $0 + 1 } ?? 0)) % Self.scale
    }

    private static func first(of file: FileInfo) -> Int64 {
        let born = file.born?.nanoseconds ?? 0
        // As large a part of the golden ratio as there are bits spreads what follows each other evenly.
        var hash: UInt64 = 4_711
        for part in [file.identity.inode, UInt64(bitPattern: file.identity.size), UInt64(bitPattern: born)] {
            hash = (hash ^ part) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
        }
        return Int64(hash % UInt64(scale))
    }

    /// Nil for a file of somebody else.
    ///
    /// - Parameter attributes: of that file, which are asked for where its time may have been rounded.
    package init?(of file: FileInfo, attributes: @autoclosure () throws -> [ExtendedAttribute] = []) {
        if let mark = FileMark(ofTime: file) {
            self = mark
            return
        }
        guard file.identity.modified.nanoseconds % Self.coarsest == 0,
            let value = try? attributes().first(where: { $0.name == Self.attributeName })?.value,
            let mark = Self.all.first(where: { $0.attribute(of: file).value == value })
        else { return nil }
        self = mark
    }

    private init?(ofTime file: FileInfo) {
        let time = file.identity.modified.nanoseconds % Self.scale
        let digits = (time - Self.first(of: file) + Self.scale) % Self.scale
        guard (0...Self.steps).contains(digits) else { return nil }
        others = digits == 0 ? nil : digits - 1
    }

    // MARK: As an attribute

    static let attributeName = "user.pdefaults.mark"
    /// What the times of file systems that round them can be divided by, at the least.
    private static let coarsest: Int64 = 1_000_000
    private static let all = [FileMark(others: nil)] + (0..<steps).map { FileMark(others: $0) }

    private init(others: Int64?) { self.others = others }

    /// For a file that has its time already.
    func attribute(of file: FileInfo) -> ExtendedAttribute {
        let text = "\(digits(of: file)) \(file.identity.modified.nanoseconds)"
        return ExtendedAttribute(Self.attributeName, Array(text.utf8))
    }

    // MARK: Of a new file

    /// The mark of a file that replaces another.
    ///
    /// - Parameter lastLate: When somebody else was last found to have written what had just been replaced: the
    ///   next file holds that, too.
    package init(
        over old: FileInfo?,
        marked oldMark: FileMark? = nil,
        lastLate: Timestamp? = nil,
        at now: Timestamp
    ) {
        func recent(_ time: Timestamp, _ step: Int64?) -> Int64? {
            let isRecent = now.nanoseconds - time.nanoseconds < Self.memory
            return step.flatMap { isRecent && Self.isRecent($0, at: now) ? $0 : nil }
        }
        let late = lastLate.flatMap { recent($0, Self.step(at: $0)) }
        guard let old else {
            others = late
            return
        }
        let mark = oldMark ?? FileMark(of: old)
        // Others may give a file any time, but not that of its last change, which renaming is; one that is to come,
        // by a clock that is ahead, is now.
        let changed = Timestamp(nanoseconds: min(old.identity.changed.nanoseconds, now.nanoseconds))
        let last = mark == nil ? changed : old.identity.modified
        others = late ?? recent(last, mark.map(\.others) ?? Self.step(at: last))
    }

    private static func step(at time: Timestamp) -> Int64 { time.nanoseconds / step % steps }

    private static func isRecent(_ other: Int64, at now: Timestamp) -> Bool {
        (step(at: now) - other + steps) % steps <= memory / step
    }
}
