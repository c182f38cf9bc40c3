import FoundationEssentials
import Glibc
import PropertyList

/// The file beside a suite's own that says which settings the suite has: `NAME.schema.json` for
/// `NAME.plist`, in the folder that the suite's file lies in once symbolic links are followed.
public struct SchemaFile: SchemaPlace {
    private let suitePath: String
    private let files: any FileSystem

    private static let sizeLimit = 8 << 20

    /// - Parameter suitePath: the suite's file; an absolute path.
    public init(besideSuite suitePath: String, files: any FileSystem = LiveFileSystem()) {
        self.suitePath = suitePath
        self.files = files
    }

    /// Where it is, or would be.
    public var path: String {
        let place = try? FilePlace(of: suitePath, files)
        let (folder, name) = place.map { ($0.folder, $0.name) } ?? splitPath(suitePath)
        return joinPath(folder, (SuiteName(fileName: name)?.rawValue ?? name) + SuiteName.schemaSuffix)
    }

    public var location: String { path }

    /// Whether there is such a file.
    public var exists: Bool { ((try? files.stat(path)) ?? nil) != nil }

    /// What it says; an empty schema where there is no file.
    ///
    /// - Throws: ``SettingsError/unreadableSchema(path:_:)`` with line and column, or why the system
    ///   refused.
    public func read() throws(SettingsError) -> SuiteSchema {
        let path = path
        guard let stored = try stored(at: path) else { return SuiteSchema() }
        do throws(PropertyListError) {
            return try SuiteSchema(parsing: stored.text)
        } catch {
            throw .unreadableSchema(path: path, error)
        }
    }

    /// Has the file say what a schema says, and leaves what it says about other keys as it is. Nothing
    /// is written where it says so already.
    ///
    /// - Returns: false where the suite's folder isn't there, so that there is no place for the file.
    /// - Throws: ``SettingsError/unreadableSchema(path:_:)`` where what is there is no JSON Schema, which
    ///   is left alone; or why it could not be written.
    @discardableResult
    public func merge(_ schema: SuiteSchema) throws(SettingsError) -> Bool {
        let path = path
        // Most times there is nothing to write, and that takes no lock.
        guard (try merged(schema, over: stored(at: path)?.text, path)) != nil else { return true }
        return try rethrowing(path) {
            guard let folder = try LockedFolder.lock(for: path, files) else { return false }
            defer { folder.unlock() }
            guard let text = try merged(schema, over: stored(at: folder.place.path)?.text, path) else {
                return true
            }
            try write(text, in: folder)
            return true
        }
    }

    public func stored() throws(SettingsError) -> StoredSchema? { try stored(at: path) }

    public func make(_ schema: StoredSchema) throws(SettingsError) -> Bool {
        let path = path
        return try rethrowing(path) {
            guard let folder = try LockedFolder.lock(for: path, files) else { return false }
            defer { folder.unlock() }
            guard try stored(at: folder.place.path) == nil else { return false }
            try write(schema.text, in: folder, mode: schema.mode)
            return true
        }
    }

    public func remove(_ schema: StoredSchema) throws(SettingsError) -> Bool {
        let path = path
        return try rethrowing(path) {
            guard let folder = try LockedFolder.lock(for: path, files) else { return true }
            defer { folder.unlock() }
            guard let old = try stored(at: folder.place.path) else { return true }
            guard old.text == schema.text else { return false }
            if let reason = files.reasonNotToWrite(folder.place.path) {
                throw SettingsError.notWritable(path: folder.place.path, reason: reason)
            }
            try folder.removeFile()
            return true
        }
    }

    private func merged(
        _ schema: SuiteSchema,
        over old: Data?,
        _ path: String
    ) throws(SettingsError) -> Data? {
        guard let old else { return schema.isEmpty ? nil : schema.text }
        do throws(PropertyListError) {
            return try schema.merged(into: old)
        } catch {
            throw .unreadableSchema(path: path, error)
        }
    }

    private func stored(at path: String) throws(SettingsError) -> StoredSchema? {
        try rethrowing(path) {
            guard let info = try files.stat(path) else { return nil }
            // Pipes and devices are not even opened.
            if info.kind != .file { throw SettingsError.notAFile(path: path) }
            let descriptor = try files.openUninterrupted(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
            defer { files.close(descriptor) }
            let size = Int(info.identity.size)
            if let bytes = try files.readAll(descriptor, expecting: size, limit: Self.sizeLimit) {
                return StoredSchema(Data(bytes), mode: info.mode & 0o666)
            }
            let problem = "the file is larger than \(Self.sizeLimit) bytes"
            throw SettingsError.unreadableSchema(
                path: path,
                PropertyListError(.offset(Self.sizeLimit), .limitExceeded, problem)
            )
        }
    }

    /// - Parameter mode: of a new file; without it that of the suite's.
    private func write(_ text: Data, in folder: LockedFolder, mode: UInt32? = nil) throws {
        let old = try files.stat(folder.place.path)
        let suite = try files.stat(suitePath)
        // Who may not change the suite has nothing to say about it either.
        for (file, path) in [(old, folder.place.path), (suite, suitePath)] where file != nil {
            if let reason = files.reasonNotToWrite(path) {
                throw SettingsError.notWritable(path: path, reason: reason)
            }
        }
        let descriptor = try folder.makeNamedFile()
        defer { files.close(descriptor) }
        do {
            let mode = mode ?? (old ?? suite).map { $0.mode & 0o666 } ?? 0o600
            try files.fchmod(descriptor, mode: mode)
            try files.writeAll(descriptor, [UInt8](text)[...])
            try files.fsync(descriptor)
            try folder.putNewFileInPlace()
        } catch {
            folder.discardNewFile()
            throw error
        }
    }

    private func rethrowing<Result>(
        _ path: String,
        _ body: () throws -> Result
    ) throws(SettingsError) -> Result {
        do {
            return try body()
        } catch {
            throw SettingsError(error, at: path)
        }
    }
}
