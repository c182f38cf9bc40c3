import PropertyList
import SettingsStore

// New keys, elements and suites: a name where one is needed, a type, a value.
extension EditorState {
    mutating func beginAdding() throws -> [EditorEffect] {
        guard let suite else {
            if options.isSingle { return [] }
            return try beginSuite()
        }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        guard let row = suite.tree.selectedRow else {
            input = .naming(Naming(subject: .key(suite: suite.id, parent: [])))
            return []
        }
        let isInside = row.isOpen
        let parent = isInside ? row.path : row.path.parent ?? []
        let container = parent.steps.isEmpty ? nil : suite.tree.node(at: parent)
        if let container, container.holdsElements {
            var place = container.childCount
            if !isInside, case .index(let index)? = row.path.steps.last { place = index + 1 }
            chooseType(of: parent.appending(.index(place)), in: suite)
        } else {
            input = .naming(Naming(subject: .key(suite: suite.id, parent: parent)))
        }
        return []
    }

    mutating func beginSuite() throws -> [EditorEffect] {
        if let reason = options.readOnlyReason { throw Refusal("Read-only: \(reason)") }
        input = .naming(Naming(subject: .suite))
        return []
    }

    mutating func type(_ action: EditorAction, in naming: Naming) -> [EditorEffect] {
        switch action {
        case .cancel: input = nil
        case .confirm:
            do {
                switch naming.subject {
                case .suite: return try makeSuite(naming.line.text)
                case .key(let suite, let parent): try nameKey(naming.line.text, in: parent, of: suite)
                }
            } catch {
                var naming = naming
                naming.problem = reason(of: error)
                input = .naming(naming)
            }
        default: _ = typeInLine(action)
        }
        return []
    }

    private mutating func makeSuite(_ text: String) throws -> [EditorEffect] {
        let name = try SuiteName(text).rawValue
        if suiteIndex(name) != nil { throw Refusal("There is a suite “\(name)” already.") }
        var suite = SuiteModel(id: name, title: name)
        suite.presence = .new
        suite.contents = .loading
        selectedSuite = suites.firstIndex { $0.title > name } ?? suites.count
        suites.insert(suite, at: selectedSuite)
        suiteFilter = nil
        focus = .keys
        input = .naming(Naming(subject: .key(suite: name, parent: [])))
        return [.load(name)]
    }

    private mutating func nameKey(_ name: String, in parent: ValuePath, of id: String) throws {
        guard let index = suiteIndex(id) else { throw Refusal("“\(id)” is gone.") }
        if name.isEmpty { throw Refusal("A name is needed.") }
        let path = parent.appending(.key(name))
        if !parent.steps.isEmpty, suites[index].tree.node(at: parent)?.isContainer != true {
            throw Refusal("What it was to be added to is gone.")
        }
        if suites[index].tree.node(at: path) != nil { throw Refusal("“\(name)” is there already.") }
        chooseType(of: path, in: suites[index])
    }

    private mutating func chooseType(of path: ValuePath, in suite: SuiteModel) {
        let parent = path.parent.flatMap { $0.steps.isEmpty ? nil : suite.tree.node(at: $0) }
        input = .choosingType(
            TypeMenu(
                suite: suite.id,
                path: path,
                purpose: .inserting,
                kinds: parent?.json == nil ? ValueKind.ofPropertyLists : ValueKind.ofJSON
            )
        )
    }

    mutating func choose(_ action: EditorAction, in menu: TypeMenu) -> [EditorEffect] {
        var menu = menu
        switch action {
        case .cancel: input = nil
        case .move(let movement):
            menu.selected = movement.target(from: menu.selected, count: menu.kinds.count, page: 5)
            input = .choosingType(menu)
        case .choose(let number) where 1...menu.kinds.count ~= number:
            return take(menu.kinds[number - 1], of: menu)
        case .confirm: return take(menu.kinds[menu.selected], of: menu)
        default: break
        }
        return []
    }

    private mutating func take(_ kind: ValueKind, of menu: TypeMenu) -> [EditorEffect] {
        var draft = Draft(
            suite: menu.suite,
            path: menu.path,
            purpose: menu.purpose,
            kind: kind,
            text: kind.firstText
        )
        // What it replaces is of another type, so that any text is new.
        draft.original = nil
        guard let value = kind.onlyValue else {
            input = .draft(draft)
            return []
        }
        input = nil
        return attempt { state throws in
            let inserting = menu.purpose == .inserting
            return try state.put(value, at: menu.path, of: menu.suite, inserting: inserting)
        }
    }
}

extension ValueNode {
    /// Whether its children have numbers.
    var holdsElements: Bool {
        if let json { return json.kind == .array }
        guard case .propertyList(.array) = content else { return false }
        return true
    }
}
