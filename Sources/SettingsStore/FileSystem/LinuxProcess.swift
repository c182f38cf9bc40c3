import Glibc

/// The state and the open files of a process, from proc(5). A process that is waited for gets more time while it runs or
/// waits for the disk.
struct LinuxProcess {
    let number: Int32

    /// Whether another process has the file open and waits for the disk. Processes of other users don't show their files.
    static func isAnyStalled(with file: FileInfo.Identity, _ files: any FileSystem) -> Bool {
        let numbers = ((try? files.names(in: "/proc")) ?? []).compactMap { Int32($0) }
        return numbers.contains { number in
            let process = LinuxProcess(number: number)
            return number != getpid() && process.hasOpen(file, files)
                && process.hasThread(inStates: "D", files)
        }
    }

    /// Whether one of its threads is in one of these states: `R` runs or is ready to, `S` sleeps, `D` waits for the disk.
    func hasThread(inStates states: String, _ files: any FileSystem) -> Bool {
        let folder = "/proc/\(number)/task"
        let threads = (try? files.names(in: folder)) ?? []
        return threads.contains { thread in
            files.text(of: "\(folder)/\(thread)/stat").flatMap(Self.state).map(states.contains) ?? false
        }
    }

    func hasOpen(_ file: FileInfo.Identity, _ files: any FileSystem) -> Bool {
        let folder = "/proc/\(number)/fd"
        let names = (try? files.names(in: folder)) ?? []
        return names.contains { name in
            let open = ((try? files.stat(joinPath(folder, name))) ?? nil)?.identity
            return open?.device == file.device && open?.inode == file.inode
        }
    }

    /// - Parameter status: The text of a file `stat`: `123 (a name) T …`. The name may have brackets in it.
    static func state(_ status: String) -> Character? {
        status.lastIndex(of: ")").flatMap { status[$0...].dropFirst(2).first }
    }
}

extension FileSystem {
    /// The text of a system file; nil if it can't be read.
    func text(of path: String) -> String? {
        guard let descriptor = try? openUninterrupted(path, flags: O_RDONLY | O_NOCTTY) else { return nil }
        defer { close(descriptor) }
        guard let bytes = try? readAll(descriptor, expecting: 1 << 12, limit: 1 << 20) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
