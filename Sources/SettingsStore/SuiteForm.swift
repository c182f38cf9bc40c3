import PropertyList

/// How a suite is written beyond its values: in a file its format, the order of its keys, its comments, and who may
/// read it.
public struct SuiteForm: Sendable {
    let document: PropertyListDocument
    /// The keys that this has.
    let keys: [String]
    let mode: UInt32
}

extension FileStorage {
    public func form() throws(SettingsError) -> SuiteForm? {
        do {
            guard let folder = try LockedFolder.lock(for: path, files) else { return nil }
            defer { folder.unlock() }
            guard let file = try folder.openFile() else { return nil }
            defer { files.close(file) }
            return try form(of: file)
        } catch {
            throw named(error)
        }
    }

    /// How a file is written that is open for reading.
    func form(of file: Int32) throws -> SuiteForm {
        let info = try files.fstat(file, path)
        if info.kind != .file { throw SettingsError.notAFile(path: path) }
        let bytes = try readAll(file, expecting: Int(info.identity.size))
        do throws(PropertyListError) {
            let (document, values) = try PropertyListDocument.read(bytes)
            return SuiteForm(document: document, keys: values.map(\.key), mode: info.mode & 0o777)
        } catch {
            throw SettingsError.unreadable(path: path, error)
        }
    }
}

extension SettingsSuite {
    /// Makes the suite with these values, or without any, where nothing is stored.
    ///
    /// Returns when it is durable.
    ///
    /// - Parameter like: A file is written like this one's, in the same format and order and with the same
    ///   comments; nil: as it was before this process has removed it, if it has.
    /// - Throws: as ``replace(_:expecting:origin:)`` does, a conflict where something is stored.
    package func make(
        _ values: [String: PropertyListValue],
        like model: SettingsSuite?,
        origin: ChangeOrigin
    ) throws(SettingsError) {
        let form = try model?.core.form()
        try core.replace(
            values.mapValues { .some($0) },
            expecting: values.mapValues { _ in nil },
            origin: origin,
            whole: .made(like: form)
        )
    }

    /// Removes the suite with all that it holds, if that is what is expected.
    ///
    /// Returns when it is durable. Whoever has the suite sees each of its keys go.
    ///
    /// - Throws: as ``replace(_:expecting:origin:)`` does, a conflict where anything else is stored, too.
    package func remove(
        expecting values: [String: PropertyListValue],
        origin: ChangeOrigin
    ) throws(SettingsError) {
        try core.replace(
            values.mapValues { _ in nil },
            expecting: values.mapValues { .some($0) },
            origin: origin,
            whole: .removed
        )
    }
}
