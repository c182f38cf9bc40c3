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
        let place = newPlace(in: suite)
        if let index = place.index {
            chooseType(of: place.parent.appending(.index(index)), in: suite)
        } else {
            input = .naming(Naming(subject: .key(suite: suite.id, parent: place.parent)))
        }
        return []
    }

    /// Where something new goes: into what is open, else beside the row; in an array it has a number.
    func newPlace(in suite: SuiteModel) -> (parent: ValuePath, index: Int?) {
        guard let row = suite.tree.selectedRow else { return ([], nil) }
        let parent = row.isOpen ? row.path : row.path.parent ?? []
        guard let container = parent.steps.isEmpty ? nil : suite.tree.node(at: parent),
            container.holdsElements
        else { return (parent, nil) }
        if !row.isOpen, case .index(let index)? = row.path.steps.last { return (parent, index + 1) }
        return (parent, container.childCount)
    }

    mutating func beginSuite() throws -> [EditorEffect] {
        if let refusal = refusalOfMaking { throw refusal }
        input = .naming(Naming(subject: .suite))
        return []
    }

    mutating func type(_ action: EditorAction, in naming: Naming) -> [EditorEffect] {
        switch action {
        case .cancel: input = nil
        case .confirm where naming.isUnsure:
            var naming = naming
            naming.isUnsure = false
            naming.problem = "Not written: \(Refusal.unsure) Enter writes all the same."
            input = .naming(naming)
        case .confirm:
            do {
                switch naming.subject {
                case .suite: return try makeSuite(naming.line.text)
                case .copy(let suite, let isRename):
                    return try copySuite(suite, to: naming.line.text, isRename: isRename)
                case .key(let suite, let parent):
                    let index = try checkName(naming.line.text, in: parent, of: suite)
                    chooseType(of: parent.appending(.key(naming.line.text)), in: suites[index])
                case .value(let suite, let parent, let value):
                    _ = try checkName(naming.line.text, in: parent, of: suite)
                    let path = parent.appending(.key(naming.line.text))
                    if naming.isHidden, let index = suiteIndex(suite) { suites[index].keepSecret(path.key) }
                    let effects = try put(value, at: path, of: suite, inserting: true)
                    input = nil
                    return effects
                case .rename(let suite, let path):
                    return try rename(path, of: suite, to: naming.line.text)
                case .move(let path, let suite, let target):
                    _ = try checkName(naming.line.text, in: [], of: target)
                    let effects = try move([path], of: suite, to: target, as: naming.line.text)
                    input = nil
                    return effects
                }
            } catch let error as UndeclaredValue {
                ask(about: error)
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
        let former = suite?.id
        selectedSuite = insertSuite(name)
        suites[selectedSuite].madeBehind = former
        suiteFilter = nil
        focus = .keys
        input = .naming(Naming(subject: .key(suite: name, parent: [])))
        return [.load(name)]
    }

    /// Puts a suite into the list that is not there yet, and returns its index. It is to be loaded.
    mutating func insertSuite(_ name: String) -> Int {
        var suite = SuiteModel(id: name, title: name, secrets: secretsOfGone[name] ?? Secrets())
        suite.presence = .new
        suite.contents = .loading
        let index = suites.firstIndex { $0.title > name } ?? suites.count
        suites.insert(suite, at: index)
        if index <= selectedSuite, suites.count > 1 { selectedSuite += 1 }
        return index
    }

    /// The suite's index, if the name can be given to something new there.
    private func checkName(_ name: String, in parent: ValuePath, of id: String) throws -> Int {
        guard let index = suiteIndex(id) else { throw Refusal("“\(id)” is gone.") }
        if name.isEmpty { throw Refusal("A name is needed.") }
        let path = parent.appending(.key(name))
        if !parent.steps.isEmpty, suites[index].tree.node(at: parent)?.isContainer != true {
            throw Refusal("What it was to be added to is gone.")
        }
        if suites[index].holds(path) { throw Refusal("“\(name)” is there already.") }
        return index
    }

    private mutating func chooseType(of path: ValuePath, in suite: SuiteModel) {
        let parent = path.parent.flatMap { $0.steps.isEmpty ? nil : suite.tree.node(at: $0) }
        let kinds = parent?.json == nil ? ValueKind.ofPropertyLists : ValueKind.ofJSON
        input = .menu(
            Menu(
                suite: suite.id,
                path: path,
                title: "Type of “\(path.lastName)”",
                subject: .adding,
                items: kinds.map { Menu.Item(text: $0.name, choice: .kind($0)) }
            )
        )
    }
}
