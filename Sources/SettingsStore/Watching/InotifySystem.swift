import CLinux
import Glibc

/// The system calls of ``FolderWatcher`` (inotify(7)), so that a test can make them fail and make up events.
public protocol InotifySystem: Sendable {
    /// A descriptor that becomes readable when there are events.
    func openInstance() throws(SystemError) -> Int32
    /// Watches the folder at a path, for the events of the mask and those that it is watched for already.
    func addWatch(_ instance: Int32, _ path: String, mask: UInt32) throws(SystemError) -> Int32
    func removeWatch(_ instance: Int32, _ watch: Int32)
    /// Returns the events that have happened, without waiting.
    func events(_ instance: Int32) -> [WatchEvent]
    /// The type of the file system that a folder is on (statfs(2)); nil if that is unknown.
    func fileSystemType(of folder: String) -> Int?
}

/// A change in a folder.
public struct WatchEvent: Sendable, Hashable {
    /// -1 if events were lost.
    public var watch: Int32
    /// The kinds of change (inotify(7)).
    public var mask: UInt32
    /// The name in the folder; empty for the folder itself.
    public var name: String

    public init(watch: Int32, mask: UInt32, name: String) {
        self.watch = watch
        self.mask = mask
        self.name = name
    }
}

public struct LiveInotifySystem: InotifySystem {
    public init() {}

    public func openInstance() throws(SystemError) -> Int32 {
        let instance = clinux_above_standard(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
        if instance < 0 { throw SystemError("inotify_init1", "", errno) }
        return instance
    }

    public func addWatch(_ instance: Int32, _ path: String, mask: UInt32) throws(SystemError) -> Int32 {
        let whole = mask | UInt32(IN_DONT_FOLLOW | IN_MASK_ADD)
        let watch = inotify_add_watch(instance, path, whole)
        if watch < 0 { throw SystemError("inotify_add_watch", path, errno) }
        return watch
    }

    public func removeWatch(_ instance: Int32, _ watch: Int32) { _ = inotify_rm_watch(instance, watch) }

    public func events(_ instance: Int32) -> [WatchEvent] {
        var events: [WatchEvent] = []
        // A small buffer on the stack for a few events, and a large one for many.
        if read(instance, room: 1024, into: &events) { while read(instance, room: 1 << 16, into: &events) {} }
        return events
    }

    /// - Returns: Whether there may be more events.
    private func read(_ instance: Int32, room: Int, into events: inout [WatchEvent]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: room, alignment: 8) { buffer in
            let count = Glibc.read(instance, buffer.baseAddress, buffer.count)
            if count <= 0 { return false }
            var offset = 0
            // struct inotify_event: watch, mask, cookie, length of the name, name.
            while offset + 16 <= count {
                let length = Int(buffer.load(fromByteOffset: offset + 12, as: UInt32.self))
                let name = buffer[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }
                events.append(
                    WatchEvent(
                        watch: buffer.load(fromByteOffset: offset, as: Int32.self),
                        mask: buffer.load(fromByteOffset: offset + 4, as: UInt32.self),
                        name: String(decoding: name, as: UTF8.self)
                    )
                )
                offset += 16 + length
            }
            // As many events as fit are read at once; one takes 16 bytes and its name.
            return count + 16 + Int(NAME_MAX) + 1 > buffer.count
        }
    }

    public func fileSystemType(of folder: String) -> Int? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return nil }
        defer { close(descriptor) }
        let type = clinux_file_system_type(descriptor)
        return type < 0 ? nil : type
    }
}
