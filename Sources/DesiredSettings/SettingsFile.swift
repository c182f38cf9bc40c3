import PropertyList

/// A settings file of `pdefaults apply`: suites, their keys, and the values that these must have.
///
/// The file is JSON with comments, with the types that `--json` writes, or a property list. Three directives ask for a part of
/// a value and leave the rest to other programs.
package struct SettingsFile: Sendable {
    package struct Suite: Sendable {
        /// The name or path as the file has it.
        package let name: String
        /// The settings of each key, in the order of the file.
        package var keys: [(key: String, settings: [DesiredSetting])]
    }

    /// The suites in the order of the file. A property list has no order, so its names are sorted.
    package private(set) var suites: [Suite] = []

    /// - Throws: ``SettingsFileError`` that says what is wrong, where, and what to do.
    package init(_ bytes: [UInt8]) throws(SettingsFileError) {
        let (value, root) = try Self.read(bytes)
        guard case .dictionary(let all) = value else { throw .notADictionary([], value) }
        for name in root?.names ?? all.keys.sorted() {
            guard case .dictionary(let keys)? = all[name].map(Self.withoutEscape) else {
                throw .notADictionary([.key(name)], all[name])
            }
            if let directive = keys.keys.first(where: PropertyListValue.directives.contains), keys.count == 1
            {
                throw SettingsFileError(
                    [.key(name)],
                    "“\(directive)” belongs into the value of a key, not of a suite."
                )
            }
            let names = root?.node(at: [.key(name)])?.names ?? []
            var suite = Suite(name: name, keys: [])
            for key in names.count == keys.count ? names : keys.keys.sorted() {
                var reader = DirectiveReader(suite: name)
                if let value = keys[key] { try reader.read(value, at: SettingPath(key)) }
                suite.keys.append((key, reader.settings))
            }
            suites.append(suite)
        }
    }

    private static func read(
        _ bytes: [UInt8]
    ) throws(SettingsFileError) -> (value: PropertyListValue, root: JSONNode?) {
        var problem = ""
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if let first, "{[/".utf8.contains(first) {
            do {
                let (value, root) = try PropertyListValue.readKeepingEscapes(typedJSON: bytes)
                return (value, root)
            } catch {
                problem = "as JSON, \(error); as old style, "
            }
        }
        do {
            return (try PropertyListValue.read(bytes).value, nil)
        } catch {
            throw SettingsFileError("\(problem)\(error).")
        }
    }

    fileprivate static func withoutEscape(_ value: PropertyListValue) -> PropertyListValue {
        guard case .dictionary(let entries) = value, entries.count == 1,
            case .dictionary? = entries[PropertyListValue.escape]
        else { return value }
        return entries[PropertyListValue.escape] ?? value
    }
}

extension JSONNode {
    fileprivate var names: [String] {
        children.compactMap { if case .key(let name) = $0.step { name } else { nil } }
    }
}

/// Why a settings file cannot be applied. Nothing was written.
package struct SettingsFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    init(_ path: ValuePath, _ problem: String) { self.init("\(path.messageText): \(problem)") }

    static func notADictionary(_ path: ValuePath, _ value: PropertyListValue?) -> SettingsFileError {
        let found = "found \(value?.kind.withArticle ?? "nothing"). "
        if path.steps.isEmpty {
            return SettingsFileError(
                "\(found)Write a dictionary of suites: {\"org.example.App\": {\"volume\": 60}}."
            )
        }
        return SettingsFileError(path, "\(found)Write a dictionary of the suite’s keys.")
    }
}

extension PropertyListValue.Kind {
    /// The kind in a sentence.
    package var withArticle: String {
        switch self {
        case .array, .integer: "an \(rawValue)"
        case .data, .null: rawValue
        default: "a \(rawValue)"
        }
    }
}

/// Turns the value of one key into settings.
private struct DirectiveReader {
    let suite: String
    var settings: [DesiredSetting] = []

    mutating func read(_ value: PropertyListValue, at path: SettingPath) throws(SettingsFileError) {
        let place = place(path)
        guard case .dictionary(let entries) = value, entries.count == 1, let (name, argument) = entries.first,
            name.hasPrefix("$"), name != PropertyListValue.escape
        else {
            settings.append(DesiredSetting(path, try plain(value, at: place)))
            return
        }
        switch name {
        case "$include":
            guard case .array(let elements) = argument else {
                throw wrong(name, argument, "an array: {\"$include\": [\"Kitchen\"]}", at: place)
            }
            for (index, element) in elements.enumerated() {
                var one = path
                one.element = try plain(element, at: place.appending(.key(name)).appending(.index(index)))
                if !settings.contains(where: { $0.path == one }) {
                    settings.append(DesiredSetting(one, one.element))
                }
            }
        case "$merge":
            let argument = SettingsFile.withoutEscape(argument)
            guard case .dictionary(let members) = argument else {
                throw wrong(name, argument, "a dictionary: {\"$merge\": {\"width\": 800}}", at: place)
            }
            if let directive = members.keys.first(where: PropertyListValue.directives.contains),
                members.count == 1
            {
                throw SettingsFileError(place, "“\(directive)” under $merge has no member. \(advice)")
            }
            for (member, value) in members.sorted(by: { $0.key < $1.key }) {
                try read(value, at: SettingPath(path.key, members: path.members + [member]))
            }
        case "$delete":
            guard argument == .boolean(true) else { throw wrong(name, argument, "true", at: place) }
            settings.append(DesiredSetting(path, nil))
        default: throw unknown(name, at: place)
        }
    }

    private func place(_ path: SettingPath) -> ValuePath {
        ValuePath([.key(suite), .key(path.key)] + path.inside.steps)
    }

    /// The value without escapes. A directive inside a whole value would have no meaning.
    private func plain(
        _ value: PropertyListValue,
        at place: ValuePath
    ) throws(SettingsFileError) -> PropertyListValue {
        switch value {
        case .array(let elements):
            var plain: [PropertyListValue] = []
            for (index, element) in elements.enumerated() {
                plain.append(try self.plain(element, at: place.appending(.index(index))))
            }
            return .array(plain)
        case .dictionary(let entries):
            let inner = SettingsFile.withoutEscape(value)
            let isEscaped = entries.count == 1 && entries[PropertyListValue.escape] != nil
            guard case .dictionary(let members) = inner else { return inner }
            if !isEscaped {
                if let name = PropertyListValue.directives.first(where: { entries[$0] != nil }) {
                    throw SettingsFileError(
                        place,
                        "“\(name)” must be the only member, and the value of a key or of a member of $merge. \(advice)"
                    )
                }
                if entries.count == 1, let name = entries.keys.first, name.hasPrefix("$") {
                    throw unknown(name, at: place)
                }
            }
            var plain: [String: PropertyListValue] = [:]
            for (name, value) in members {
                plain[name] = try self.plain(value, at: place.appending(.key(name)))
            }
            return .dictionary(plain)
        default: return value
        }
    }

    private var advice: String { "To store a dictionary with this key, write {\"$dictionary\": {…}}." }

    private func unknown(_ name: String, at place: ValuePath) -> SettingsFileError {
        SettingsFileError(
            place,
            "There is no directive “\(MessageText.name(name))”. Use $include, $merge or $delete. \(advice)"
        )
    }

    private func wrong(
        _ name: String,
        _ argument: PropertyListValue,
        _ wanted: String,
        at place: ValuePath
    ) -> SettingsFileError {
        SettingsFileError(place, "found \(argument.kind.withArticle) under \(name). Write \(wanted).")
    }
}
