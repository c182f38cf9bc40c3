import Foundation
import PropertyList

/// A machine with its own `/etc` and `/usr/local/etc`, for programs that read settings of an administrator.
///
/// No variable moves `/etc/pdefaults`, so each program gets a mount namespace (mount_namespaces(7)) in which other
/// folders are mounted there. The tests can read and change these folders from outside.
public struct LayeredMachine {
    /// The user's home folder.
    public let home: TemporaryFolder
    private let root: TemporaryFolder

    public init() throws {
        (home, root) = (try TemporaryFolder(), try TemporaryFolder())
        let folders = [root.file("etc/xdg"), root.file("local"), home.file(".config/ByHost")]
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for folder in [root.file("etc"), root.file("etc/xdg"), root.file("local")] { chmod(folder, 0o755) }
        // Programs and the dynamic linker need these files.
        for name in ["passwd", "group", "nsswitch.conf", "ld.so.cache", "terminfo"] {
            try? FileManager.default.copyItem(atPath: "/etc/" + name, toPath: root.file("etc/" + name))
        }
    }

    /// Whether the tests may mount. Only root owns the locks that count.
    public static let isPermitted =
        geteuid() == 0
        && (try? run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).ending) == .exit(0)

    public static let needs = "needs root, and the right to mount"

    public var environment: [String: String] {
        ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    }

    /// Returns the words that run a command on this machine.
    public func command(_ words: [String]) -> [String] {
        let script =
            "mount --bind '\(root.file("etc"))' /etc && mount --bind '\(root.file("local"))' /usr/local/etc && exec \"$@\""
        return ["unshare", "-m", "sh", "-c", script, "sh"] + words
    }

    public func pdefaults(
        _ words: [String],
        input: String = "",
        variables: [String: String] = [:]
    ) throws -> ProgramResult {
        let words = try command([builtProgram(named: "pdefaults")] + words)
        return try run(
            words[0],
            Array(words.dropFirst()),
            environment: environment.merging(variables) { $1 },
            input: input
        )
    }

    public func pdefaults(_ words: String...) throws -> ProgramResult { try pdefaults(words) }

    /// Returns where a path of this machine is outside of it.
    public func file(_ path: String) -> String {
        if path.hasPrefix("~/") { return home.path + path.dropFirst() }
        if path.hasPrefix("/etc/") { return root.path + path }
        if path.hasPrefix("/usr/local/etc/") {
            return root.file("local/" + path.dropFirst("/usr/local/etc/".count))
        }
        return path
    }

    /// Replaces a file with settings. Missing folders are made.
    public func write(_ values: [String: PropertyListValue], to path: String) throws {
        let bytes = try PropertyListValue.dictionary(values).encoded(as: .xml)
        try write(Data(bytes), to: path)
    }

    /// Writes a file as a program does that neither locks nor renames.
    public func writeInPlace(_ values: [String: PropertyListValue], to path: String) throws {
        let bytes = try PropertyListValue.dictionary(values).encoded(as: .xml)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: file(path)))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    public func write(_ content: Data, to path: String) throws {
        let file = file(path)
        let folder = (file as NSString).deletingLastPathComponent
        if !FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // A mandatory file counts only if no other user can write to its folders.
            for part in [folder, (folder as NSString).deletingLastPathComponent] { chmod(part, 0o755) }
        }
        try content.write(to: URL(fileURLWithPath: file), options: .atomic)
        chmod(file, 0o644)
    }

    public func values(of path: String) throws -> [String: PropertyListValue] {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file(path))))
        return [String: PropertyListValue](try PropertyListDocument.read(bytes).values)
    }

    public func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: file(path)) }

    public func mode(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: file(path))[.posixPermissions] as? Int ?? 0
    }
}
