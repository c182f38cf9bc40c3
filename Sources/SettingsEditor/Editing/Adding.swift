import PropertyList
import SettingsStore

// Adding keys, elements and suites: first a name if one is needed, then a type, then a value.
extension EditorState {
    mutating func beginAdding() throws -> [Effect] {
        guard let suite else {
            if options.isSingle { return [] }
            return try beginSuite()
        }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        let place = newPlace(in: suite)
        if let index = place.index {
            chooseType(of: place.parent.appending(.index(index)), in: suite)
        } else {
            modals.open(.naming(NamePrompt(subject: .key(suite: suite.id, parent: place.parent))))
        }
        return []
    }

    /// Where a new value goes: into the expanded row, or else beside it. In an array it gets an index.
    func newPlace(in suite: SuiteModel) -> (parent: ValuePath, index: Int?) {
        guard let row = suite.outline.selectedRow else { return ([], nil) }
        let parent = row.isOpen ? row.path : row.path.parent ?? []
        guard let container = parent.steps.isEmpty ? nil : suite.outline.node(at: parent),
            container.holdsElements
        else { return (parent, nil) }
        if !row.isOpen, case .index(let index)? = row.path.steps.last { return (parent, index + 1) }
        return (parent, container.childCount)
    }

    mutating func beginSuite() throws -> [Effect] {
        if let refusal = refusalOfMaking { throw refusal }
        modals.open(.naming(NamePrompt(subject: .suite)))
        return []
    }

    fileprivate mutating func makeSuite(_ text: String) throws -> [Effect] {
        let name = try SuiteName(text).rawValue
        if suiteIndex(name) != nil { throw Refusal("A suite “\(name)” already exists.") }
        let former = suite?.id
        suiteList.selected = suiteList.insert(name)
        suiteList.suites[suiteList.selected].madeBehind = former
        suiteList.filter = nil
        display.focus = .keys
        modals.open(.naming(NamePrompt(subject: .key(suite: name, parent: []))))
        return [.load(name)]
    }

    /// The suite's index, if a new key there can have this name.
    fileprivate func checkName(_ name: String, in parent: ValuePath, of id: String) throws -> Int {
        guard let index = suiteIndex(id) else { throw Refusal("“\(id)” is gone.") }
        if name.isEmpty { throw Refusal("Type a name.") }
        let path = parent.appending(.key(name))
        if !parent.steps.isEmpty, suiteList.suites[index].outline.node(at: parent)?.isContainer != true {
            throw Refusal("The row to add to was deleted.")
        }
        if suiteList.suites[index].holds(path) { throw Refusal("“\(name)” already exists.") }
        return index
    }

    fileprivate mutating func chooseType(of path: ValuePath, in suite: SuiteModel) {
        let parent = path.parent.flatMap { $0.steps.isEmpty ? nil : suite.outline.node(at: $0) }
        let kinds = parent?.json == nil ? ValueKind.ofPropertyLists : ValueKind.ofJSON
        modals.open(
            .menu(
                Menu(
                    suite: suite.id,
                    path: path,
                    title: "Type of “\(path.lastName)”",
                    subject: .adding,
                    items: kinds.map { Menu.Item(text: $0.name, choice: .kind($0)) }
                )
            )
        )
    }
}

extension NamePrompt: Component {
    func mode(in state: EditorState) -> Mode { .naming }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        switch command {
        case .cancel: state.modals.closeAll()
        case .confirm where isUnsure:
            var naming = self
            naming.isUnsure = false
            naming.problem = "Not written: \(Refusal.unsure) Press Enter to write anyway."
            state.modals.replaceTop(.naming(naming))
        case .confirm:
            do {
                switch subject {
                case .suite: return try state.makeSuite(line.text)
                case .copy(let suite, let isRename):
                    return try state.copySuite(suite, to: line.text, isRename: isRename)
                case .key(let suite, let parent):
                    let index = try state.checkName(line.text, in: parent, of: suite)
                    state.chooseType(of: parent.appending(.key(line.text)), in: state.suiteList.suites[index])
                case .value(let suite, let parent, let value):
                    _ = try state.checkName(line.text, in: parent, of: suite)
                    let path = parent.appending(.key(line.text))
                    if isHidden, let index = state.suiteIndex(suite) {
                        state.suiteList.suites[index].keepSecret(path.key)
                    }
                    let effects = try state.put(value, at: path, of: suite, inserting: true)
                    state.modals.closeAll()
                    return effects
                case .rename(let suite, let path):
                    return try state.rename(path, of: suite, to: line.text)
                case .move(let path, let suite, let target):
                    _ = try state.checkName(line.text, in: [], of: target)
                    let effects = try state.move([path], of: suite, to: target, as: line.text)
                    state.modals.closeAll()
                    return effects
                }
            } catch let error as SchemaViolation {
                state.ask(about: error)
            } catch {
                var naming = self
                naming.problem = reason(of: error)
                state.modals.replaceTop(.naming(naming))
            }
        default: _ = state.typeInLine(command)
        }
        return []
    }
}
