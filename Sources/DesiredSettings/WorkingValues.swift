import CommandLanguage
import PropertyList

/// The values of a suite while changes to them are worked out. Nothing is written.
struct WorkingValues {
    let stored: PropertyListEntries
    private var changed: [String: PropertyListValue?] = [:]

    init(_ stored: PropertyListEntries) { self.stored = stored }

    /// The keys whose values have changed, with the new ones.
    var changes: [String: PropertyListValue?] { changed.filter { $0.value != stored[$0.key] } }

    /// The value at a path: for an element the element itself, if the array has it.
    func value(at path: SettingPath) -> PropertyListValue? {
        guard let node = node(at: path) else { return nil }
        guard let element = path.element else { return node.value }
        return Self.index(of: element, in: node) == nil ? nil : element
    }

    private func node(at path: SettingPath) -> ValueNode? {
        guard let root = changed[path.key] ?? stored[path.key] else { return nil }
        if path.members.isEmpty, path.element == nil { return ValueNode(root) }
        return ValueNode(root).node(at: path.inside)
    }

    /// The last element of this value, because new elements are appended.
    private static func index(of element: PropertyListValue, in node: ValueNode) -> Int? {
        guard node.holdsElements else { return nil }
        return node.children.lastIndex { isSame($0.node.value, element) }
    }

    /// Sets, appends or removes the value at a path. Missing containers are made.
    ///
    /// - Returns: The containers that were made.
    /// - Throws: ``SettingsFileError`` if a container is of another kind.
    mutating func set(_ value: PropertyListValue?, at path: SettingPath) throws(SettingsFileError)
        -> [SettingPath]
    {
        guard path.containerCount > 0 else {
            changed[path.key] = .some(value)
            return []
        }
        guard let value else {
            if self.value(at: path) != nil { try remove(path) }
            return []
        }
        let made = try makeContainers(of: path)
        try edit(
            path.key,
            path.inside.description + (path.element == nil ? "" : "/-"),
            .set(.propertyList(value))
        )
        return made
    }

    private mutating func remove(_ path: SettingPath) throws(SettingsFileError) {
        var pointer = path.inside.description
        if let element = path.element, let node = node(at: path),
            let index = Self.index(of: element, in: node)
        {
            pointer += "/\(index)"
        }
        try edit(path.key, pointer, .delete)
    }

    private mutating func makeContainers(of path: SettingPath) throws(SettingsFileError) -> [SettingPath] {
        var made: [SettingPath] = []
        for depth in 0..<path.containerCount {
            let container = SettingPath(path.key, members: Array(path.members.prefix(depth)))
            let isArray = depth == path.members.count
            if let node = node(at: container) {
                guard node.isContainer, node.holdsElements == isArray else {
                    let place = ValuePath([.key(path.key)] + container.inside.steps).messageText
                    let kind = (node.json?.kind.rawValue).map { "JSON \($0)" } ?? node.value.kind.rawValue
                    throw SettingsFileError(
                        "\(place.dropFirst()) is of the kind \(kind), and "
                            + (isArray ? "$include needs an array" : "$merge needs a dictionary")
                            + ". Write the whole value, or delete the key first."
                    )
                }
                continue
            }
            made.append(container)
            let empty: PropertyListValue = isArray ? [] : [:]
            if depth == 0 {
                changed[path.key] = .some(empty)
            } else {
                try edit(path.key, container.inside.description, .set(.propertyList(empty)))
            }
        }
        return made
    }

    /// Removes an array or a dictionary if it is there and empty.
    mutating func removeIfEmpty(_ container: SettingPath) throws(SettingsFileError) {
        guard let node = node(at: container), node.isContainer, node.childCount == 0 else { return }
        _ = try set(nil, at: container)
    }

    /// Changes a part of a value as `pdefaults write --at` does.
    private mutating func edit(
        _ key: String,
        _ pointer: String,
        _ operation: ValueOperation
    ) throws(SettingsFileError) {
        var values = PropertyListEntries()
        values[key] = changed[key] ?? stored[key]
        do {
            let edit = Edit.write(key: key, at: try JSONPointer(pointer), operation, if: nil)
            for (key, value) in try EditPlan([edit]).changes(to: values, of: "") {
                changed[key] = .some(value)
            }
        } catch {
            throw SettingsFileError("\(error)")
        }
    }
}

extension ValueNode {
    /// The value itself. JSON inside data becomes a value too.
    fileprivate var value: PropertyListValue {
        switch content {
        case .propertyList(let value): value
        case .json(let node): node.propertyListValue
        }
    }
}
