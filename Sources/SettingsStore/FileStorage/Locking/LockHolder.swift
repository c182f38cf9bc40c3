import Glibc

/// Finds the process that has a lock on a file or folder, so that an error message can name it. proc(5) does not show
/// processes in other containers and on other machines.
package struct LockHolder {
    /// The process that took the lock. It may have passed it on to a child.
    package let process: Int32
    /// Nil if the process has ended, or may not be examined.
    private(set) var name: String?
    package private(set) var isStopped = false

    init?(of identity: FileInfo.Identity, _ files: any FileSystem) {
        guard let locks = files.text(of: "/proc/locks"),
            let process = Self.process(locking: identity, of: locks, files)
        else { return nil }
        self.process = process
        // `123 (a name) T …`; the name may have brackets in it.
        guard let status = files.text(of: "/proc/\(process)/stat"), let start = status.firstIndex(of: "("),
            let end = status.lastIndex(of: ")"), start < end
        else { return }
        name = String(status[status.index(after: start)..<end])
        isStopped = "Tt".contains(LinuxProcess.state(status) ?? " ")
    }

    /// Whether it is another process, and one of its threads runs, is ready to run, or waits for the disk. A process that
    /// hangs sleeps.
    func isAtWork(_ files: any FileSystem) -> Bool {
        // Of this process, the thread that asks always runs.
        process != getpid() && LinuxProcess(number: process).hasThread(inStates: "RD", files)
    }

    /// A line is like `1: FLOCK  ADVISORY  WRITE 123 08:01:131090 0 EOF`, with the process, the device and the inode.
    /// The line of a process that waits has an arrow before `FLOCK`.
    private static func process(
        locking identity: FileInfo.Identity,
        of locks: String,
        _ files: any FileSystem
    ) -> Int32? {
        let (device, inode) = (identity.device, identity.inode)
        let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
        let minor = device & 0xFF | device >> 12 & ~0xFF
        for line in locks.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", let process = Int32(words[4]), process > 0 else {
                continue
            }
            let place = words[5].split(separator: ":")
            guard place.count == 3, UInt64(place[2]) == inode else { continue }
            if UInt64(place[0], radix: 16) == major, UInt64(place[1], radix: 16) == minor { return process }
            // On some file systems (btrfs) stat(2) reports another device than this file does.
            if LinuxProcess(number: process).hasOpen(identity, files) { return process }
        }
        return nil
    }
}

extension LockHolder: CustomStringConvertible {
    package var description: String {
        if process == getpid() { return "this process itself" }
        return name.map { "process \(process) (\($0))" } ?? "process \(process)"
    }
}
