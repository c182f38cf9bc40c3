import Foundation

/// Counts how often a file in a folder is replaced.
///
/// The harness counts renames into the folder, because replacing a file atomically ends with exactly one rename.
public final class Arrivals {
    private let descriptor: Int32
    private var names: [String] = []

    public init(in folder: String) throws {
        descriptor = Self.instance()
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO)) >= 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
    }

    /// A user has 128 instances by default. The programs of other tests may use all of them for a moment.
    private static func instance() -> Int32 {
        while true {
            let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            guard descriptor < 0, errno == EMFILE else { return descriptor }
            usleep(10_000)
        }
    }

    deinit { close(descriptor) }

    /// Returns how often a file with this name has been replaced.
    public func count(of name: String) -> Int {
        readOn()
        return names.count { $0 == name }
    }

    private func readOn() {
        let size = 1 << 14
        let header = MemoryLayout<inotify_event>.size
        withUnsafeTemporaryAllocation(byteCount: size, alignment: MemoryLayout<inotify_event>.alignment) {
            buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, size)
                guard count > 0 else { return }
                var offset = 0
                while offset + header <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let name = buffer[(offset + header)..<(offset + header + Int(event.len))]
                    names.append(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
                    offset += header + Int(event.len)
                }
            }
        }
    }
}
