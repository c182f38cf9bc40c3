import FoundationEssentials
import Glibc
import PropertyList

/// The file with the declared settings of a suite: `NAME.schema.json` beside `NAME.plist`, in the folder to which
/// symbolic links lead.
///
/// A package can bring declarations too, so that they are known before its program has ever run: in
/// `pdefaults/schemas/NAME.schema.json` in each folder of `$XDG_DATA_DIRS`. They count for keys that the file beside the
/// suite does not declare. Only suites in the standard folder have them.
///
/// A JSON file may name another schema: `"$schema": "./x.schema.json"`, a path from the file's folder. It counts after
/// `NAME.schema.json`. Nothing is fetched from the network. If it can't be read, it declares nothing.
public struct SchemaFile: SchemaStore {
    private let suitePath: String
    private let files: any FileSystem
    /// The folders of the packages; nil for those of this process.
    package var layerPlaces: LayerPlaces?

    /// Bytes.
    private static let sizeLimit = 8 << 20
    /// Bytes at the start of a suite's file in which `$schema` is looked for.
    private static let searchedSize = 1 << 16

    /// - Parameter suitePath: the absolute path of the suite's file.
    public init(besideSuite suitePath: String, files: any FileSystem = LiveFileSystem()) {
        self.suitePath = suitePath
        self.files = files
    }

    /// The path of the file, even if it does not exist.
    public var path: String {
        let place = try? ResolvedPath(of: suitePath, files)
        let (folder, name) = place.map { ($0.folder, $0.name) } ?? splitPath(suitePath)
        let isJSON = PropertyListFormat.ofNewFile(called: name) == .json
        let end = isJSON ? name.lastIndex(of: ".") : nil
        let plain = end.map { String(name[..<$0]) } ?? SuiteName(fileName: name)?.rawValue
        return joinPath(folder, (plain ?? name) + SuiteName.schemaSuffix)
    }

    public var location: String { path }

    /// Whether there is such a file.
    public var exists: Bool { ((try? files.stat(path)) ?? nil) != nil }

    /// The schema in the file and in the files of packages; an empty one if there is none.
    ///
    /// - Throws: ``SettingsError/unreadableSchema(path:_:)`` with line and column, or the error of the system.
    public func read() throws(SettingsError) -> SuiteSchema {
        var schema = try read(at: path)
        func add(_ other: SuiteSchema) { schema.declarations.merge(other.declarations) { first, _ in first } }
        // It is of any tool and any version, so it may have what this library refuses.
        if let named = namedPath.flatMap({ try? read(at: $0) }) { add(named) }
        for path in packagedPaths { add(try read(at: path)) }
        return schema
    }

    /// Why the schema that the suite's file names declares nothing; nil if it is read, if the file names none, or if the file
    /// beside the suite takes its place.
    package var problemWithNamedSchema: String? {
        guard let path = namedPath else {
            guard let reference = namedReference?.reference, !exists else { return nil }
            let name = MessageText.path(splitPath(self.path).file)
            return
                "$schema is \(MessageText.path(reference)), which is not read: it is no path from the file’s folder, "
                + "and nothing is fetched from the network. To use the schema, save it beside the file as \(name)"
        }
        do throws(SettingsError) {
            if try stored(at: path) == nil {
                return "\(MessageText.path(path)), which $schema names, does not exist"
            }
            _ = try read(at: path)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The schemas that only add declarations.
    package var otherPaths: [String] { [namedPath].compactMap(\.self) + packagedPaths }

    /// The path of the schema that the suite's file names. Nil unless the file has a path from its folder.
    private var namedPath: String? {
        guard let (folder, reference) = namedReference, reference.first != "/",
            !reference.prefix(while: { $0 != "/" }).contains(":")
        else { return nil }
        return joinPath(folder, String(reference.prefix { $0 != "#" }))
    }

    private var namedReference: (folder: String, reference: String)? {
        guard let place = try? ResolvedPath(of: suitePath, files),
            let descriptor = try? files.openUninterrupted(suitePath, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        else { return nil }
        defer { files.close(descriptor) }
        guard let start = try? files.readPiece(descriptor, room: Self.searchedSize),
            let reference = JSONDocument.schemaReference(inStart: start)
        else { return nil }
        return (place.folder, reference)
    }

    /// The files that packages may bring, the one that counts first at the start.
    package var packagedPaths: [String] {
        let suite = LayeredSuite(identity: .file(suitePath), places: layerPlaces ?? .current, files: files)
        guard let name = suite.names().first else { return [] }
        return suite.places.schemaFolders.map { joinPath($0, name.rawValue + SuiteName.schemaSuffix) }
    }

    private func read(at path: String) throws(SettingsError) -> SuiteSchema {
        guard let stored = try stored(at: path) else { return SuiteSchema() }
        do throws(PropertyListError) {
            return try parsed(stored.text)
        } catch {
            throw .unreadableSchema(path: path, error)
        }
    }

    /// The declarations of a text, in the form that the suite's file has.
    private func parsed(_ text: Data) throws(PropertyListError) -> SuiteSchema {
        let schema = try SuiteSchema(parsing: text)
        return PropertyListFormat.ofNewFile(called: suitePath) == .json ? schema.inJSON : schema
    }

    /// Adds declarations to the file. Those of other keys do not change. If the file has all of them, nothing is written.
    ///
    /// - Returns: false if the folder of the suite does not exist.
    /// - Throws: ``SettingsError/unreadableSchema(path:_:)`` if the file has no JSON Schema, which does not change; or why
    ///   it could not be written.
    @discardableResult
    public func merge(_ schema: SuiteSchema) throws(SettingsError) -> Bool {
        let path = path
        // Usually there is nothing to write, and this check needs no lock.
        guard (try merged(schema, over: stored(at: path)?.text, path)) != nil else { return true }
        return try rethrowing(path) {
            guard let folder = try DirectoryLock.lock(for: path, files) else { return false }
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
            guard let folder = try DirectoryLock.lock(for: path, files) else { return false }
            defer { folder.unlock() }
            guard try stored(at: folder.place.path) == nil else { return false }
            try write(schema.text, in: folder, mode: schema.mode)
            return true
        }
    }

    public func remove(_ schema: StoredSchema) throws(SettingsError) -> Bool {
        let path = path
        return try rethrowing(path) {
            guard let folder = try DirectoryLock.lock(for: path, files) else { return true }
            defer { folder.unlock() }
            guard let old = try stored(at: folder.place.path) else { return true }
            guard old.text == schema.text else { return false }
            if let reason = files.reasonNotToWrite(folder.place.path) {
                throw SettingsError.notWritable(path: folder.place.path, reason: reason)
            }
            // Another program may have replaced the file since.
            return try folder.removeFile { try stored(at: $0)?.text == schema.text }
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
            // To open a pipe or a device could wait or have side effects.
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

    /// - Parameter mode: the mode of a new file; nil: the one of the suite's file.
    private func write(_ text: Data, in folder: DirectoryLock, mode: UInt32? = nil) throws {
        let old = try files.stat(folder.place.path)
        let suite = try files.stat(suitePath)
        // A user who may not change the suite may not change its schema either.
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
            try files.makeDurable(descriptor, folder.place.path)
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
