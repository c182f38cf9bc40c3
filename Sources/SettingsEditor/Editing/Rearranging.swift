import PropertyList

// Renaming, duplicating and moving values.
extension EditorState {
    func renaming(_ row: Row) throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        if suite.ground(at: row.path) == nil {
            throw Refusal("No value is stored. The row shows the default.")
        }
        if row.path.endsWithIndex { throw Refusal("The elements of an array have numbers, not names.") }
        let line = LineEditor(row.name)
        return .open(.naming(NamePrompt(subject: .rename, suite: suite.id, path: row.path, line: line)))
    }

    /// Inserts a copy after an element. The copy of a key needs a name first.
    func duplicating(_ row: Row) throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        let parent = row.path.parent ?? []
        if case .index(let place)? = row.path.steps.last {
            let path = parent.appending(.index(place + 1))
            return .write(try suite.putting(row.node.newValue, at: path, inserting: true))
        }
        return .open(
            .naming(
                NamePrompt(
                    subject: .value(row.node.newValue),
                    suite: suite.id,
                    path: parent,
                    line: LineEditor(suite.freeName(row.name, in: parent)),
                    isHidden: suite.hides(row.path.key)
                )
            )
        )
    }

    /// Moves an element up or down in its array.
    func movingElement(_ row: Row, up: Bool) throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        return .write(try suite.moving(row, up: up, times: keyInput.count ?? 1))
    }
}

// Moving values to another suite.
extension EditorState {
    /// The menu of the suites that values can move to.
    func movingToSuite(_ paths: [ValuePath]) throws -> Outcome {
        guard let suite, let first = paths.first else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        let targets = suiteList.suites.filter { $0.id != suite.id && $0.presence == .listed }
        guard !targets.isEmpty else {
            throw Refusal(
                !hasSuitesPane
                    ? "You opened only this file. Press O to open a folder or another file."
                    : "There is no other suite."
            )
        }
        let what = paths.count == 1 ? "“\(first.lastName)”" : "\(paths.count) rows"
        let menu = Menu(
            suite: suite.id,
            path: selectedRow?.path ?? first,
            title: "Move \(what) to",
            subject: .moving(paths),
            items: targets.map {
                let problem = $0.contents == .loaded ? refusal(forWritingTo: $0) : nil
                return Menu.Item(text: $0.title, detail: problem?.description ?? "", choice: .suite($0.id))
            }
        )
        return .open(.menu(menu))
    }

    /// Stores the values as keys of another suite, and then deletes them here.
    ///
    /// A suite that was not read yet is read first, because its declarations matter.
    ///
    /// - Parameters:
    ///   - name: The key of the only value. Nil: each value keeps its name.
    ///   - replaces: Whether the user agreed to replace existing values.
    mutating func move(
        _ paths: [ValuePath],
        of id: String,
        to target: String,
        as name: String? = nil,
        replaces: Bool = false
    ) throws -> [Effect] {
        guard let source = suiteIndex(id), let index = suiteIndex(target) else {
            throw Refusal("The suite is gone.")
        }
        if suiteList.suites[index].contents != .loaded {
            suiteList.pendingMove = PendingMove(paths: paths, suite: id, target: target, name: name)
            return suiteList.load(target)
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
            if !replaces, suiteList.suites[index].value(forKey: name) != nil {
                chooseOverExisting(name, paths, of: id, to: target)
                return []
            }
            if suiteList.suites[source].hides(path.key) { suiteList.suites[index].keepSecret(name) }
            values[name] = try Clip(name: name, content: node.content).newValue(inJSON: false).asWhole
        }
        guard let added = suiteList.suites[index].part(values),
            let removed = suiteList.suites[source].part(try suiteList.suites[source].removing(paths))
        else { return [] }
        let effects = try write([added, removed], isMove: true)
        suiteList.suites[source].multiSelection = []
        let what = paths.count == 1 ? "“\(paths[0].lastName)”" : "\(paths.count) rows"
        say("Moved \(what) to “\(suiteList.suites[index].title)”. Press u to undo.")
        return effects
    }
}

extension EditorState {
    /// Asks whether a moved value replaces the one that the other suite has under this name.
    private mutating func chooseOverExisting(
        _ name: String,
        _ paths: [ValuePath],
        of id: String,
        to target: String
    ) {
        guard let source = suiteIndex(id), let index = suiteIndex(target) else { return }
        let title = suiteList.suites[index].title
        let old = summary(
            suiteList.suites[index].value(forKey: name).map(ValueNode.init),
            of: name,
            in: target
        )
        let new = summary(suiteList.suites[source].outline.node(at: paths[0]), of: paths[0].key, in: id)
        var items = [
            Menu.Item(
                text: "replace",
                detail: paths.count == 1 ? "\(old) → \(new)" : "all existing keys",
                choice: .replace(suite: target)
            )
        ]
        if paths.count == 1 {
            let free = suiteList.suites[index].freeName(name, in: [])
            items.append(
                Menu.Item(text: "another name", detail: "“\(free)”", choice: .rename(suite: target, as: free))
            )
        }
        modals.open(
            .menu(
                Menu(
                    suite: id,
                    path: selectedRow?.path ?? paths[0],
                    title: "“\(title)” already has “\(name)”",
                    subject: .moving(paths),
                    items: items
                )
            )
        )
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
