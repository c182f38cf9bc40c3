import Glibc
public import PropertyList

/// A folder whose `*.plist` and `*.json` files are suites. A name has one file: if there are two, the property list counts. A
/// suite also counts as existing once a program has declared its settings
/// (`*.schema.json`), even if no value is stored yet.
public struct SettingsFolder: Sendable, Hashable {
    /// The absolute path. The first write of a suite creates the folder if it is missing.
    public let path: String

    /// - Parameter path: a relative path starts at the working directory, `~/` at the user's home.
    public init(path: String) { self.path = absolutePath(path) }

    /// The folder in which Foundation's `UserDefaults` keeps its suites: `$XDG_CONFIG_HOME` if that is an absolute path
    /// (the XDG Base Directory Specification ignores a relative one), otherwise `~/.config`.
    ///
    /// The home folder is `$HOME`, or the one in `/etc/passwd`. Without either, every use of the folder fails with an
    /// error that says to set `HOME`.
    public static var standard: SettingsFolder {
        if let path = environment("XDG_CONFIG_HOME"), path.hasPrefix("/") {
            return SettingsFolder(path: path)
        }
        return SettingsFolder(path: "~/.config")
    }

    /// The names of the existing suites, sorted. A missing folder has none.
    public func suiteNames(files: any FileSystem) throws(SettingsError) -> [SuiteName] {
        do throws(SystemError) {
            try ResolvedPath.check(path)
            if try files.stat(path) == nil { return [] }
            let names = try files.names(in: path)
            return Set(names.compactMap { SuiteName(fileName: $0) ?? SuiteName(schemaFileName: $0) }).sorted()
        } catch {
            if error.number == EACCES {
                throw .notWritable(path: path, reason: "you may not read the folder")
            }
            throw SettingsError(error, at: path)
        }
    }

    /// The path of a suite's file.
    ///
    /// - Parameter format: that of the file if there is none yet.
    public func filePath(of name: SuiteName, format: PropertyListFormat = .xml) -> String {
        let (list, json) = (joinPath(path, name.fileName), joinPath(path, name.jsonFileName))
        let files = LiveFileSystem()
        func exists(_ path: String) -> Bool {
            (try? files.stat(path)) ?? nil != nil || (try? files.readlink(path)) ?? nil != nil
        }
        if format == .json { return exists(list) ? list : json }
        return !exists(list) && exists(json) ? json : list
    }

    /// Calls `notify` whenever the list of suites may have changed, until the returned watch is released. It is called
    /// on another thread, with no lock held.
    public func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        FolderWatcher.shared.watch(folder: path, notify)
    }
}
