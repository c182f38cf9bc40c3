#if Cluster
import Glibc

enum FolderNames {
    /// What lies in a folder, sorted; nothing where there is none.
    static func all(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// Makes the folders that a path leads through, for this user alone.
func makeFolders(leadingTo path: String) {
    for end in path.indices.dropFirst() where path[end] == "/" {
        mkdir(String(path[..<end]), 0o700)
    }
}
#endif
