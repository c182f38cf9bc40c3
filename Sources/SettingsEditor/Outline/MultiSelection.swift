import PropertyList

// Commands on several selected rows.
extension EditorState {
    /// The paths that a command acts on: the rows of the multi-selection without those inside another one. If there
    /// are none, the selected row.
    var targets: [ValuePath] {
        guard let suite else { return [] }
        let multiSelection = suite.multiSelection.filter { suite.outline.node(at: $0) != nil }
        if multiSelection.isEmpty { return suite.outline.selectedRow.map { [$0.path] } ?? [] }
        return multiSelection.filter { path in
            !(1..<path.steps.count).contains { multiSelection.contains(ValuePath(Array(path.steps[..<$0]))) }
        }.sorted { $0.comesBefore($1) }
    }

    /// The same, for commands that do not ask first.
    ///
    /// - Throws: A refusal if some of them have no row, because they are filtered out or inside a collapsed row.
    func shownTargets() throws -> [ValuePath] {
        let targets = targets
        let hidden = targets.count { suite?.outline.index(of: $0) == nil }
        guard hidden > 0 else { return targets }
        let rows = hidden == 1 ? "1 selected row is" : "\(hidden) selected rows are"
        throw Refusal("\(rows) hidden, so nothing was changed. Press Esc to clear the selection.")
    }

    /// Toggles booleans.
    func flipping(_ paths: [ValuePath]) throws -> Outcome {
        guard let suite else { return .nothing }
        var edit = SuiteEdit(suite: suite.id, values: [:])
        for path in paths {
            guard let new = suite.outline.node(at: path)?.flipped else {
                throw Refusal("Only true and false can be toggled.")
            }
            guard let whole = edit.values[path.key] ?? suite.shownValue(forKey: path.key) else { continue }
            edit.values[path.key] = try whole.replacing(at: path.inside, with: new)
        }
        return .write(edit)
    }
}

// The multi-selection stays on its rows.
extension SuiteModel {
    /// A row of the multi-selection before a change: its value, and the lengths of the arrays that contain it.
    struct MultiSelectedValue {
        let path: ValuePath
        let node: ValueNode?
        let lengths: [Int]
    }

    /// The selected rows of keys that are about to change.
    func multiSelectedValues(of keys: Set<String>) -> [MultiSelectedValue] {
        multiSelection.filter { keys.contains($0.key) }.map { path in
            MultiSelectedValue(
                path: path,
                node: outline.node(at: path),
                lengths: lengths(above: path)
            )
        }
    }

    /// Moves the multi-selection with array elements to their new indexes. A row that is gone, and an element that
    /// cannot be followed with certainty, leave it.
    mutating func updateMultiSelection(_ places: [MultiSelectedValue], _ mappings: [String: PathMapping]) {
        let own = ownKeys
        var mappings = mappings
        let kept = places.compactMap { place -> ValuePath? in
            let new = outline.node(at: place.path)
            if place.lengths.isEmpty { return new == nil ? nil : place.path }
            if own.contains(place.path.key) {
                let isSame = isInFlight(place.path.key) || new == place.node
                return new != nil && isSame && lengths(above: place.path) == place.lengths ? place.path : nil
            }
            let key = place.path.key
            mappings[key]?.read()
            guard let now = mappings[key]?.target(of: place.path.inside).below([.key(key)]) else {
                return nil
            }
            return now.isCertain && outline.node(at: now.path) == place.node ? now.path : nil
        }
        multiSelection.subtract(places.map(\.path))
        multiSelection.formUnion(kept)
    }

    private func lengths(above path: ValuePath) -> [Int] {
        path.steps.indices.compactMap { index in
            guard case .index = path.steps[index] else { return nil }
            return outline.node(at: ValuePath(Array(path.steps[..<index])))?.childCount
        }
    }
}
