import Glibc

// A lock must come from the administrator. So a mandatory file counts only if no other user can change it, and that
// depends on the file, on every folder above it, and on every link on the way. Without the check, a folder with the
// wrong mode would let any user lock the settings of all others.

/// Checks who can change a mandatory file.
struct MandatoryFile {
    let path: String
    let places: LayerPlaces
    let files: any FileSystem

    /// Why the file does not count; nil if it counts, or if there is none.
    func problem() -> String? {
        do throws(SystemError) {
            // Usually there is no such file.
            guard try files.stat(path) != nil else { return nil }
            return try problem(onTheWay: path)
        } catch {
            // The reading fails for the same reason.
            return nil
        }
    }

    /// Follows the path like the system does (path_resolution(7)), and checks each folder and the file at the end.
    private func problem(onTheWay path: String) throws(SystemError) -> String? {
        var rest = Self.names(of: path)[...]
        var here = ""
        var linksLeft = ResolvedPath.linkLimit
        if let problem = try problem(at: "/") { return problem }
        while let name = rest.popFirst() {
            if name == ".." {
                here = here.isEmpty ? "" : splitPath(here).folder
                if here == "/" { here = "" }
                continue
            }
            let next = here + "/" + name
            if let target = try files.readlink(next) {
                linksLeft -= 1
                if linksLeft == 0 { throw SystemError("open", path, ELOOP) }
                if target.hasPrefix("/") { here = "" }
                rest = Self.names(of: target) + rest
                continue
            }
            here = next
            if let problem = try problem(at: here) { return problem }
        }
        return nil
    }

    private static func names(of path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }
    }

    private func problem(at path: String) throws(SystemError) -> String? {
        if let root = places.trustedRoot, (root + "/").hasPrefix(path == "/" ? "/" : path + "/") {
            return nil
        }
        guard let info = try files.stat(path) else { return nil }
        let owner = places.trustedOwner == 0 ? "root" : "user \(places.trustedOwner)"
        if info.owner != places.trustedOwner { return "\(owner) does not own \(path)" }
        if info.mode & 0o022 != 0 { return "users other than \(owner) may write \(path)" }
        return nil
    }
}
