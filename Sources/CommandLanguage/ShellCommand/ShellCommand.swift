import FoundationEssentials
import PropertyList

/// The `pdefaults` command that sets or deletes a value, as text for a shell.
package struct ShellCommand: Sendable, Hashable {
    /// The words, with the program's name.
    package let words: [String]
    package let text: String

    /// - Parameters:
    ///   - options: The options that name the folder, cluster or nothing.
    ///   - suite: The suite as the command line names it.
    ///   - node: The value; nil if it is deleted.
    /// - Throws: ``NoCommandError`` if the command line cannot name the path or express the value.
    package init(options: [String], suite: String, path: ValuePath, node: ValueNode?) throws {
        let value = try node.map(Self.valueWords)
        try self.init(options: options, suite: suite, path: path, value: value)
    }

    /// - Parameter value: The words of the value; nil if it is deleted.
    init(options: [String], suite: String, path: ValuePath, value: [String]?) throws {
        let inside = path.inside
        if inside.steps.contains(where: { if case .twin = $0 { true } else { false } }) {
            throw NoCommandError("A command cannot name one of several members with the same name.")
        }
        var words = ["pdefaults"] + options + [value == nil ? "delete" : "write"]
        if !inside.steps.isEmpty { words += ["--at", inside.description] }
        // Otherwise a name that starts with a dash would be an option or a type.
        if suite.hasPrefix("-") || path.key.hasPrefix("-") { words.append("--") }
        words += [suite, path.key] + (value ?? [])
        self.words = words
        text = try words.map { try ShellWord($0).text }.joined(separator: " ")
    }

    /// The words that `write` reads back as the value.
    static func valueWords(_ node: ValueNode) throws -> [String] {
        let value: PropertyListValue
        switch node.content {
        case .json(let json): return ["-json", json.source]
        case .propertyList(let own): value = own
        }
        // The whole text, because white space around the JSON is part of the value.
        if node.json != nil, case .data(let data) = value, let text = String(validating: data, as: UTF8.self)
        {
            return ["-json", text]
        }
        switch value {
        case .string(let text): return text.utf8.contains(0) ? [try value.literalText] : ["-string", text]
        case .boolean(let value): return ["-bool", value ? "true" : "false"]
        case .integer(let number): return ["-int", "\(number)"]
        case .real: return ["-float", value.editText ?? ""]
        case .date: return ["-date", value.editText ?? ""]
        case .data: return ["-data", (value.editText ?? "").filter { $0 != " " }]
        case .array, .dictionary, .uid, .null, .number: return [try value.literalText]
        }
    }
}

/// Why no command can do something.
package struct NoCommandError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    static let inexpressible = NoCommandError(
        "A command cannot express this value. Export the suite instead."
    )
}
