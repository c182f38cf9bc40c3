import Glibc
import SettingsStore

/// A file system that records every call and can make any of them fail.
final class FaultyFileSystem: ForwardingFileSystem, @unchecked Sendable {
    /// A fault to inject.
    enum Fault: Sendable, Hashable {
        /// One call fails with an error number. Calls are counted from 1, without close(2).
        case once(call: Int, Int32)
        /// This call and every later writing one fail.
        case from(call: Int, Int32)
        /// Each read and write handles at most this many bytes.
        case short(Int)
    }

    /// A recorded call.
    struct Call: Sendable, Hashable {
        let name: String
        /// The descriptor that the call got or returned; nil if there is none.
        var descriptor: Int32?
    }

    private struct State {
        var fault: Fault?
        var calls: [Call] = []
        /// The number of calls that can fail.
        var count = 0
        var open: Set<Int32> = []
        var hasFailed = false
    }

    private let state = Mutex(State())

    /// Replaces the fault, and counts calls from 1 again.
    func inject(_ fault: Fault?) {
        state.withLock { state in
            state.fault = fault
            state.calls = []
            state.count = 0
            state.hasFailed = false
        }
    }

    /// Whether a call has failed since the last injection.
    var hasFailed: Bool { state.withLock(\.hasFailed) }

    /// The calls since the last injection.
    var calls: [Call] { state.withLock(\.calls) }

    /// The descriptors that are open.
    var openDescriptors: Set<Int32> { state.withLock(\.open) }

    private static let writing: Set<String> = [
        "openat", "openUnnamed", "linkat", "write", "fsync", "fchmod", "futimens", "fchown", "rename",
        "mkdir", "fsetxattr",
        "fremovexattr",
    ]

    override func before(_ call: String, _ descriptor: Int32?) throws(SystemError) {
        let number: Int32? = state.withLock { state in
            state.calls.append(Call(name: call, descriptor: descriptor))
            state.count += 1
            let number: Int32? =
                switch state.fault {
                case .once(state.count, let number): number
                case .from(let first, let number)
                where state.count >= first && Self.writing.contains(call):
                    number
                default: nil
                }
            if number != nil { state.hasFailed = true }
            return number
        }
        if let number { throw SystemError(call, "a file that was made to fail", number) }
    }

    private func noteOpened(_ descriptor: Int32) -> Int32 {
        state.withLock { state in
            state.open.insert(descriptor)
            state.calls[state.calls.count - 1].descriptor = descriptor
        }
        return descriptor
    }

    private var longest: Int {
        state.withLock { if case .short(let count) = $0.fault { count } else { Int.max } }
    }

    override func open(_ path: String, flags: Int32) throws(SystemError) -> Int32 {
        noteOpened(try super.open(path, flags: flags))
    }

    override func openat(
        _ folder: Int32,
        _ name: String,
        flags: Int32,
        mode: UInt32
    ) throws(SystemError) -> Int32 {
        noteOpened(try super.openat(folder, name, flags: flags, mode: mode))
    }

    override func openUnnamed(in folder: Int32, mode: UInt32) throws(SystemError) -> Int32 {
        noteOpened(try super.openUnnamed(in: folder, mode: mode))
    }

    override func close(_ descriptor: Int32) {
        state.withLock { state in
            precondition(state.open.remove(descriptor) != nil, "A descriptor is closed that is not open.")
            state.calls.append(Call(name: "close", descriptor: descriptor))
        }
        super.close(descriptor)
    }

    override func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        try super.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(longest)))
    }

    override func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try super.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(longest)))
    }
}
