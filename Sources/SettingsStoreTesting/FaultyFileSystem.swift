import Glibc
import SettingsStore
import Synchronization

/// A file system that records every call and can make any of them fail.
public final class FaultyFileSystem: FileSystem {
    /// A fault to inject.
    public enum Fault: Sendable, Hashable {
        /// One call fails with an error number. Calls are counted from 1, without close(2).
        case once(call: Int, Int32)
        /// This call and every later writing one fail.
        case from(call: Int, Int32)
        /// Each read and write handles at most this many bytes.
        case short(Int)
    }

    /// A recorded call.
    public struct Call: Sendable, Hashable {
        public let name: String
        /// The descriptor that the call got or returned; nil if there is none.
        public var descriptor: Int32?
    }

    private struct State {
        var fault: Fault?
        var calls: [Call] = []
        /// The number of calls that can fail.
        var count = 0
        var open: Set<Int32> = []
        var hasFailed = false
    }

    private let base: any FileSystem
    private let state = Mutex(State())

    public init(_ base: any FileSystem = LiveFileSystem()) { self.base = base }

    /// Replaces the fault, and counts calls from 1 again.
    public func inject(_ fault: Fault?) {
        state.withLock { state in
            state.fault = fault
            state.calls = []
            state.count = 0
            state.hasFailed = false
        }
    }

    /// Whether a call has failed since the last injection.
    public var hasFailed: Bool { state.withLock(\.hasFailed) }

    /// The calls since the last injection.
    public var calls: [Call] { state.withLock(\.calls) }

    /// The descriptors that are open.
    public var openDescriptors: Set<Int32> { state.withLock(\.open) }

    private static let writing: Set<String> = [
        "openat", "openUnnamed", "linkat", "write", "fsync", "fchmod", "futimens", "fchown", "rename",
        "mkdir", "fsetxattr",
        "fremovexattr",
    ]

    private func note(_ name: String, _ descriptor: Int32? = nil) throws(SystemError) {
        let number: Int32? = state.withLock { state in
            state.calls.append(Call(name: name, descriptor: descriptor))
            state.count += 1
            let number: Int32? =
                switch state.fault {
                case .once(state.count, let number): number
                case .from(let first, let number)
                where state.count >= first && Self.writing.contains(name):
                    number
                default: nil
                }
            if number != nil { state.hasFailed = true }
            return number
        }
        if let number { throw SystemError(name, "a file that was made to fail", number) }
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
}

extension FaultyFileSystem {
    public func stat(_ path: String) throws(SystemError) -> FileInfo? {
        try note("stat")
        return try base.stat(path)
    }

    public func fstat(_ descriptor: Int32, _ path: String) throws(SystemError) -> FileInfo {
        try note("fstat", descriptor)
        return try base.fstat(descriptor, path)
    }

    public func resolve(_ path: String) throws(SystemError) -> String {
        try note("realpath")
        return try base.resolve(path)
    }

    public func readlink(_ path: String) throws(SystemError) -> String? {
        try note("readlink")
        return try base.readlink(path)
    }

    public func open(_ path: String, flags: Int32) throws(SystemError) -> Int32 {
        try note("open")
        return noteOpened(try base.open(path, flags: flags))
    }

    public func openat(_ folder: Int32, _ name: String, flags: Int32, mode: UInt32) throws(SystemError)
        -> Int32
    {
        try note("openat")
        return noteOpened(try base.openat(folder, name, flags: flags, mode: mode))
    }

    public func openUnnamed(in folder: Int32, mode: UInt32) throws(SystemError) -> Int32 {
        try note("openUnnamed")
        return noteOpened(try base.openUnnamed(in: folder, mode: mode))
    }

    public func linkat(_ descriptor: Int32, _ folder: Int32, _ name: String) throws(SystemError) {
        try note("linkat", descriptor)
        try base.linkat(descriptor, folder, name)
    }

    public func close(_ descriptor: Int32) {
        state.withLock { state in
            precondition(state.open.remove(descriptor) != nil, "A descriptor is closed that is not open.")
            state.calls.append(Call(name: "close", descriptor: descriptor))
        }
        base.close(descriptor)
    }

    public func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError)
        -> Int
    {
        try note("read", descriptor)
        return try base.read(
            descriptor,
            into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(longest))
        )
    }

    public func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try note("write", descriptor)
        return try base.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(longest)))
    }

    public func fsync(_ descriptor: Int32) throws(SystemError) {
        try note("fsync", descriptor)
        try base.fsync(descriptor)
    }

    public func flock(_ descriptor: Int32, operation: Int32) throws(SystemError) {
        try note("flock", descriptor)
        try base.flock(descriptor, operation: operation)
    }

    public func fchmod(_ descriptor: Int32, mode: UInt32) throws(SystemError) {
        try note("fchmod", descriptor)
        try base.fchmod(descriptor, mode: mode)
    }

    public func setExactTime(_ descriptor: Int32) throws(SystemError) -> Timestamp {
        try note("futimens", descriptor)
        return try base.setExactTime(descriptor)
    }

    public func fchown(_ descriptor: Int32, owner: UInt32, group: UInt32) throws(SystemError) {
        try note("fchown", descriptor)
        try base.fchown(descriptor, owner: owner, group: group)
    }

    public func renameat(_ folder: Int32, from: String, to: String) throws(SystemError) {
        try note("rename", folder)
        try base.renameat(folder, from: from, to: to)
    }

    public func renameatWithoutReplacing(_ folder: Int32, from: String, to: String) throws(SystemError) {
        try note("rename", folder)
        try base.renameatWithoutReplacing(folder, from: from, to: to)
    }

    public func renameatExchanging(_ folder: Int32, _ a: String, _ b: String) throws(SystemError) {
        try note("rename", folder)
        try base.renameatExchanging(folder, a, b)
    }

    public func unlinkat(_ folder: Int32, _ name: String) throws(SystemError) {
        try note("unlink", folder)
        try base.unlinkat(folder, name)
    }

    public func symlinkat(_ target: String, _ folder: Int32, _ name: String) throws(SystemError) {
        try note("symlink", folder)
        try base.symlinkat(target, folder, name)
    }

    public func mkdir(_ path: String, mode: UInt32) throws(SystemError) {
        try note("mkdir")
        try base.mkdir(path, mode: mode)
    }

    public func mkdirat(_ folder: Int32, _ name: String, mode: UInt32) throws(SystemError) {
        try note("mkdir", folder)
        try base.mkdirat(folder, name, mode: mode)
    }

    public func refusalToWrite(_ path: String) -> SystemError? { base.refusalToWrite(path) }

    public var mayChangeOwners: Bool { base.mayChangeOwners }

    public func lease(_ descriptor: Int32) -> Bool? { base.lease(descriptor) }

    public func isLeaseAwaited(_ descriptor: Int32) -> Bool { base.isLeaseAwaited(descriptor) }

    public func endLease(_ descriptor: Int32) { base.endLease(descriptor) }

    public func extendedAttributes(_ descriptor: Int32) throws(SystemError) -> [ExtendedAttribute] {
        try note("flistxattr", descriptor)
        return try base.extendedAttributes(descriptor)
    }

    public func setExtendedAttribute(_ descriptor: Int32, _ attribute: ExtendedAttribute)
        throws(SystemError)
    {
        try note("fsetxattr", descriptor)
        try base.setExtendedAttribute(descriptor, attribute)
    }

    public func removeExtendedAttribute(_ descriptor: Int32, _ name: String) throws(SystemError) {
        try note("fremovexattr", descriptor)
        try base.removeExtendedAttribute(descriptor, name)
    }

    public func names(in folder: String) throws(SystemError) -> [String] {
        try note("readdir")
        return try base.names(in: folder)
    }

    public func names(inOpen folder: Int32) throws(SystemError) -> [String] {
        try note("readdir", folder)
        return try base.names(inOpen: folder)
    }

    public func now() -> Timestamp { base.now() }

    public func pause(_ seconds: Double) { base.pause(seconds) }
}
