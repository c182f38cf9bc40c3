import FoundationEssentials
import PropertyList
import ValueDiff

/// Makes the commands that repeat a change of one key.
///
/// A person who looks for the setting behind a button wants to see the change, not the whole value. So the difference of the
/// two values becomes one command with `--at`, or several if these are shorter than one that writes the whole value. Each result is tried on
/// the old value by the code that runs commands, so a command is never printed that does something else.
package struct ChangeCommands: Sendable {
    /// The options that name the folder, the cluster or nothing.
    let options: [String]
    let suite: String
    /// Whether the suite is a JSON file, in which `-json` is a value and not data.
    let storesJSON: Bool

    /// More differences are written as one whole value.
    private static let mostDifferences = 40

    package init(options: [String], suite: String, storesJSON: Bool) {
        (self.options, self.suite, self.storesJSON) = (options, suite, storesJSON)
    }

    /// Returns the commands that change the key from one value to the other. Nil means that there is no value.
    ///
    /// - Throws: ``NoCommandError`` if no command can.
    package func commands(
        for key: String,
        from old: PropertyListValue?,
        to new: PropertyListValue?
    ) throws -> [ShellCommand] {
        guard old != new else { return [] }
        guard let new else { return [try command(at: [.key(key)], nil)] }
        let whole = Result { try command(at: [.key(key)], valueWords(ValueNode(new))) }
        let length = (try? whole.get())?.text.utf8.count ?? .max
        if let old, let parts = try? parts(of: key, from: old, to: new),
            parts.count == 1 || parts.reduce(0, { $0 + $1.text.utf8.count }) < length,
            result(of: parts, key, old) == new
        {
            return parts
        }
        let commands = [try whole.get()]
        guard result(of: commands, key, old) == new else { throw NoCommandError.inexpressible }
        return commands
    }

    private func command(at path: ValuePath, _ value: [String]?) throws -> ShellCommand {
        try ShellCommand(options: options, suite: suite, path: path, value: value)
    }

    private func valueWords(_ node: ValueNode) throws -> [String] {
        if storesJSON, case .propertyList(let value) = node.content,
            [.array, .dictionary, .null, .number].contains(value.kind), value.kindForeignToJSON == nil
        {
            return ["-json", value.compactJSON]
        }
        return try ShellCommand.valueWords(node)
    }

    /// The value after the commands. Nil if there is none, or if a command is refused.
    private func result(
        of commands: [ShellCommand],
        _ key: String,
        _ old: PropertyListValue?
    ) -> PropertyListValue? {
        var values = PropertyListEntries()
        values[key] = old
        for command in commands {
            do {
                let line = try ParsedCommand(Array(command.words.dropFirst()))
                let plan = try EditPlan(line, inJSONFile: storesJSON)
                for (key, value) in try plan.changes(to: values, of: suite) { values[key] = value }
            } catch {
                return nil
            }
        }
        return values[key]
    }
}

extension ChangeCommands {
    /// The commands for each difference, from the first to the last: everything before a difference is new already, so its
    /// path in the new value names it.
    private func parts(
        of key: String,
        from old: PropertyListValue,
        to new: PropertyListValue
    ) throws -> [ShellCommand]? {
        let root = ValueNode(new)
        let difference = TreeDiff(ValueNode(old), root, limit: Self.mostDifferences)
        guard difference.count <= Self.mostDifferences else { return nil }
        let added = Set(difference.places.filter { $0.old == nil }.map(\.target))
        var commands: [(path: ValuePath, command: ShellCommand)] = []
        func add(at path: ValuePath, _ value: [String]?) throws {
            commands.append((path, try command(at: path, value)))
        }
        /// The array that was written as a whole, or whose new elements were appended.
        var finished: ValuePath?
        for place in difference.places {
            let target = place.target
            if let finished, target.steps.count > finished.steps.count, target.starts(with: finished) {
                continue
            }
            let path = ValuePath([.key(key)] + target.steps)
            guard let node = place.new else {
                try add(at: path, nil)
                continue
            }
            guard place.old == nil, case .index(let index)? = target.steps.last, let array = target.parent,
                let parent = root.node(at: array)
            else {
                try add(at: path, valueWords(node))
                continue
            }
            finished = array
            let place = ValuePath([.key(key)] + array.steps)
            let rest = index..<parent.childCount
            guard rest.allSatisfy({ added.contains(array.appending(.index($0))) }) else {
                // No command inserts an element before another one.
                commands.removeAll { $0.path.starts(with: place) }
                try add(at: place, valueWords(parent))
                continue
            }
            let elements = try rest.map { try valueWords(parent.children[$0].node) }
            if parent.json == nil, !storesJSON {
                try add(at: place, ["-array-add"] + elements.flatMap(\.self))
            } else {
                for element in elements { try add(at: place.appending(.key("-")), element) }
            }
        }
        return commands.map(\.command)
    }
}
