// A suite is not only a set of keys: it can be created empty, copied and removed. Each of these is one conditional
// write, and a rename is a copy and a removal. Without them, the editor would have to copy files behind the back of the
// suite.

import PropertyList

extension SettingsSuite {
    /// Creates the suite with these values, or without any, if nothing is stored. Returns when that is durable.
    ///
    /// - Parameters:
    ///   - model: the file is written like the file of this suite: in the same format and order, with the same
    ///     comments. nil: as it was before this process has removed it, if it has.
    ///   - asLink: if the model's file is a symbolic link, a link to the same target is made.
    ///   - declared: the declared settings of this suite are copied too, if the new one has none.
    /// - Returns: what happened to the declared settings.
    /// - Throws: as ``replace(_:expecting:origin:)`` does; a conflict if something is stored.
    @discardableResult
    package func make(
        _ values: [String: PropertyListValue],
        like model: SettingsSuite?,
        asLink: Bool = false,
        declaredAs declared: SettingsSuite? = nil,
        origin: ChangeOrigin
    ) throws(SettingsError) -> MovedDeclarations {
        var template = try model?.core.template()
        if !asLink { template?.link = nil }
        try core.replace(
            values.mapValues { .some($0) },
            expecting: values.mapValues { _ in nil },
            origin: origin,
            action: .create(like: template)
        )
        // After the creation, because the declared settings are beside the target of a link.
        return declared.map { takeOverDeclarations(of: $0) } ?? .moved
    }

    /// Removes the suite if it has exactly these values. Returns when that is durable. Observers see each of its keys
    /// being removed.
    ///
    /// - Parameter declared: the declared settings are removed too, if they are the same as those of this suite.
    /// - Returns: what happened to the declared settings.
    /// - Throws: as ``replace(_:expecting:origin:)`` does; also a conflict if any other key is stored.
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
            action: .remove
        )
        return declared.map { giveUpDeclarations(alsoOf: $0) } ?? .moved
    }
}
