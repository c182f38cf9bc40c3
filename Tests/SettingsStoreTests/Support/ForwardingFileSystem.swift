import SettingsStore

/// Another file system, by default the operating system's, of which a subclass changes single calls.
///
/// Subclasses guard what they change with locks of their own, hence `@unchecked`.
class ForwardingFileSystem: FileSystem, @unchecked Sendable {
    let base: any FileSystem

    init(_ base: any FileSystem = LiveFileSystem()) { self.base = base }

    /// The action that runs before each call that can fail. If it throws, so does the call.
    ///
    /// - Parameter descriptor: The descriptor that the call gets; nil if there is none.
    func before(_ call: String, _ descriptor: Int32? = nil) throws(SystemError) {}

    func stat(_ path: String) throws(SystemError) -> FileInfo? {
        try before("stat")
        return try base.stat(path)
    }
    func fstat(_ descriptor: Int32, _ path: String) throws(SystemError) -> FileInfo {
        try before("fstat", descriptor)
        return try base.fstat(descriptor, path)
    }
    func resolve(_ path: String) throws(SystemError) -> String {
        try before("realpath")
        return try base.resolve(path)
    }
    func readlink(_ path: String) throws(SystemError) -> String? {
        try before("readlink")
        return try base.readlink(path)
    }
    func open(_ path: String, flags: Int32) throws(SystemError) -> Int32 {
        try before("open")
        return try base.open(path, flags: flags)
    }
    func openat(_ folder: Int32, _ name: String, flags: Int32, mode: UInt32) throws(SystemError) -> Int32 {
        try before("openat")
        return try base.openat(folder, name, flags: flags, mode: mode)
    }
    func openUnnamed(in folder: Int32, mode: UInt32) throws(SystemError) -> Int32 {
        try before("openUnnamed")
        return try base.openUnnamed(in: folder, mode: mode)
    }
    func linkat(_ descriptor: Int32, _ folder: Int32, _ name: String) throws(SystemError) {
        try before("linkat", descriptor)
        try base.linkat(descriptor, folder, name)
    }
    func close(_ descriptor: Int32) { base.close(descriptor) }
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try before("read", descriptor)
        return try base.read(descriptor, into: buffer)
    }
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try before("write", descriptor)
        return try base.write(descriptor, bytes)
    }
    func fsync(_ descriptor: Int32) throws(SystemError) {
        try before("fsync", descriptor)
        try base.fsync(descriptor)
    }
    func flock(_ descriptor: Int32, operation: Int32) throws(SystemError) {
        try before("flock", descriptor)
        try base.flock(descriptor, operation: operation)
    }
    func fchmod(_ descriptor: Int32, mode: UInt32) throws(SystemError) {
        try before("fchmod", descriptor)
        try base.fchmod(descriptor, mode: mode)
    }
    func setExactTime(_ descriptor: Int32) throws(SystemError) -> Timestamp {
        try before("futimens", descriptor)
        return try base.setExactTime(descriptor)
    }
    func fchown(_ descriptor: Int32, owner: UInt32, group: UInt32) throws(SystemError) {
        try before("fchown", descriptor)
        try base.fchown(descriptor, owner: owner, group: group)
    }
    func renameat(_ folder: Int32, from: String, to: String) throws(SystemError) {
        try before("rename", folder)
        try base.renameat(folder, from: from, to: to)
    }
    func renameatWithoutReplacing(_ folder: Int32, from: String, to: String) throws(SystemError) {
        try before("rename", folder)
        try base.renameatWithoutReplacing(folder, from: from, to: to)
    }
    func renameatExchanging(_ folder: Int32, _ a: String, _ b: String) throws(SystemError) {
        try before("rename", folder)
        try base.renameatExchanging(folder, a, b)
    }
    func unlinkat(_ folder: Int32, _ name: String) throws(SystemError) {
        try before("unlink", folder)
        try base.unlinkat(folder, name)
    }
    func symlinkat(_ target: String, _ folder: Int32, _ name: String) throws(SystemError) {
        try before("symlink", folder)
        try base.symlinkat(target, folder, name)
    }
    func mkdir(_ path: String, mode: UInt32) throws(SystemError) {
        try before("mkdir")
        try base.mkdir(path, mode: mode)
    }
    func mkdirat(_ folder: Int32, _ name: String, mode: UInt32) throws(SystemError) {
        try before("mkdir", folder)
        try base.mkdirat(folder, name, mode: mode)
    }
    func refusalToWrite(_ path: String) -> SystemError? { base.refusalToWrite(path) }
    var mayChangeOwners: Bool { base.mayChangeOwners }
    func lease(_ descriptor: Int32) -> Bool? { base.lease(descriptor) }
    func isLeaseAwaited(_ descriptor: Int32) -> Bool { base.isLeaseAwaited(descriptor) }
    func endLease(_ descriptor: Int32) { base.endLease(descriptor) }
    func extendedAttributes(_ descriptor: Int32) throws(SystemError) -> [ExtendedAttribute] {
        try before("flistxattr", descriptor)
        return try base.extendedAttributes(descriptor)
    }
    func setExtendedAttribute(_ descriptor: Int32, _ attribute: ExtendedAttribute) throws(SystemError) {
        try before("fsetxattr", descriptor)
        try base.setExtendedAttribute(descriptor, attribute)
    }
    func removeExtendedAttribute(_ descriptor: Int32, _ name: String) throws(SystemError) {
        try before("fremovexattr", descriptor)
        try base.removeExtendedAttribute(descriptor, name)
    }
    func names(in folder: String) throws(SystemError) -> [String] {
        try before("readdir")
        return try base.names(in: folder)
    }
    func names(inOpen folder: Int32) throws(SystemError) -> [String] {
        try before("readdir", folder)
        return try base.names(inOpen: folder)
    }
    func now() -> Timestamp { base.now() }
    func pause(_ seconds: Double) { base.pause(seconds) }
}
