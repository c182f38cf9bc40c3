import Glibc

/// A folder whose `*.plist` files are suites. A suite is there, too, as soon as a program has declared its
/// settings (`*.schema.json`), though nothing is stored in it yet.
public struct SettingsFolder: Sendable, Hashable {
    /// Absolute. The folder need not be there yet: the first write of a suite makes it.
    public let path: String

    /// - Parameter path: a relative one starts at the working directory, `~/` at the user's home.
    public init(path: String) { self.path = absolutePath(path) }

    /// Where Foundation's `UserDefaults` keeps its suites: `$XDG_CONFIG_HOME` where that is an
    /// absolute path (the XDG Base Directory Specification ignores any other), else `~/.config`.
    public static var standard: SettingsFolder {
        if let path = environment("XDG_CONFIG_HOME"), path.hasPrefix("/") {
            return SettingsFolder(path: path)
        }
        return SettingsFolder(path: homeFolder() + "/.config")
    }

    /// The suites that are there, sorted. A folder that isn't there has none.
    public func suiteNames(files: any FileSystem) throws(SettingsError) -> [SuiteName] {
        do throws(SystemError) {
            if try files.stat(path) == nil { return [] }
            let names = try files.names(in: path)
            return Set(names.compactMap { SuiteName(fileName: $0) ?? SuiteName(schemaFileName: $0) }).sorted()
        } catch {
            if error.number == EACCES {
                throw .notWritable(path: path, reason: "this user may not read the folder")
            }
            throw .system(SystemError(error.call, path, error.number))
        }
    }

    /// The path of a suite's file.
    public func filePath(of name: SuiteName) -> String {
        joinPath(path, name.fileName)
    }

    /// Hints, on another thread, whenever the list of suites may have changed, for as long as the
    /// watch is held.
    public func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        FolderWatcher.shared.watch(folder: path, hint)
    }
}
