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
        let (value, root): (PropertyListValue, JSONNode?)
        do throws(PropertyListError) {
            (value, root) = try PropertyListValue.readAnyFormat(bytes, keepsEscapes: true)
        } catch {
            throw SettingsFileError(error).found(in: try? JSONDocument(withComments: bytes).root)
        }
        do throws(SettingsFileError) {
            let all = try Self.members(of: value, at: [])
            for name in Self.names(of: all, root) {
                let keys = try Self.members(of: all[name], at: [.key(name)])
                var suite = Suite(name: name, keys: [])
                for key in Self.names(of: keys, root?.node(at: [.key(name)])) {
                    var reader = DirectiveReader(suite: name)
                    if let value = keys[key] { try reader.read(value, at: SettingPath(key)) }
                    suite.keys.append((key, reader.settings))
                }
                suites.append(suite)
            }
        } catch {
            throw error.found(in: root)
        }
    }

    /// The names in the order of the text. A property list and an escaped dictionary have none.
    private static func names(of members: [String: PropertyListValue], _ node: JSONNode?) -> [String] {
        let steps = node?.children.map(\.step) ?? []
        let names = steps.compactMap { if case .key(let name) = $0 { name } else { nil } }
        return Set(names) == Set(members.keys) ? names : members.keys.sorted()
    }

    /// The dictionary inside an escape. Nil for another value.
    fileprivate static func escaped(_ value: PropertyListValue?) -> [String: PropertyListValue]? {
        guard case .dictionary(let entries) = value, entries.count == 1,
            case .dictionary(let members)? = entries[PropertyListValue.escape]
        else { return nil }
        return members
    }

    /// The members of a dictionary that is no value of a key: of all suites, of a suite, or of what is under $merge.
    ///
    /// - Throws: ``SettingsFileError`` if one of them is a directive.
    fileprivate static func members(
        of value: PropertyListValue?,
        at path: ValuePath
    ) throws(SettingsFileError) -> [String: PropertyListValue] {
        if let members = escaped(value) { return members }
        guard case .dictionary(let members)? = value else { throw .notADictionary(path, value) }
        if let name = PropertyListValue.directives.first(where: { members[$0] != nil }) {
            throw SettingsFileError(
                path,
                "“\(name)” must be the only member, and the value of a key or of a member of $merge. "
                    + escapeAdvice
            )
        }
        return members
    }
}

private let escapeAdvice = "To store a dictionary with this key, write {\"$dictionary\": {…}}."

extension JSONNode {
    /// The line of the value at a path. The path does not name directives around values.
    fileprivate func line(of path: ValuePath) -> Int? {
        var node = self
        for step in path.steps {
            while node.node(at: [step]) == nil, node.childCount == 1, let inner = node.children.first?.node {
                node = inner
            }
            node = node.node(at: [step]) ?? node
        }
        if case .line(let line, _) = node.place { return line }
        return nil
    }
}

/// Why a settings file cannot be applied. Nothing was written.
package struct SettingsFileError: Error, Sendable, Hashable, CustomStringConvertible {
    private var path: ValuePath?
    private let problem: String
    private var line: Int?

    package var description: String {
        guard let path, !path.steps.isEmpty else { return problem }
        return path.messageText + (line.map { " in line \($0): " } ?? ": ") + problem
    }

    init(_ problem: String) { self.problem = problem }

    init(_ path: ValuePath, _ problem: String) { (self.path, self.problem) = (path, problem) }

    fileprivate init(_ error: PropertyListError) {
        if case .path(let path) = error.place { self.path = path }
        problem = path == nil ? "\(error)." : "\(error.problem)."
    }

    /// The same error with the line in a text.
    fileprivate func found(in root: JSONNode?) -> SettingsFileError {
        var error = self
        error.line = path.flatMap { root?.line(of: $0) }
        return error
    }

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
            guard case .dictionary = argument else {
                throw wrong(name, argument, "a dictionary: {\"$merge\": {\"width\": 800}}", at: place)
            }
            let members = try SettingsFile.members(of: argument, at: place)
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
            let members = try SettingsFile.members(of: value, at: place)
            if entries.count == 1, let name = entries.keys.first, name.hasPrefix("$"),
                SettingsFile.escaped(value) == nil
            {
                throw unknown(name, at: place)
            }
            var plain: [String: PropertyListValue] = [:]
            for (name, value) in members {
                plain[name] = try self.plain(value, at: place.appending(.key(name)))
            }
            return .dictionary(plain)
        default: return value
        }
    }

    private func unknown(_ name: String, at place: ValuePath) -> SettingsFileError {
        SettingsFileError(
            place,
            "There is no directive “\(MessageText.name(name))”. Use $include, $merge or $delete. \(escapeAdvice)"
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
