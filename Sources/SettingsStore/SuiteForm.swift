import PropertyList

/// How a suite is written beyond its values: in a file its format, the order of its keys, its comments, and who may
/// read it.
public struct SuiteForm: Sendable {
    let document: PropertyListDocument
    /// The keys that this has.
    let keys: [String]
    let mode: UInt32
    /// Where its file leads, if that is a symbolic link.
    var link: String?
}

extension FileStorage {
    public func form() throws(SettingsError) -> SuiteForm? {
        do {
            guard let folder = try LockedFolder.lock(for: path, files) else { return nil }
            defer { folder.unlock() }
            guard let file = try folder.openFile() else { return nil }
            defer { files.close(file) }
            var form = try form(of: file)
            form.link = try link.target()
            return form
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
    /// - Parameters:
    ///   - like: A file is written like this one's, in the same format and order and with the same
    ///     comments; nil: as it was before this process has removed it, if it has.
    ///   - asLink: Where that one's is a symbolic link, another one is made that leads to the same file, as
    ///     for a new name.
    ///   - declared: What is declared of this one is declared of the new one, too, where nothing is yet.
    /// - Returns: what has become of that.
    /// - Throws: as ``replace(_:expecting:origin:)`` does, a conflict where something is stored.
    @discardableResult
    package func make(
        _ values: [String: PropertyListValue],
        like model: SettingsSuite?,
        asLink: Bool = false,
        declaredAs declared: SettingsSuite? = nil,
        origin: ChangeOrigin
    ) throws(SettingsError) -> MovedDeclarations {
        var form = try model?.core.form()
        if !asLink { form?.link = nil }
        try core.replace(
            values.mapValues { .some($0) },
            expecting: values.mapValues { _ in nil },
            origin: origin,
            whole: .made(like: form)
        )
        // Behind that: of a link they lie beside what it leads to.
        return declared.map { takeOverDeclarations(of: $0) } ?? .moved
    }

    /// Removes the suite with all that it holds, if that is what is expected.
    ///
    /// Returns when it is durable. Whoever has the suite sees each of its keys go.
    ///
    /// - Parameter declared: What is declared goes, too, where the same is declared of this one.
    /// - Returns: what has become of that.
    /// - Throws: as ``replace(_:expecting:origin:)`` does, a conflict where anything else is stored, too.
    @discardableResult
    package func remove(
        expecting values: [String: PropertyListValue],
        declaredAs declared: SettingsSuite? = nil,
        origin: ChangeOrigin
    ) throws(SettingsError) -> MovedDeclarations {
        try core.replace(
            values.mapValues { _ in nil },
            expecting: values.mapValues { .some($0) },
            origin: origin,
            whole: .removed
        )
        return declared.map { giveUpDeclarations(alsoOf: $0) } ?? .moved
    }

    /// Makes the suite with what another one holds, which goes in the same step, on a cluster that both are on; and
    /// what is declared goes along.
    ///
    /// - Returns: what has become of that.
    /// - Throws: as ``make(_:like:asLink:declaredAs:origin:)`` does, and where the other one holds anything else.
    package func make(
        _ values: [String: PropertyListValue],
        inPlaceOf other: SettingsSuite,
        origin: ChangeOrigin
    ) throws(SettingsError) -> MovedDeclarations {
        try core.make(values, inPlaceOf: other.core, origin)
        let taken = takeOverDeclarations(of: other)
        let given = other.giveUpDeclarations(alsoOf: self)
        return taken == .moved ? given : taken
    }

    /// Removes what somebody has begun to make of the suite and not finished.
    ///
    /// - Returns: false where there is no such thing by now.
    package func removePart() throws(SettingsError) -> Bool { try core.removePart() }
}
