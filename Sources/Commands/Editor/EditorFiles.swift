import Glibc
import PropertyList
import SettingsEditor
import SettingsStore

// The files that the editor imports and exports, and the completion of their paths.

/// The values of a file for an import.
func fileToImport(_ path: String) -> FileResult {
    do {
        return .imported(try importedValues(fullPath(path)))
    } catch {
        return .failed("\(error)")
    }
}

/// Writes all stored values of a suite to a file: as JSON if its name is one of a JSON file, or else as a property list.
func exportFile(_ suite: SettingsSuite, to path: String, replaces: Bool) -> FileResult {
    let full = fullPath(path)
    if !replaces, access(full, F_OK) == 0 { return .exists }
    let values = [String: PropertyListValue](suite.storedEntries)
    let value = PropertyListValue.dictionary(values)
    do {
        let bytes: [UInt8]
        if PropertyListFormat.ofNewFile(called: path) == .json {
            bytes = Array((value.typedJSON(indented: true) + "\n").utf8)
        } else {
            // XML is for people. It cannot store every value.
            let xml = try? value.encoded(as: .xml)
            let isExact = xml.flatMap { try? PropertyListValue.read($0).value } == value
            bytes = try xml.flatMap { isExact ? $0 : nil } ?? value.encoded(as: .binary)
        }
        try replaceFile(full, with: bytes)
        return .exported(keys: values.count)
    } catch {
        return .failed("Not exported: \(error)")
    }
}

/// The paths that begin with a text, as the user writes them. Folders end with a slash.
func completedPaths(_ text: String) -> [String] {
    let cut = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
    let (folder, start) = (String(text[..<cut]), text[cut...])
    let files = LiveFileSystem()
    let names = (try? files.names(in: folder.isEmpty ? "." : fullPath(folder))) ?? []
    // Hidden files are listed only if the dot is typed.
    let found = names.filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }
    return found.map { name in
        let isFolder = ((try? files.stat(fullPath(folder + name))) ?? nil)?.kind == .folder
        return folder + name + (isFolder ? "/" : "")
    }.sorted()
}

/// The bytes of a regular file; nil if there are more of them than the limit, or if the file cannot be read.
func bytesOfFile(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size <= limit else {
        return nil
    }
    return try? readAll(descriptor, path)
}

/// The path with the user's home folder in place of ~.
private func fullPath(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
}
