import Glibc

/// A time of a file, in nanoseconds since 1970.
public struct Timestamp: Sendable, Hashable, Comparable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

    func seconds(since start: Timestamp) -> Double { Double(nanoseconds - start.nanoseconds) / 1e9 }

    var isWholeSecond: Bool { nanoseconds % 1_000_000_000 == 0 }
}

/// The time as in `20240501T102030Z`.
func utcStamp(_ time: Timestamp) -> String {
    var seconds = time_t(time.nanoseconds / 1_000_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
        + "T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
}

/// The result of stat(2). Comparing two of them shows whether a file has changed since it was read.
public struct FileInfo: Sendable, Hashable {
    public enum Kind: Sendable, Hashable { case file, folder, other }

    /// Distinguishes one version of a file from the next: equal identities mean an unchanged file, as far as the
    /// resolution of file times goes.
    public struct Identity: Sendable, Hashable {
        public var device: UInt64
        public var inode: UInt64
        public var size: Int64
        public var modified: Timestamp
        public var changed: Timestamp
    }

    public var kind: Kind
    public var identity: Identity
    /// Permission bits, with set-user-ID, set-group-ID and the sticky bit.
    public var mode: UInt32
    public var owner: UInt32
    public var group: UInt32
    /// When an open file was made, if its file system keeps that. A new file may have the inode's number of a removed
    /// one.
    public var born: Timestamp?
}

extension FileInfo {
    /// Whether both are the same file, in any version.
    func isOfSameFile(as other: FileInfo) -> Bool {
        guard identity.device == other.identity.device, identity.inode == other.identity.inode else {
            return false
        }
        guard let born, let othersBorn = other.born else { return true }
        return born == othersBorn
    }
}
