import PropertyList
import SettingsStore

// Adding keys, elements and suites: first a name if one is needed, then a type, then a value.
extension EditorState {
    /// Opens the prompt for the name of a new value, or in an array the menu of types.
    ///
    /// - Parameter isInside: Whether the new value goes into the selected container, and not beside the selected row.
    func adding(isInside: Bool) throws -> Outcome {
        guard let suite else { return hasSuitesPane ? try addingSuite() : .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        if isInside, let row = suite.outline.selectedRow { try suite.checkHolding(row) }
        let place = suite.newPlace(isInside: isInside)
        if let index = place.index {
            return .open(suite.firstStep(for: place.parent.appending(.index(index))))
        }
        return .open(.naming(NamePrompt(subject: .key, suite: suite.id, path: place.parent)))
    }

    func addingSuite() throws -> Outcome {
        if place.isFile { throw Refusal("\(place.title) is one file. Select a folder for a new suite.") }
        if let refusal = refusalOfMaking { throw refusal }
        return .open(.naming(NamePrompt(subject: .suite)))
    }
}

extension SuiteModel {
    /// - Throws: Why nothing can be added inside a row.
    fileprivate func checkHolding(_ row: Row) throws {
        if hides(row.path.key) { throw Refusal.secret }
        guard row.node.isContainer else {
            let kind = ValueKind(of: row.node).nameInSentence
            throw Refusal("“\(row.name)” is \(kind) and has no elements. Press a to add beside it.")
        }
    }

    /// The place for a new value: beside the selected row, or inside it. In an array it has an index.
    func newPlace(isInside: Bool) -> (parent: ValuePath, index: Int?) {
        guard let row = outline.selectedRow else { return ([], nil) }
        let parent = isInside ? row.path : row.path.parent ?? []
        guard let container = parent.steps.isEmpty ? nil : outline.node(at: parent), container.holdsElements
        else { return (parent, nil) }
        if !isInside, case .index(let index)? = row.path.steps.last { return (parent, index + 1) }
        return (parent, container.childCount)
    }

    /// - Throws: Why a new value cannot have this name.
    fileprivate func checkName(_ name: String, in parent: ValuePath) throws {
        if name.isEmpty { throw Refusal("Type a name.") }
        if !parent.steps.isEmpty, outline.node(at: parent)?.isContainer != true {
            throw Refusal("The row to add to was deleted.")
        }
        if holds(parent.appending(.key(name))) { throw Refusal("“\(name)” already exists.") }
    }

    /// An unused name that is as similar as possible.
    func freeName(_ name: String, in parent: ValuePath) -> String {
        SettingsEditor.freeName(name) { holds(parent.appending(.key($0))) }
    }

    /// Begins a new value with a known path: the menu of types, or a draft if a declaration tells the type.
    fileprivate func firstStep(for path: ValuePath) -> Modal {
        let menu = typeMenu(for: path)
        guard let kind = declaredKind(ofChildAt: path), kind.onlyValue == nil else { return .menu(menu) }
        return .draft(menu.draft(of: kind, isHidden: hides(path.key)))
    }

    /// The menu of types for a new value.
    private func typeMenu(for path: ValuePath) -> Menu {
        let parent = path.parent.flatMap { $0.steps.isEmpty ? nil : outline.node(at: $0) }
        let kinds = parent?.json == nil ? kindsOfValues : ValueKind.ofJSON
        return Menu(
            suite: id,
            path: path,
            title: path.endsWithIndex
                ? "A new element of “\(path.parent?.lastName ?? "")”" : "Type of “\(path.lastName)”",
            subject: .adding,
            items: kinds.map { Menu.Item(text: $0.name, choice: .kind($0)) }
        )
    }
}

/// The name, or the name with “copy” and a number if it is taken.
func freeName(_ name: String, isTaken: (String) -> Bool) -> String {
    if !isTaken(name) { return name }
    if !isTaken(name + " copy") { return name + " copy" }
    return (2...).lazy.map { "\(name) copy \($0)" }.first { !isTaken($0) } ?? name
}

extension NamePrompt: Component {
    var keyMode: Mode { .naming }

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
                return try confirm(in: &state)
            } catch let error as SchemaViolation {
                state.modals.push(.question(error.question))
            } catch {
                var naming = self
                naming.problem = reason(of: error)
                state.modals.replaceTop(.naming(naming))
            }
        default: _ = state.typeInLine(command)
        }
        return []
    }

    /// - Throws: Why the name is refused.
    private func confirm(in state: inout EditorState) throws -> [Effect] {
        let effects: [Effect]
        switch subject {
        case .suite: return try makeSuite(in: &state)
        case .copy(let isRename):
            return try state.copySuite(suite, to: line.text, isRename: isRename)
        case .key:
            let suite = try state.existingSuite(suite)
            try suite.checkName(line.text, in: path)
            state.modals.open(suite.firstStep(for: path.appending(.key(line.text))))
            return []
        case .value(let value):
            let suite = try state.existingSuite(suite)
            try suite.checkName(line.text, in: path)
            let path = path.appending(.key(line.text))
            var edit = try suite.putting(value, at: path, inserting: true)
            if isHidden { edit.secrets = [path.key] }
            effects = try state.write(edit)
        case .rename:
            let edit = try state.existingSuite(suite).renaming(path, to: line.text)
            effects = try edit.map { try state.write($0) } ?? []
        case .move(let target):
            try state.existingSuite(target).checkName(line.text, in: [])
            effects = try state.move([path], of: suite, to: target, as: line.text)
        }
        state.modals.closeAll()
        return effects
    }

    private func makeSuite(in state: inout EditorState) throws -> [Effect] {
        let name = try SuiteName(line.text).rawValue
        let id = state.place.suiteID(name)
        if state.suiteIndex(id) != nil { throw Refusal("A suite “\(name)” already exists.") }
        state.suiteList.create(id)
        state.display.focus = .keys
        state.modals.open(.naming(NamePrompt(subject: .key, suite: id)))
        return [.load(id)]
    }
}

extension EditorState {
    /// Expands a new container, and says how to fill it.
    mutating func openNewContainer(at path: ValuePath, of suite: String) {
        guard let index = suiteIndex(suite), let row = suiteList.suites[index].outline.index(of: path) else {
            return
        }
        suiteList.suites[index].outline.open(row)
        let isArray = suiteList.suites[index].outline.node(at: path)?.holdsElements == true
        say("Added “\(path.lastName)”. Press A to add \(isArray ? "an element" : "a member") inside.")
    }
}
