import PropertyList

// Rows that are marked, and acted upon together.
extension EditorState {
    mutating func toggleMark(_ row: Row) {
        if suites[selectedSuite].marked.remove(row.path) == nil {
            suites[selectedSuite].marked.insert(row.path)
        }
        let tree = suites[selectedSuite].tree
        suites[selectedSuite].tree.select(tree.selected + 1)
    }

    /// What an action is about: the marked rows that are still there, in their order, and not what lies
    /// inside another of them; else the selected row.
    var targets: [ValuePath] {
        guard let suite else { return [] }
        let marked = suite.marked.filter { suite.tree.node(at: $0) != nil }
        if marked.isEmpty { return suite.tree.selectedRow.map { [$0.path] } ?? [] }
        return marked.filter { path in
            !(1..<path.steps.count).contains { marked.contains(ValuePath(Array(path.steps[..<$0]))) }
        }.sorted { $0.comesBefore($1) }
    }

    /// The same, for what takes place without a question.
    ///
    /// - Throws: where not all of them have a row, since a filter hides them or what they lie in is closed.
    func shownTargets() throws -> [ValuePath] {
        let targets = targets
        let hidden = targets.count { suite?.tree.index(of: $0) == nil }
        guard hidden > 0 else { return targets }
        let rows = hidden == 1 ? "1 of the marked rows is" : "\(hidden) of the marked rows are"
        throw Refusal("\(rows) not shown, so that nothing was changed. Esc unmarks all.")
    }

    /// Turns all of the booleans round.
    mutating func flip(_ paths: [ValuePath]) throws -> [EditorEffect] {
        guard let suite else { return [] }
        var values: [String: PropertyListValue?] = [:]
        for path in paths {
            guard let new = suite.tree.node(at: path)?.flipped else {
                throw Refusal("Only a boolean can be flipped.")
            }
            guard let whole = values[path.key] ?? suite.shownValue(forKey: path.key) else { continue }
            values[path.key] = try whole.replacing(at: path.inside, with: new)
        }
        return try write(values, of: suite.id)
    }
}

// Marks stay on what was marked.
extension SuiteModel {
    /// What a mark stands on, what its key held, and how long the arrays are that it lies in.
    struct MarkedPlace {
        let path: ValuePath
        let node: ValueNode?
        let whole: ValueNode?
        let lengths: [Int]
    }

    /// The marked rows of keys that are about to change.
    func markedPlaces(of keys: Set<String>) -> [MarkedPlace] {
        marked.filter { keys.contains($0.key) }.map { path in
            MarkedPlace(
                path: path,
                node: tree.node(at: path),
                whole: tree.node(at: [.key(path.key)]),
                lengths: lengths(above: path)
            )
        }
    }

    /// Has the marks follow elements to where they are now, and takes those away of what is gone, and of
    /// elements that are not known to be the ones that were marked.
    mutating func dropMarks(_ places: [MarkedPlace]) {
        let own = ownKeys
        let kept = places.compactMap { place -> ValuePath? in
            let new = tree.node(at: place.path)
            if place.lengths.isEmpty { return new == nil ? nil : place.path }
            if own.contains(place.path.key) {
                let isSame = isInFlight(place.path.key) || new == place.node
                return new != nil && isSame && lengths(above: place.path) == place.lengths ? place.path : nil
            }
            let key = PathStep.key(place.path.key)
            let whole = tree.node(at: [key])
            let now = Following(place.path.inside, from: place.whole, to: whole).below([key])
            return now.isCertain && tree.node(at: now.path) == place.node ? now.path : nil
        }
        marked.subtract(places.map(\.path))
        marked.formUnion(kept)
    }

    private func lengths(above path: ValuePath) -> [Int] {
        path.steps.indices.compactMap { index in
            guard case .index = path.steps[index] else { return nil }
            return tree.node(at: ValuePath(Array(path.steps[..<index])))?.childCount
        }
    }
}
