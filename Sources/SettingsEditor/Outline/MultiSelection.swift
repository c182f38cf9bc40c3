import PropertyList

// Rows that are marked, and acted upon together.
extension EditorState {
    mutating func toggleMultiSelection(_ row: Row) {
        if suiteList.suites[suiteList.selected].multiSelection.remove(row.path) == nil {
            suiteList.suites[suiteList.selected].multiSelection.insert(row.path)
        }
        let outline = suiteList.suites[suiteList.selected].outline
        suiteList.suites[suiteList.selected].outline.select(outline.selected + 1)
    }

    /// What an action is about: the marked rows that are still there, in their order, and not what lies
    /// inside another of them; else the selected row.
    var targets: [ValuePath] {
        guard let suite else { return [] }
        let multiSelection = suite.multiSelection.filter { suite.outline.node(at: $0) != nil }
        if multiSelection.isEmpty { return suite.outline.selectedRow.map { [$0.path] } ?? [] }
        return multiSelection.filter { path in
            !(1..<path.steps.count).contains { multiSelection.contains(ValuePath(Array(path.steps[..<$0]))) }
        }.sorted { $0.comesBefore($1) }
    }

    /// The same, for what takes place without a question.
    ///
    /// - Throws: where not all of them have a row, since a filter hides them or what they lie in is closed.
    func shownTargets() throws -> [ValuePath] {
        let targets = targets
        let hidden = targets.count { suite?.outline.index(of: $0) == nil }
        guard hidden > 0 else { return targets }
        let rows = hidden == 1 ? "1 selected row is" : "\(hidden) selected rows are"
        throw Refusal("\(rows) hidden, so nothing was changed. Press Esc to clear the selection.")
    }

    /// Turns all of the booleans round.
    mutating func flip(_ paths: [ValuePath]) throws -> [Effect] {
        guard let suite else { return [] }
        var values: [String: PropertyListValue?] = [:]
        for path in paths {
            guard let new = suite.outline.node(at: path)?.flipped else {
                throw Refusal("Only true and false can be toggled.")
            }
            guard let whole = values[path.key] ?? suite.shownValue(forKey: path.key) else { continue }
            values[path.key] = try whole.replacing(at: path.inside, with: new)
        }
        return try write(values, of: suite.id)
    }
}

// The multi-selection stays on its rows.
extension SuiteModel {
    /// A row of the multi-selection before a change: its value, its key's value, and the lengths of the arrays
    /// that contain it.
    struct MultiSelectedValue {
        let path: ValuePath
        let node: ValueNode?
        let whole: ValueNode?
        let lengths: [Int]
    }

    /// The selected rows of keys that are about to change.
    func multiSelectedValues(of keys: Set<String>) -> [MultiSelectedValue] {
        multiSelection.filter { keys.contains($0.key) }.map { path in
            MultiSelectedValue(
                path: path,
                node: outline.node(at: path),
                whole: outline.node(at: [.key(path.key)]),
                lengths: lengths(above: path)
            )
        }
    }

    /// Moves the multi-selection with array elements to their new indexes. A row that is gone, and an element that
    /// cannot be followed with certainty, leave it.
    mutating func updateMultiSelection(_ places: [MultiSelectedValue]) {
        let own = ownKeys
        let kept = places.compactMap { place -> ValuePath? in
            let new = outline.node(at: place.path)
            if place.lengths.isEmpty { return new == nil ? nil : place.path }
            if own.contains(place.path.key) {
                let isSame = isInFlight(place.path.key) || new == place.node
                return new != nil && isSame && lengths(above: place.path) == place.lengths ? place.path : nil
            }
            let key = PathStep.key(place.path.key)
            let whole = outline.node(at: [key])
            let now = PathMapping(place.path.inside, from: place.whole, to: whole).below([key])
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
