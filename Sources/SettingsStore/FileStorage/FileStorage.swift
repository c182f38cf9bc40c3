import Glibc
import PropertyList

/// A suite in a property-list file or JSON file of its own. Every other program that reads the format can share it, such as
/// a program with Foundation's `UserDefaults`.
///
/// A write has these steps:
/// 1. Lock the folder (flock(2) on its descriptor, which leaves no file behind).
/// 2. Read the file again if it isn't the version that was read last, or if its bytes were released.
/// 3. Apply the changes, and write a new file in the same folder, without a name if the file system supports that.
/// 4. fsync the new file, let it take the old one's name, and fsync the folder.
///
/// So there is a whole file at every moment, the old or the new one. Format, mode, owner and extended attributes
/// (access control lists among them) stay, and symbolic links lead to the new file. Hard links are not followed:
/// another name of the file keeps the old content.
///
/// A file is removed in two steps: it gets a private name, and is removed if it has the bytes that were read. Otherwise it
/// gets its name back.
///
/// Unlocked writers are programs that write the file without the lock. `FileStorage/UnlockedWriters` has everything
/// that the store does about them. A write waits a moment for a half-written file. If such a program still writes into
/// the replaced file, its changes are merged. If it overwrites ours, the update fails with
/// ``SettingsError/overwritten(path:)``, and the caller updates once more.
///
/// Foundation's `UserDefaults` and `Data.write(options: .atomic)` are no replacement: the first loses other processes'
/// keys and treats a broken file as empty, the second loses the mode and replaces symbolic links.
public struct FileStorage: SuiteStorage, Recoverable {
    /// The path of the file as the caller gave it. The file may be a symbolic link.
    public let path: String
    /// The format of a file that this makes. An existing file keeps its own. It also decides for a file whose content fits
    /// several formats, such as `{}`.
    public let newFormat: PropertyListFormat
    let files: any FileSystem
    let watcher: FolderWatcher

    /// The file as last read or written; nil if there is none.
    var content: Content?
    /// The file's content while it is not the document: the content that a first write has stored, which has to be
    /// stored again because an unlocked writer has changed the replaced file.
    var onDiskDocument: PropertyListDocument?
    var seen: Seen?
    var durability = Durability.durable
    var overwrites = OverwriteDetector()
    var hasLooked = false
    /// The mark of the file that was last read or written; nil if it was not read, or if the file system keeps no
    /// extended attributes.
    var mark: WriteMark?
    /// When this last found a late write into a replaced file.
    var lateWrite: Timestamp?
    /// The folder, locked for the next update by ``tryLock()``.
    var lockedFolder: DirectoryLock?
    /// The template of a file that is being made.
    var newFileTemplate: SuiteTemplate?
    /// The templates of the files that this has removed, the last one at the end.
    var removed: [SuiteTemplate] = []
    /// The bytes of values before this changed them.
    var spellings = Spellings()
    package var keepsSpellings = SettingsSuite.keepsSpellings
    /// The folders of the other layers; nil for those of this process.
    package var layerPlaces: LayerPlaces?
    /// Whether every user may read the files and folders that this makes, whatever the umask is. Files of an
    /// administrator would otherwise be useless, because root often has a strict umask.
    package var isForEveryone = false
    /// The size in bytes from which a file's bytes leave memory when they are not used.
    package var largeFileSize = 1 << 18

    /// The version of a file whose content was read or written.
    struct Seen {
        let info: FileInfo
        var identity: FileInfo.Identity { info.identity }
        /// Whether any later change certainly gives the file another time of change (ctime). Only the kernel sets that
        /// time; a program can choose the modification time. The kernel's time advances every 10 ms or more often. Some
        /// file systems keep only whole seconds, and vfat every second one.
        let isCertain: Bool

        init(_ info: FileInfo, at now: Timestamp) {
            self.info = info
            let changed = info.identity.changed
            let resolution: Int64 = changed.isWholeSecond ? 2_020_000_000 : 20_000_000
            isCertain = now.nanoseconds - changed.nanoseconds > resolution
        }

        /// A file of ours.
        ///
        /// - Parameter exactTime: The modification time that the file was given; nil if that failed. It is between two
        ///   ticks, so a write in the same tick changes it too.
        init(_ info: FileInfo, exactTime: Timestamp?) {
            self.info = info
            // A file system with coarser times keeps another time than the one given.
            isCertain = info.identity.modified == exactTime
        }
    }

    /// Whether the file as last read or written would survive a loss of power.
    enum Durability {
        case durable
        /// Another program wrote it.
        case unknown
        /// This wrote it, and the system did not confirm that. The system reports an error only once (fsync(2)), so
        /// the file has to be written again.
        case unconfirmed
    }

    /// - Parameters:
    ///   - path: An absolute path.
    ///   - newFormat: The format of a new file; nil for that of its name: JSON for `.json` and `.jsonc`, otherwise XML.
    public init(
        path: String,
        newFormat: PropertyListFormat? = nil,
        files: any FileSystem = LiveFileSystem(),
        watcher: FolderWatcher = .shared
    ) {
        self.path = path
        self.newFormat = newFormat ?? .ofNewFile(called: path)
        self.files = files
        self.watcher = watcher
    }

    public var location: String { path }

    /// The path of the file itself, after all symbolic links.
    package var resolvedPath: String { (try? ResolvedPath(of: path, files))?.path ?? path }

    public var traits: StorageTraits {
        var traits = StorageTraits()
        traits.hasLock = true
        traits.detectsOverwrites = true
        // A process that has watched with inotify(7) takes up to 20 ms longer to exit.
        traits.delaysExit = true
        traits.storesJSON = newFormat == .json
        return traits
    }

    public func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        watcher.watch(file: path, notify)
    }

    /// The format in which new content is written: that of the file, if it is written at all.
    var formatOfNewContent: PropertyListFormat {
        switch content?.format {
        case .binary?: .binary
        case .json?: .json
        case .xml?, .openStep?, nil: newFormat
        }
    }

    /// Every error of this storage names its file.
    func named(_ error: any Error) -> SettingsError { SettingsError(error, at: path) }
}

extension FileStorage: StoresSchema {
    public var schemaStore: any SchemaStore {
        var file = SchemaFile(besideSuite: path, files: files)
        file.layerPlaces = layerPlaces
        return file
    }
}

extension FileStorage: HasLayers {
    package var layeredSuite: LayeredSuite {
        LayeredSuite(
            identity: .file(path),
            places: layerPlaces ?? .current,
            files: files,
            watcher: watcher
        )
    }
}

extension FileStorage: ValidatesValues {
    public var valueCheck: ValueCheck {
        let format = formatOfNewContent
        return { [path] value, key in
            do throws(PropertyListError) {
                var scratch = PropertyListDocument(format: format)
                try scratch.apply([key: value])
                return nil
            } catch {
                return .unrepresentable(path: path, key: key, error)
            }
        }
    }
}

extension FileStorage: ReportsWriteAccess {
    public func readOnlyReason() -> String? {
        let place: ResolvedPath
        do {
            place = try ResolvedPath(of: path, files)
        } catch {
            return error.number == EACCES ? "you may not read the folder" : nil
        }
        guard (try? files.stat(place.folder)) ?? nil != nil else { return nil }
        if let reason = files.reasonNotToWrite(place.folder, called: "the folder \(place.folder)") {
            return reason
        }
        guard let file = (try? files.stat(place.path)) ?? nil else { return nil }
        return files.reasonNotToWrite(place.path) ?? files.reasonNotToReplace(file)
    }
}
