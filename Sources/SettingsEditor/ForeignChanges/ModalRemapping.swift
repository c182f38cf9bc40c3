import PropertyList

// A draft, a question and a menu stay with their element when another process changes the array that contains it. If
// the element cannot be told with certainty, nothing is written before the user agrees.
extension EditorState {
    /// The keys that modals and work under way are about, by suite.
    var keysUnderWay: [String: Set<String>] {
        var keys: [String: Set<String>] = [:]
        var state = self
        state.followUnderWay { id, path in
            keys[id, default: []].insert(path.key)
            return PathMapping.Target(path)
        }
        return keys
    }

    /// Moves the paths of modals and of work under way after foreign changes.
    ///
    /// - Parameters:
    ///   - mappings: By suite and key.
    ///   - keys: The keys that were under way before. A modal that the event opened has the new paths already.
    mutating func remap(_ mappings: [String: [String: PathMapping]], of keys: [String: Set<String>]) {
        if mappings.isEmpty || keys.isEmpty { return }
        var mappings = mappings
        followUnderWay { id, path in
            // Several paths of one key need its values only once.
            mappings[id]?[path.key]?.read()
            guard keys[id]?.contains(path.key) == true, let mapping = mappings[id]?[path.key] else {
                return PathMapping.Target(path)
            }
            return mapping.target(of: path.inside).below([.key(path.key)])
        }
    }

    private mutating func followUnderWay(_ find: (_ suite: String, ValuePath) -> PathMapping.Target) {
        modals.updateEach { modal in
            if let id = modal.suite { modal.follow { find(id, $0) } }
        }
        if let id = modals.externalEdit?.suite { modals.externalEdit?.follow { find(id, $0) } }
        if var move = suiteList.pendingMove {
            let suite = move.suite
            let isCertain = move.paths.follow { find(suite, $0) }
            suiteList.pendingMove = isCertain ? move : nil
            if !isCertain { say("Not moved: \(Refusal.unsure)", isProblem: true) }
        }
    }
}

extension Modal {
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping.Target) {
        switch self {
        case .draft(var draft):
            draft.follow(find)
            self = .draft(draft)
        case .naming(var naming):
            naming.follow(find)
            self = .naming(naming)
        case .menu(var menu):
            menu.follow(find)
            self = .menu(menu)
        case .conflict(var conflict):
            conflict.source.follow(find)
            self = .conflict(conflict)
        case .question(let question):
            guard case .editAgain(var edit, let problem) = question.subject else { break }
            edit.follow(find)
            self = .question(Confirmation(text: question.text, subject: .editAgain(edit, problem)))
        case .palette, .path, .help, .search, .history, .comparing, .pending, .choosing, .finding, .details:
            break
        }
    }
}

extension EditSource {
    mutating func follow(_ find: (ValuePath) -> PathMapping.Target) {
        switch self {
        case .draft(var draft):
            draft.follow(find)
            self = .draft(draft)
        case .edited(var edit):
            edit.follow(find)
            self = .edited(edit)
        }
    }

    var isUnsure: Bool {
        get {
            switch self {
            case .draft(let draft): draft.isUnsure
            case .edited(let edit): edit.isUnsure
            }
        }
        set {
            switch self {
            case .draft(var draft):
                draft.isUnsure = newValue
                self = .draft(draft)
            case .edited(var edit):
                edit.isUnsure = newValue
                self = .edited(edit)
            }
        }
    }
}

extension Draft {
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping.Target) {
        guard purpose == .inserting, case .index(let place)? = path.steps.last, var parent = path.parent
        else {
            if !path.follow(find) { isUnsure = true }
            return
        }
        // An inserted element comes after the same element as before.
        var before = parent.appending(.index(place - 1))
        if place > 0, before.follow(find), case .index(let last)? = before.steps.last {
            path = (before.parent ?? []).appending(.index(last + 1))
        } else if parent.follow(find) {
            path = parent.appending(.index(place))
        } else {
            isUnsure = true
        }
    }
}

extension ExternalEdit {
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping.Target) {
        guard case .value(let node, var path) = subject else { return }
        if !path.follow(find) { isUnsure = true }
        subject = .value(node, at: path)
    }
}

extension NamePrompt {
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping.Target) {
        if !path.follow(find) { isUnsure = true }
    }
}

extension Menu {
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping.Target) {
        switch subject {
        case .adding:
            var draft = Draft(suite: suite, path: path, purpose: .inserting, kind: .jsonData, text: "")
            draft.follow(find)
            path = draft.path
            if draft.isUnsure { isUnsure = true }
        case .replacing: if !path.follow(find) { isUnsure = true }
        case .copying(var paths):
            if !paths.follow(find) { isUnsure = true }
            subject = .copying(paths)
            _ = path.follow(find)
        case .moving(var paths):
            if !paths.follow(find) { isUnsure = true }
            subject = .moving(paths)
            _ = path.follow(find)
        }
    }
}

extension ValuePath {
    /// Moves the path. Returns false if the new path is not certain.
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping.Target) -> Bool {
        let place = find(self)
        self = place.path
        return place.isCertain
    }
}

extension [ValuePath] {
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping.Target) -> Bool {
        var isCertain = true
        for index in indices where !self[index].follow(find) { isCertain = false }
        return isCertain
    }
}

extension Refusal {
    /// A foreign change makes it uncertain which element is meant.
    static let unsure = Refusal("another program changed the array, so this might be another element.")
}
