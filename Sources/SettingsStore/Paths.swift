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

/// The path from the root, without `.`, empty and `..` components and without a slash at its end.
/// Symbolic links are left alone.
func absolutePath(_ path: String) -> String {
    var whole = path
    if path == "~" || path.hasPrefix("~/") {
        whole = homeFolder() + path.dropFirst()
    } else if !path.hasPrefix("/") {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let folder = buffer.withUnsafeMutableBufferPointer { buffer in
            getcwd(buffer.baseAddress, buffer.count).map { String(cString: $0) }
        }
        // A working directory that was removed has no path: this is one where nothing can be made.
        whole = (folder ?? "/proc/self/cwd (removed)") + "/" + path
    }
    var components: [Substring] = []
    for component in whole.split(separator: "/") where component != "." {
        if component == ".." { _ = components.popLast() } else { components.append(component) }
    }
    // By hand: “joined” has its types made first, which takes a hundred times as long.
    var absolute = ""
    for component in components {
        absolute += "/"
        absolute += component
    }
    return absolute.isEmpty ? "/" : absolute
}

func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// `$HOME`, else what the user database says, else `/`.
func homeFolder() -> String {
    if let home = environment("HOME"), home.hasPrefix("/") { return home }
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "/" }
    return String(cString: home)
}
