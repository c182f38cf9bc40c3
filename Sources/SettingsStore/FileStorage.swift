import Glibc
import PropertyList

/// A suite in a property-list file of its own, shared with every other program that keeps to the
/// format, Foundation's `UserDefaults` among them.
///
/// A write locks the folder (flock(2) on its descriptor, which leaves no file behind), reads the
/// file again if it isn't the one last seen, or if that is large and left memory after a while without
/// writes, lays the changes over it, writes a new file in the same folder, where that can be without a name
/// (open(2), O_TMPFILE), so that a writer that is killed leaves nothing behind, fsyncs it, lets it take the old
/// one's name, and fsyncs the folder. So there is a whole file at every
/// moment, the old or the new one. Format, mode, owner and extended attributes (access control lists
/// among them) stay, and symbolic links lead to the new file. A hard link does not: another name of the
/// old file goes on naming that.
///
/// Programs that take no lock are put up with as far as can be: a file that is half-written is waited for;
/// what such a program writes into a file that was replaced meanwhile is read from there and kept; so is a
/// file that it puts in the old one's place in the very moment of a write, since that exchanges the two
/// (renameat2(2)), where the file system can; and what it overwrites because it read the file before a write
/// took place, and wrote all of it after that, is written again when that is noticed, which takes a watch
/// or another call to this storage, or, where it wrote in place, to one that has seen that write. Where such a
/// program was at the file just before, what becomes of an update is looked at for some moments
/// (``readAfterUpdate()``); after those of the last one, in a process that ends, nobody notices.
public struct FileStorage: SuiteStorage {
    /// The file, as it was asked for; it may be a symbolic link.
    public let path: String
    /// The format of a file that this makes. One that is there keeps its own.
    public let newFormat: PropertyListFormat
    let files: any FileSystem
    let watcher: FolderWatcher

    /// The file as last read or written; nil where there is none.
    var content: Content?
    /// What the file holds while it is not yet the document: a first write, that has to be repeated
    /// with what somebody did meanwhile.
    var standIn: PropertyListDocument?
    var seen: Seen?
    var durability = Durability.durable
    var recentWrites = RecentWrites()
    var hasLooked = false
    /// Whether the last reading failed for what the file holds.
    var isUnreadable = false
    /// Whether the file system keeps the marks of files that this has written, as far as is known.
    var keepsMarks = false
    /// Since when a call waits to look at the file: others may keep the folder locked for long.
    var heldUpSince: Timestamp?
    /// When a program was last found to have written a file that this had just replaced.
    var lastLate: Timestamp?
    /// What becomes of the last update is to be looked at; nil where nobody was at it.
    var contest: Contest?
    /// Where the path led when it was last written.
    var lastPlace: FilePlace?
    /// What a file that is made begins with.
    var model: SuiteForm?
    /// How the file was written when this has removed it, the last time at the end.
    var removed: [SuiteForm] = []
    /// How keys were written before this changed them.
    var spellings = Spellings()
    package var keepsSpellings = SettingsSuite.keepsSpellings
    /// The bytes of a file of that size are not kept in memory for longer than they are of use.
    package var large = 1 << 18

    /// That a program without the lock has just been at the file that an update has replaced, so that what becomes of
    /// that is looked at.
    struct Contest {
        /// When the first of the updates took place.
        let start: Timestamp
        /// For how much longer, in milliseconds.
        var patience: Int

        /// - Parameter isFresh: whether that program may be looking whether the file holds what it wrote, as
        ///   `UserDefaults` does at once. Where it finds something else, it writes that again 50 ms later, without
        ///   looking.
        init(since start: Timestamp, isFresh: Bool) {
            self.start = start
            patience = isFresh ? 100 : 25
        }

        /// Whether it has lasted as long as any may.
        func isLong(at now: Timestamp) -> Bool { abs(now.nanoseconds - start.nanoseconds) > 2_000_000_000 }
    }

    /// What is known of a file whose content is known.
    struct Seen {
        let info: FileInfo
        var identity: FileInfo.Identity { info.identity }
        /// Whether a later write would surely have another time: file times have the grain of the
        /// kernel's tick, 10 ms at the most, or of the file system's, which keeps whole seconds at the least,
        /// and of vfat's two.
        let isCertain: Bool

        init(_ info: FileInfo, at now: Timestamp) {
            self.info = info
            let (modified, changed) = (info.identity.modified, info.identity.changed)
            let isWhole = modified.isWholeSecond && changed.isWholeSecond
            isCertain =
                now.nanoseconds - max(modified, changed).nanoseconds > (isWhole ? 2_020_000_000 : 20_000_000)
        }

        /// - Parameter stamp: the time that the file was given; nil where that failed. It lies between
        ///   two ticks, so that a write in the same tick moves it too.
        init(_ info: FileInfo, stamp: Timestamp?) {
            self.info = info
            // A file system of a coarser grain keeps another time than the one given.
            isCertain = info.identity.modified == stamp
        }
    }

    /// Whether the file as last seen would survive a loss of power.
    enum Durability {
        case durable
        /// Somebody else wrote it.
        case unknown
        /// This wrote it, and the system did not confirm it. It does not say so twice (fsync(2)), so
        /// the file has to be written again.
        case unconfirmed
    }

    /// - Parameter path: an absolute path.
    public init(
        path: String,
        newFormat: PropertyListFormat = .xml,
        files: any FileSystem = LiveFileSystem(),
        watcher: FolderWatcher = .shared
    ) {
        self.path = path
        self.newFormat = newFormat
        self.files = files
        self.watcher = watcher
    }

    public var location: String { path }

    public var schemaPlace: (any SchemaPlace)? { SchemaFile(besideSuite: path, files: files) }

    public func refusal(of value: PropertyListValue, forKey key: String) -> SettingsError? {
        do throws(PropertyListError) {
            var scratch = PropertyListDocument(format: content?.format == .binary ? .binary : newFormat)
            try scratch.apply([key: value])
            return nil
        } catch {
            return .unrepresentable(path: path, key: key, error)
        }
    }

    public func readOnlyReason() -> String? {
        let place: FilePlace
        do {
            place = try FilePlace(of: path, files)
        } catch {
            return error.number == EACCES ? "this user may not look into the folder" : nil
        }
        guard (try? files.stat(place.folder)) ?? nil != nil else { return nil }
        if let reason = files.reasonNotToWrite(place.folder, called: "the folder \(place.folder)") {
            return reason
        }
        guard let file = (try? files.stat(place.path)) ?? nil else { return nil }
        return files.reasonNotToWrite(place.path) ?? files.reasonNotToReplace(file)
    }

    /// The kernel lets a process that has watched through inotify(7) go up to 20 ms later.
    public var isWatchDear: Bool { true }

    public var mayBeUndone: Bool { true }

    public func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        watcher.watch(file: path, hint)
    }

    /// Every error of this storage names its file.
    func named(_ error: any Error) -> SettingsError { SettingsError(error, at: path) }
}
