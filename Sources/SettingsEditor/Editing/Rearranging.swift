import PropertyList

// Renaming, duplicating and moving values.
extension EditorState {
    mutating func beginRenaming(_ row: Row) throws -> [Effect] {
        guard let suite else { return [] }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        if suite.ground(at: row.path) == nil {
            throw Refusal("No value is stored. The row shows the default.")
        }
        if row.path.endsWithIndex { throw Refusal("The elements of an array have numbers, not names.") }
        modals.open(
            .naming(
                NamePrompt(subject: .rename(suite: suite.id, row.path), line: LineEditor(row.name))
            )
        )
        return []
    }

    mutating func rename(_ path: ValuePath, of id: String, to name: String) throws -> [Effect] {
        guard let index = suiteIndex(id), let whole = suiteList.suites[index].ground(at: path),
            suiteList.suites[index].outline.node(at: path) != nil
        else { throw Refusal("“\(path.lastName)” is gone.") }
        if name.isEmpty { throw Refusal("Type a name.") }
        let isUnchanged = name.utf8.elementsEqual(path.lastName.utf8)
        let new = (path.parent ?? []).appending(.key(name))
        if !isUnchanged, name != path.lastName, suiteList.suites[index].holds(new) {
            throw Refusal("“\(name)” already exists.")
        }
        if isUnchanged {
            modals.closeAll()
            return []
        }
        let effects: [Effect]
        if path.steps.count > 1 {
            let renamed = try whole.renaming(at: path.inside, to: name)
            effects = try write([path.key: renamed], of: id, isMove: true)
        } else if name == path.key {
            throw Refusal("Both spellings count as the same name.")
        } else {
            if suiteList.suites[index].hides(path.key) { suiteList.suites[index].keepSecret(name) }
            effects = try write([path.key: nil, name: whole], of: id, isMove: true)
        }
        modals.closeAll()
        suiteList.suites[index].outline.select(new)
        return effects
    }

    /// Duplicates a row beside itself.
    mutating func duplicate(_ row: Row) throws -> [Effect] {
        guard let suite else { return [] }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        let parent = row.path.parent ?? []
        if case .index(let place)? = row.path.steps.last {
            let path = parent.appending(.index(place + 1))
            return try put(row.node.newValue, at: path, of: suite.id, inserting: true)
        }
        modals.open(
            .naming(
                NamePrompt(
                    subject: .value(suite: suite.id, parent: parent, row.node.newValue),
                    line: LineEditor(freeName(row.name, in: parent, of: suite)),
                    isHidden: suite.hides(row.path.key)
                )
            )
        )
        return []
    }

    /// An unused name that is as similar as possible.
    func freeName(_ name: String, in parent: ValuePath, of suite: SuiteModel) -> String {
        func isTaken(_ name: String) -> Bool { suite.holds(parent.appending(.key(name))) }
        if !isTaken(name) { return name }
        if !isTaken(name + " copy") { return name + " copy" }
        return (2...).lazy.map { "\(name) copy \($0)" }.first { !isTaken($0) } ?? name
    }

    /// Exchanges an element with the previous or the next one.
    mutating func moveElement(_ row: Row, up: Bool) throws -> [Effect] {
        guard let suite else { return [] }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        guard case .index(let place)? = row.path.steps.last, let parent = row.path.parent else {
            throw Refusal("Only elements of an array can be moved.")
        }
        let last = (suite.outline.node(at: parent)?.childCount ?? 0) - 1
        let times = min(keyInput.count ?? 1, up ? place : last - place)
        guard times > 0, var whole = suite.ground(at: row.path) else {
            throw Refusal(up ? "It is already the first element." : "It is already the last element.")
        }
        var path = row.path
        for step in 1...times {
            let next = parent.appending(.index(up ? place - step : place + step))
            guard let neighbour = suite.outline.node(at: next) else {
                throw Refusal("“\(row.name)” is gone.")
            }
            whole = try whole.replacing(at: path.inside, with: neighbour.newValue)
            path = next
        }
        whole = try whole.replacing(at: path.inside, with: row.node.newValue)
        let effects = try write([row.path.key: whole], of: suite.id, isMove: true)
        suiteList.suites[suiteList.selected].outline.select(path)
        return effects
    }
}

// Moving values to another suite.
extension EditorState {
    mutating func beginMoving(_ paths: [ValuePath]) throws -> [Effect] {
        guard let suite, let first = paths.first else { return [] }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        let targets = suiteList.suites.filter { $0.id != suite.id && $0.presence == .listed }
        guard !targets.isEmpty else {
            throw Refusal(
                options.isSingle
                    ? "You opened only this suite. Run pdefaults without a name to see all."
                    : "There is no other suite."
            )
        }
        let what = paths.count == 1 ? "“\(first.lastName)”" : "\(paths.count) rows"
        modals.open(
            .menu(
                Menu(
                    suite: suite.id,
                    path: selectedRow?.path ?? first,
                    title: "Move \(what) to",
                    subject: .moving(paths),
                    items: targets.map {
                        let problem = $0.contents == .loaded ? self.refusal(forWritingTo: $0) : nil
                        return Menu.Item(
                            text: $0.title,
                            detail: problem?.description ?? "",
                            choice: .suite($0.id)
                        )
                    }
                )
            )
        )
        return []
    }

    /// Stores the values as keys of another suite, and then deletes them here.
    ///
    /// A suite that was not read yet is read first, because its declarations matter.
    ///
    /// - Parameter name: The key of the only value. Nil: each value keeps its name.
    mutating func move(
        _ paths: [ValuePath],
        of id: String,
        to target: String,
        as name: String? = nil
    ) throws -> [Effect] {
        guard let source = suiteIndex(id), let index = suiteIndex(target) else {
            throw Refusal("The suite is gone.")
        }
        if suiteList.suites[index].contents != .loaded {
            suiteList.pendingMove = PendingMove(paths: paths, suite: id, target: target, name: name)
            guard suiteList.suites[index].contents == .unknown else { return [] }
            suiteList.suites[index].contents = .loading
            return [.load(target)]
        }
        var values: [String: PropertyListValue?] = [:]
        for path in paths {
            guard suiteList.suites[source].holds(path),
                let node = suiteList.suites[source].outline.node(at: path)
            else {
                throw Refusal("Nothing is stored for “\(path.lastName)”.")
            }
            let name = name ?? path.lastName
            guard values[name] == nil else { throw Refusal("Two selected rows have the name “\(name)”.") }
            if suiteList.suites[index].value(forKey: name) != nil {
                throw Refusal("“\(suiteList.suites[index].title)” already has “\(name)”.")
            }
            if suiteList.suites[source].hides(path.key) { suiteList.suites[index].keepSecret(name) }
            values[name] = try Clip(name: name, content: node.content).newValue(inJSON: false).asWhole
        }
        guard let added = try part(values, of: target),
            let removed = try part(try suiteList.suites[source].removing(paths), of: id)
        else { return [] }
        let effects = try write([added, removed], isMove: true)
        suiteList.suites[source].multiSelection = []
        let what = paths.count == 1 ? "“\(paths[0].lastName)”" : "\(paths.count) rows"
        say("Moved \(what) to “\(suiteList.suites[index].title)”. Press u to undo.")
        return effects
    }
}

/// Values that are moved as soon as the target suite is read.
struct PendingMove: Sendable {
    var paths: [ValuePath]
    let suite: String
    let target: String
    let name: String?
}

extension EditorState {
    /// Continues the moves that waited for a suite.
    mutating func moveWaiting() -> [Effect] {
        guard let move = suiteList.pendingMove else { return [] }
        if let index = suiteIndex(move.target), suiteList.suites[index].contents != .loaded { return [] }
        suiteList.pendingMove = nil
        return attempt { state throws in
            try state.move(move.paths, of: move.suite, to: move.target, as: move.name)
        }
    }
}

extension SuiteModel {
    /// The new values of the keys without these paths.
    func removing(_ paths: [ValuePath]) throws -> [String: PropertyListValue?] {
        var values: [String: PropertyListValue?] = [:]
        // From the end, so that the indexes of earlier elements stay valid.
        for path in paths.sorted(by: { $1.comesBefore($0) }) {
            if path.steps.count == 1 {
                values[path.key] = .some(nil)
            } else if let whole = values[path.key] ?? ground(at: path) {
                values[path.key] = try whole.removing(at: path.inside)
            }
        }
        return values
    }
}

extension ValuePath {
    /// The paths in the order of rows, as far as paths alone tell it.
    func comesBefore(_ other: ValuePath) -> Bool {
        for (mine, theirs) in zip(steps, other.steps) where mine != theirs {
            switch (mine, theirs) {
            case (.index(let a), .index(let b)): return a < b
            case (.twin(let a, let number), .twin(let b, let other)) where a == b: return number < other
            default: return (mine.name ?? "") < (theirs.name ?? "")
            }
        }
        return steps.count < other.steps.count
    }
}
