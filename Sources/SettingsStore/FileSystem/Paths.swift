import Glibc

/// The folder of an absolute path and the name in it.
func splitPath(_ path: String) -> (folder: String, file: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.utf8.index(after: slash)...]))
}

func joinPath(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/" + name : folder + "/" + name
}

/// The path from the root, without `.` and empty components and without a slash at its end.
///
/// The path names the file that the system would open. So `..` and the name before it are removed only if that name is a
/// real folder. After a symbolic link, `..` is the parent of the link's target, and after a missing folder it is an error
/// (path_resolution(7)). In both cases it stays, and the system follows it.
///
/// Without a home folder, a path that begins with `~` is returned unchanged, and ``ResolvedPath/check(_:)`` refuses it.
///
/// `URL.standardized` is no replacement: it removes `..` after symbolic links too, so it names another file.
func absolutePath(_ path: String) -> String {
    var whole = path
    if path == "~" || path.hasPrefix("~/") {
        guard let home = homeFolder() else { return path }
        whole = home + path.dropFirst()
    } else if !path.hasPrefix("/") {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let folder = buffer.withUnsafeMutableBufferPointer { buffer in
            getcwd(buffer.baseAddress, buffer.count).map { String(cString: $0) }
        }
        // A removed working directory has no path, and no file can be made in it.
        whole = (folder ?? "/proc/self/cwd (removed)") + "/" + path
    }
    var components: [Substring] = []
    for component in whole.split(separator: "/") where component != "." {
        if component == "..", components.isEmpty { continue }
        if component == "..", isRealFolder(joined(components)) {
            components.removeLast()
        } else {
            components.append(component)
        }
    }
    return components.isEmpty ? "/" : joined(components)
}

private func joined(_ components: [Substring]) -> String {
    // `joined(separator:)` takes a hundred times as long at its first call, when Swift builds its generic types.
    var path = ""
    for component in components {
        path += "/"
        path += component
    }
    return path
}

/// Whether the last name of the path is a real folder, so that `..` after it is the folder before it.
private func isRealFolder(_ path: String) -> Bool {
    // C's strings end at a NUL.
    if path.hasSuffix("/..") || path.utf8.contains(0) { return false }
    let files = LiveFileSystem()
    return (try? files.readlink(path)) == .some(nil) && ((try? files.stat(path)) ?? nil)?.kind == .folder
}

func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// `$HOME`, or otherwise this user's folder in `/etc/passwd`; nil if neither is an absolute path.
///
/// Many services run without `HOME`, and find their settings through `/etc/passwd`. Foundation's `UserDefaults` uses
/// `/.config` in that case.
///
/// getpwuid(3) needs shared libraries at run time, which a static program does not have, so the file is read here. Users
/// that only a directory service knows (LDAP, for example) need `HOME`.
func homeFolder() -> String? {
    if let home = environment("HOME"), home.hasPrefix("/") { return home }
    return homeFolderInPasswd()
}

/// This user's folder in `/etc/passwd`; nil if that is no absolute path.
func homeFolderInPasswd() -> String? {
    let user = String(getuid())
    for line in (LiveFileSystem().text(of: "/etc/passwd") ?? "").split(separator: "\n") {
        // NAME:PASSWORD:USER:GROUP:COMMENT:HOME:SHELL (passwd(5))
        let fields = line.split(separator: ":", omittingEmptySubsequences: false)
        if fields.count == 7, fields[2] == user, fields[5].hasPrefix("/") { return String(fields[5]) }
    }
    return nil
}

/// The error for a path that begins with `~`.
let reasonWithoutHome =
    "HOME is not set, and /etc/passwd does not name this user's home folder: set HOME or XDG_CONFIG_HOME to an absolute path"
