import Glibc
import PropertyList

/// Stored values that no property could read, kept when others are stored in their place:
/// `.pdefaults/SUITE/TIME-KEY.plist` in the folder of the suite's file, each a property list with the
/// value under its key, so that it can be read, and put back, like any suite.
///
/// The last 100 of a suite are kept, and of these as many as 10 MB hold, the newest one whatever its size.
/// The folder's owner must hold its lock.
package struct KeptValues {
    static let countLimit = 100
    static let sizeLimit = 10 << 20

    private static let newFileName = ".new"
    /// Of what stands before the key in a name: `20240501T102030Z-000`.
    private static let stampLength = 20

    private let suite: FilePlace
    private let files: any FileSystem

    init(beside suite: FilePlace, _ files: any FileSystem) {
        self.suite = suite
        self.files = files
    }

    /// All of the suites of a folder have theirs here.
    private var commonFolder: String { joinPath(suite.folder, ".pdefaults") }

    private var folder: String {
        joinPath(commonFolder, fileName(for: SuiteName(fileName: suite.name)?.rawValue ?? suite.name))
    }

    /// Keeps the values durably. One that was the last to be kept under its key is not kept again.
    func keep(_ values: [String: PropertyListValue], as format: PropertyListFormat) throws {
        let rights = Rights(of: try files.stat(suite.path))
        try makeFolder(commonFolder, rights)
        try makeFolder(folder, rights)
        let descriptor = try files.openUninterrupted(folder, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        defer { files.close(descriptor) }
        var kept: Set<String> = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let content = PropertyListValue.dictionary([key: value])
            // Binary holds all that a file can, characters that XML has no place for among it.
            let bytes = try (try? content.encoded(as: format)) ?? content.encoded(as: .binary)
            kept.insert(try keep(bytes, suffix: "-\(fileName(for: key)).plist", in: descriptor, rights))
        }
        try files.fsync(descriptor)
        makeRoom(in: descriptor, sparing: kept)
    }

    /// Returns the name of the file that holds the bytes.
    private func keep(
        _ bytes: [UInt8],
        suffix: String,
        in descriptor: Int32,
        _ rights: Rights
    ) throws -> String {
        let last = try files.names(in: folder).filter { $0.dropFirst(Self.stampLength) == suffix }.max()
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
            rights.apply(to: file, mode: rights.fileMode, files)
            try files.writeAll(file, bytes[...])
            try files.fsync(file)
            return try name(newFileIn: descriptor, suffix)
        } catch {
            discardNewFile(in: descriptor)
            throw error
        }
    }

    private func discardNewFile(in descriptor: Int32) {
        try? files.unlinkat(descriptor, Self.newFileName)
    }

    /// Names sort by time, and among those of one second by number. A number that has become free is not
    /// taken again: its name would pass for that of an older value.
    private func name(newFileIn descriptor: Int32, _ suffix: String) throws -> String {
        let time = utcStamp(files.now())
        let numbers = try files.names(in: folder).filter { $0.hasPrefix(time + "-") }
            .compactMap { Int($0.prefix(Self.stampLength).dropFirst(time.count + 1)) }
        let number = min((numbers.max() ?? -1) + 1, 999)
        let name = "\(time)-\(String(number + 1000).dropFirst())\(suffix)"
        try files.renameatWithoutReplacing(descriptor, from: Self.newFileName, to: name)
        return name
    }

    private func bytes(of name: String, in descriptor: Int32) throws -> [UInt8]? {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        let file = try files.openatUninterrupted(descriptor, name, flags: flags, mode: 0)
        defer { files.close(file) }
        let info = try files.fstat(file, name)
        guard info.kind == .file else { return nil }
        return try files.readAll(
            file,
            expecting: Int(info.identity.size),
            limit: PropertyListLimits.standard.size
        )
    }

    /// Removes the oldest ones where there are too many; what can't be removed stays.
    private func makeRoom(in descriptor: Int32, sparing kept: Set<String>) {
        guard let names = try? files.names(in: folder).sorted(by: >) else { return }
        var count = 0
        var size = 0
        for name in names {
            count += 1
            size += (try? files.stat(joinPath(folder, name)))?.map { Int($0.identity.size) } ?? 0
            if kept.contains(name) || count <= Self.countLimit && size <= Self.sizeLimit { continue }
            try? files.unlinkat(descriptor, name)
        }
    }

    private func makeFolder(_ path: String, _ rights: Rights) throws {
        do throws(SystemError) {
            try files.mkdir(path, mode: 0o700)
        } catch {
            if error.number == EEXIST { return }
            throw error
        }
        let made = try files.openUninterrupted(path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        defer { files.close(made) }
        rights.apply(to: made, mode: rights.folderMode, files)
        let parent = try files.openUninterrupted(splitPath(path).folder, flags: O_RDONLY | O_DIRECTORY)
        defer { files.close(parent) }
        try files.fsync(parent)
    }
}

extension KeptValues {
    /// The files with values of a suite that are kept, the oldest first; empty where there are none.
    ///
    /// - Parameter suitePath: the suite's file; an absolute path.
    /// - Throws: why the system does not let them be listed.
    package static func files(besideSuite suitePath: String) throws(SettingsError) -> [String] {
        let files = LiveFileSystem()
        do throws(SystemError) {
            let folder = KeptValues(beside: try FilePlace(of: suitePath, files), files).folder
            guard try files.stat(folder) != nil else { return [] }
            return try files.names(in: folder).filter { !$0.hasPrefix(".") }.sorted()
                .map { joinPath(folder, $0) }
        } catch {
            throw .system(error)
        }
    }
}

extension KeptValues {
    /// The newest of these files for each key that they hold; what can't be read is left out.
    ///
    /// - Parameter paths: the oldest first.
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

/// Who may do what with what is kept: whoever may with the suite's file.
private struct Rights {
    let suite: FileInfo?

    init(of suite: FileInfo?) { self.suite = suite }

    var fileMode: UInt32 { suite.map { $0.mode & 0o666 } ?? 0o600 }
    /// Who may read a file may enter its folder.
    var folderMode: UInt32 { fileMode | (fileMode & 0o444) >> 2 }

    /// As far as the system lets this user; what can't be handed on stays the user's own.
    func apply(to descriptor: Int32, mode: UInt32, _ files: any FileSystem) {
        guard let suite else { return }
        try? files.fchown(descriptor, owner: .max, group: suite.group)
        try? files.fchmod(descriptor, mode: mode)
    }
}

/// A name as a part of a file's: letters, digits, `.`, `_` and `-` stay, other characters become `_`.
private func fileName(for name: String) -> String {
    let scalars = name.unicodeScalars.map { scalar in
        let isPlain =
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        return isPlain || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    // Room for time and ending in the 255 bytes that a name can have.
    let text = String(scalars.prefix(200))
    return text.hasPrefix(".") || text.isEmpty ? "_" + text : text
}
