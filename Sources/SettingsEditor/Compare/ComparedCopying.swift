import CommandLanguage
import PropertyList
import ValueDiff

// Copying from one side of a comparison to the other.
extension EditorState {
    /// The change that copies rows to the other side.
    func copying(_ ids: Set<ComparedRow.ID>, of screen: CompareScreen, toRight: Bool) throws -> SuiteEdit {
        let (from, to) = toRight ? (screen.left, screen.right) : (screen.right, screen.left)
        guard case .now(let id, let root) = to else { throw Refusal("“\(title(of: to))” cannot be changed.") }
        let suite = try existingSuite(id)
        let rows = ids.compactMap { compared?.row($0) }.filter { $0.kind != .same }
        if rows.isEmpty { throw Refusal("There is no difference to copy.") }
        var edit = SuiteEdit(suite: id, values: [:])
        let (theirs, mine) = (values(of: from, beside: to), values(of: to, beside: from))
        for (key, rows) in Dictionary(grouping: rows, by: \.id.key) {
            let numbers = rows.compactMap(\.id.number)
            if !screen.isOfSuites {
                edit.values[root.key] = .some(
                    try value(equalizing: numbers, of: screen, at: root, toRight, suite)
                )
            } else if numbers.count < rows.count {
                edit.values[key] = .some(source(key, of: from, theirs))
            } else if let old = theirs.value(key), let now = mine.value(key) {
                let differences = try places(numbers, key, toRight, from: ValueNode(old), to: ValueNode(now))
                edit.values[key] = .some(try now.copying(differences, below: []))
            }
            let (copied, changed) = screen.isOfSuites ? (key, key) : (from.path.key, root.key)
            if hides(copied, of: from.suite) { edit.secrets.append(changed) }
        }
        let what = rows.count == 1 ? "1 difference" : "\(rows.count) differences"
        edit.message = "Copied \(what) to “\(title(of: to))”. Press u to undo."
        return edit
    }

    /// The value to copy. A default is copied by removing the stored value, so that the default counts again.
    private func source(
        _ key: String,
        of side: ComparedSide,
        _ values: ComparedValues
    ) -> PropertyListValue? {
        if case .defaults = side { return nil }
        return values.value(key)
    }

    /// The value of the key that has one of two compared values, with some of its differences copied to it.
    private func value(
        equalizing numbers: [Int],
        of screen: CompareScreen,
        at root: ValuePath,
        _ toRight: Bool,
        _ suite: SuiteModel
    ) throws -> PropertyListValue? {
        let (left, right) = (node(of: screen.left), node(of: screen.right))
        let (from, to) = toRight ? (left, right) : (right, left)
        let places = try places(numbers, "", toRight, from: from, to: to)
        if root.steps.count == 1, places.contains(where: { $0.target.steps.isEmpty }) {
            return try from.map { try Clip(name: nil, content: $0.content).newValue(inJSON: false).asWhole }
        }
        guard let whole = suite.shownValue(forKey: root.key) else { throw Refusal("“\(root.key)” is gone.") }
        return try whole.copying(places, below: root.inside)
    }

    /// Some differences inside a value, with their paths in the value that they are copied to.
    ///
    /// The rows have the paths in the right value. For the other direction the values are compared the other way round,
    /// and each difference is found there.
    private func places(
        _ numbers: [Int],
        _ key: String,
        _ toRight: Bool,
        from: ValueNode?,
        to: ValueNode?
    ) throws -> [TreeDiff.Place] {
        let places = numbers.sorted().compactMap { compared?.place(.init(key: key, number: $0)) }
        if toRight { return places }
        var others = TreeDiff(from, to, limit: .max).places
        return try places.map { place in
            guard let index = others.firstIndex(where: { $0.old == place.new && $0.new == place.old }) else {
                throw Refusal("These elements cannot be matched. Copy the whole value instead.")
            }
            return others.remove(at: index)
        }
    }

    /// Copies the commands that make the left side equal to the right one.
    mutating func copyCommands(equalizing screen: CompareScreen) throws -> [Effect] {
        let rows = compared?.rows.filter { $0.id.number == nil || !screen.isOfSuites } ?? []
        if rows.count > Self.mostCommands {
            throw Refusal("More than \(Self.mostCommands) differences are too many for commands.")
        }
        let edit = try copying(Set(rows.map(\.id)), of: screen, toRight: false)
        let suite = try existingSuite(edit.suite)
        let changes = edit.values.sorted { $0.key < $1.key }.map { key, new in
            (suite.id, key, ValueChange(old: suite.value(forKey: key), new: new))
        }
        return try copyCommands(for: changes)
    }

    private static let mostCommands = 1000
}

extension PropertyListValue {
    /// The value with the old part of each difference put in place of the new one.
    fileprivate func copying(_ places: [TreeDiff.Place], below root: ValuePath) throws -> PropertyListValue {
        let whole = ValueNode(self)
        return try editing(
            places.map { place in
                let path = ValuePath(root.steps + place.target.steps)
                guard let old = place.old else { return ValueEdit(.remove, at: path) }
                let isJSON = path.parent.flatMap { whole.node(at: $0)?.json } != nil
                let value = try Clip(name: nil, content: old.content).newValue(inJSON: isJSON)
                return ValueEdit(place.new == nil ? .insert(value) : .replace(value), at: path)
            }
        )
    }
}
