import PropertyList
import SettingsStore

// New keys, elements and suites: a name where one is needed, a type, a value.
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

    /// Where something new goes: into what is open, else beside the row; in an array it has a number.
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
        suiteList.selected = insertSuite(name)
        suiteList.suites[suiteList.selected].madeBehind = former
        suiteList.filter = nil
        display.focus = .keys
        modals.open(.naming(NamePrompt(subject: .key(suite: name, parent: []))))
        return [.load(name)]
    }

    /// Puts a suite into the list that is not there yet, and returns its index. It is to be loaded.
    mutating func insertSuite(_ name: String) -> Int {
        var suite = SuiteModel(id: name, title: name, secrets: suiteList.secretsOfGone[name] ?? Secrets())
        suite.presence = .new
        suite.contents = .loading
        let index = suiteList.suites.firstIndex { $0.title > name } ?? suiteList.suites.count
        suiteList.suites.insert(suite, at: index)
        if index <= suiteList.selected, suiteList.suites.count > 1 { suiteList.selected += 1 }
        return index
    }

    /// The suite's index, if the name can be given to something new there.
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
