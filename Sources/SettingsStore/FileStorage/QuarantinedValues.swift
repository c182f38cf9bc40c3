import Glibc
import PropertyList

/// Keeps unreadable values aside before they are overwritten.
///
/// Problem: a property whose type has changed cannot read the stored value, and its next set would destroy that.
/// Approach: the value is first stored durably as `.pdefaults/SUITE/TIME-KEY.plist` in the folder of the suite's file, a
/// property list with the value under its key, which can be read and put back like any suite. Without it, one wrong
/// release of a program would erase its users' settings.
///
/// Only the owner of the suite's file can read these files (modes 0700 and 0600), whatever the suite's own mode is,
/// because a value may be a secret. At most 100 files and 10 MB are kept for a suite, and always the newest file. The
/// caller must hold the folder's lock.
package struct QuarantinedValues {
    static let countLimit = 100
    static let sizeLimit = 10 << 20

    private static let newFileName = ".new"
    /// The length of the part before the key in a name: `20240501T102030Z-000`.
    private static let stampLength = 20

    private let suite: ResolvedPath
    private let files: any FileSystem

    init(beside suite: ResolvedPath, _ files: any FileSystem) {
        self.suite = suite
        self.files = files
    }

    /// The name of the folder that has a folder for each suite.
    private var commonFolder: String { joinPath(suite.folder, ".pdefaults") }

    private var folder: String {
        joinPath(commonFolder, fileName(for: SuiteName(fileName: suite.name)?.rawValue ?? suite.name))
    }

    /// Stores the values durably. A value that is the last one stored under its key is not stored again.
    ///
    /// - Parameter parent: The folder of the suite's file, open.
    func keep(
        _ values: [String: PropertyListValue],
        as format: PropertyListFormat,
        in parent: Int32
    ) throws {
        let suite = try files.stat(suite.path)
        let common = try openFolder(commonFolder, in: parent, suite)
        defer { files.close(common) }
        let descriptor = try openFolder(folder, in: common, suite)
        defer { files.close(descriptor) }
        var kept: Set<String> = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let content = PropertyListValue.dictionary([key: value])
            // A binary file can have values that XML can't, such as control characters. JSON has null.
            let bytes = try (try? content.encoded(as: format)) ?? content.encoded(as: .binary)
            kept.insert(try keep(bytes, suffix: "-\(fileName(for: key)).plist", in: descriptor, suite))
        }
        try files.makeDurable(descriptor, folder)
        makeRoom(in: descriptor, sparing: kept)
    }

    /// Opens a folder, and makes it if it is missing, readable only by its owner.
    ///
    /// Later calls use its descriptor, so that a renamed folder or a new link can't redirect them.
    ///
    /// - Throws: If something else has its name, such as a symbolic link, or if it belongs to another user, who could
    ///   read the values.
    private func openFolder(_ path: String, in parent: Int32, _ suite: FileInfo?) throws -> Int32 {
        let name = splitPath(path).file
        var isNew = true
        do throws(SystemError) {
            try files.mkdirat(parent, name, mode: 0o700)
        } catch {
            if error.number != EEXIST { throw error }
            isNew = false
        }
        let descriptor: Int32
        do throws(SystemError) {
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
            descriptor = try files.openatUninterrupted(parent, name, flags: flags, mode: 0)
        } catch {
            guard error.number == ELOOP || error.number == ENOTDIR else { throw error }
            let isLink = (try? files.readlink(path)) != .some(nil)
            throw refusal(
                path,
                "it is \(isLink ? "a symbolic link" : "no folder"); remove it, and write again"
            )
        }
        do {
            let owner = try files.fstat(descriptor, path).owner
            guard owner == geteuid() || owner == 0 || owner == suite?.owner else {
                throw refusal(path, "another user owns this folder; remove it, and write again")
            }
            if isNew {
                // A folder that another program has put in the new one's place may have files in it.
                if try files.names(inOpen: descriptor).isEmpty { hand(descriptor, toOwnerOf: suite) }
                try files.makeDurable(parent, path)
            }
        } catch {
            files.close(descriptor)
            throw error
        }
        return descriptor
    }

    private func refusal(_ path: String, _ reason: String) -> SettingsError {
        .notWritable(path: path, reason: reason)
    }

    /// Gives a file or folder that root makes beside another user's suite to that user.
    private func hand(_ descriptor: Int32, toOwnerOf suite: FileInfo?) {
        guard let suite, suite.owner != geteuid() else { return }
        try? files.fchown(descriptor, owner: suite.owner, group: suite.group)
    }

    /// Returns the name of the file that holds the bytes.
    private func keep(
        _ bytes: [UInt8],
        suffix: String,
        in descriptor: Int32,
        _ suite: FileInfo?
    ) throws -> String {
        let last = try files.names(inOpen: descriptor).filter { $0.dropFirst(Self.stampLength) == suffix }
            .max()
        if let last, try self.bytes(of: last, in: descriptor) == bytes { return last }
        discardNewFile(in: descriptor)
        let file = try files.openatUninterrupted(
            descriptor,
            Self.newFileName,
            flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
            mode: 0o600
        )
        defer { files.close(file) }
        do {
            hand(file, toOwnerOf: suite)
            try files.writeAll(file, bytes[...])
            try files.makeDurable(file, folder)
            return try name(newFileIn: descriptor, suffix)
        } catch {
            discardNewFile(in: descriptor)
            throw error
        }
    }

    private func discardNewFile(in descriptor: Int32) {
        try? files.unlinkat(descriptor, Self.newFileName)
    }

    /// Names sort by time, and within a second by number. A number that has become free is not used again, because
    /// the value would appear to be older than it is.
    private func name(newFileIn descriptor: Int32, _ suffix: String) throws -> String {
        let time = utcStamp(files.now())
        let numbers = try files.names(inOpen: descriptor).filter { $0.hasPrefix(time + "-") }
            .compactMap { Int($0.prefix(Self.stampLength).dropFirst(time.count + 1)) }
        let number = min((numbers.max() ?? -1) + 1, 999)
        let name = "\(time)-\(String(number + 1000).dropFirst())\(suffix)"
        try files.renameatWithoutReplacing(descriptor, from: Self.newFileName, to: name)
        return name
    }

    private func bytes(of name: String, in descriptor: Int32) throws -> [UInt8]? {
        let file = try open(name, in: descriptor)
        defer { files.close(file) }
        let info = try files.fstat(file, name)
        guard info.kind == .file else { return nil }
        return try files.readAll(
            file,
            expecting: Int(info.identity.size),
            limit: PropertyListLimits.standard.size
        )
    }

    private func open(_ name: String, in descriptor: Int32) throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        return try files.openatUninterrupted(descriptor, name, flags: flags, mode: 0)
    }

    /// Removes the oldest files if there are too many. A file that can't be removed stays.
    private func makeRoom(in descriptor: Int32, sparing kept: Set<String>) {
        guard let names = try? files.names(inOpen: descriptor).sorted(by: >) else { return }
        var count = 0
        var size = 0
        for name in names {
            count += 1
            if let file = try? open(name, in: descriptor) {
                size += (try? files.fstat(file, name)).map { Int($0.identity.size) } ?? 0
                files.close(file)
            }
            if kept.contains(name) || count <= Self.countLimit && size <= Self.sizeLimit { continue }
            try? files.unlinkat(descriptor, name)
        }
    }
}

extension QuarantinedValues {
    /// The files with a suite's unreadable values, the oldest first; empty if there are none, or if they belong to
    /// another user.
    ///
    /// - Parameter suitePath: The absolute path of the suite's file.
    /// - Throws: If the files can't be listed.
    package static func files(besideSuite suitePath: String) throws(SettingsError) -> [String] {
        let files = LiveFileSystem()
        do throws(SystemError) {
            let kept = QuarantinedValues(beside: try ResolvedPath(of: suitePath, files), files)
            // The store never follows a symbolic link here.
            for folder in [kept.commonFolder, kept.folder] where try files.readlink(folder) != nil {
                return []
            }
            guard try files.stat(kept.folder) != nil else { return [] }
            return try files.names(in: kept.folder).filter { !$0.hasPrefix(".") }.sorted()
                .map { joinPath(kept.folder, $0) }
        } catch {
            if error.number == EACCES { return [] }
            throw SettingsError(error, at: suitePath)
        }
    }
}

extension QuarantinedValues {
    /// The newest of these files for each key in them. Unreadable files are left out.
    ///
    /// - Parameter paths: The oldest file first.
    package static func newestFiles(of paths: [String]) -> [String: String] {
        let files = LiveFileSystem()
        var newest: [String: String] = [:]
        for path in paths {
            let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
            guard let file = try? files.openUninterrupted(path, flags: flags) else { continue }
            defer { files.close(file) }
            guard let info = try? files.fstat(file, path), info.kind == .file,
                let bytes = try? files.readAll(
                    file,
                    expecting: Int(info.identity.size),
                    limit: PropertyListLimits.standard.size
                ),
                let values = try? PropertyListDocument.read(bytes).values
            else { continue }
            for key in values.map(\.key) { newest[key] = path }
        }
        return newest
    }
}

/// A name as a part of a file's: letters, digits, `.`, `_` and `-` stay, other characters become `_`.
private func fileName(for name: String) -> String {
    let scalars = name.unicodeScalars.map { scalar in
        let isPlain =
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        return isPlain || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    // A name can have 255 bytes. The time and the extension need some of them.
    let text = String(scalars.prefix(200))
    return text.hasPrefix(".") || text.isEmpty ? "_" + text : text
}
