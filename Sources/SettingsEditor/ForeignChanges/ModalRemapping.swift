import PropertyList

// What is typed, asked and chosen stays with its element when others change the array that it is in; where it can't
// be told which one that is, nothing is written unasked.
extension EditorState {
    /// What the keys hold that something under way is about, by suite.
    func valuesUnderWay() -> [String: [String: PropertyListValue?]] {
        var values: [String: [String: PropertyListValue?]] = [:]
        var state = self
        state.followUnderWay { id, path in
            if let index = suiteIndex(id) {
                values[id, default: [:]][path.key] = .some(
                    suiteList.suites[index].outline.valueThere(forKey: path.key)
                )
            }
            return PathMapping(path)
        }
        return values
    }

    /// Follows the places of what is under way to where they are now.
    mutating func follow(from former: [String: [String: PropertyListValue?]]) {
        var changed: [String: [String: (old: ValueNode?, new: ValueNode?)]] = [:]
        for (id, values) in former {
            guard let index = suiteIndex(id) else { continue }
            for (key, old) in values {
                let new = suiteList.suites[index].outline.valueThere(forKey: key)
                if old != new {
                    changed[id, default: [:]][key] = (old.map(ValueNode.init), new.map(ValueNode.init))
                }
            }
        }
        if changed.isEmpty { return }
        followUnderWay { id, path in
            guard let (old, new) = changed[id]?[path.key] else { return PathMapping(path) }
            return PathMapping(path.inside, from: old, to: new).below([.key(path.key)])
        }
        guard case .question(let question)? = modal, case .delete(let id, let places) = question.subject,
            !places.contains(where: \.isUnsure), let index = suiteIndex(id)
        else { return }
        // It names the places.
        modals.replaceTop(.question(self.question(deleting: places, of: suiteList.suites[index])))
    }

    private mutating func followUnderWay(_ find: (_ suite: String, ValuePath) -> PathMapping) {
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
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping) {
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
            self = .question(Confirmation(text: question.text, subject: question.subject.followed(find)))
        case .palette, .help, .search, .history, .pending, .choosingLevel, .finding, .choosingOnly: break
        }
    }
}

extension Confirmation.Subject {
    fileprivate func followed(_ find: (ValuePath) -> PathMapping) -> Confirmation.Subject {
        switch self {
        case .delete(let suite, let places):
            return .delete(
                suite: suite,
                places.map { place in
                    var place = place
                    if !place.path.follow(find) { place.isUnsure = true }
                    return place
                }
            )
        case .editAgain(var edit, let problem):
            edit.follow(find)
            return .editAgain(edit, problem)
        case .undeclared, .invalid, .replaceOvertaken, .quit, .goBack, .recover, .forgetLost, .deleteSuite,
            .removePart,
            .putIn:
            return self
        }
    }
}

extension EditSource {
    mutating func follow(_ find: (ValuePath) -> PathMapping) {
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
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping) {
        guard purpose == .inserting, case .index(let place)? = path.steps.last, var parent = path.parent
        else {
            if !path.follow(find) { isUnsure = true }
            return
        }
        // What is put in stands behind the element that it was to stand behind.
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
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping) {
        guard case .value(let node, var path) = subject else { return }
        if !path.follow(find) { isUnsure = true }
        subject = .value(node, at: path)
    }
}

extension NamePrompt {
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping) {
        switch subject {
        case .suite, .copy: break
        case .key(let suite, var parent):
            if !parent.follow(find) { isUnsure = true }
            subject = .key(suite: suite, parent: parent)
        case .value(let suite, var parent, let value):
            if !parent.follow(find) { isUnsure = true }
            subject = .value(suite: suite, parent: parent, value)
        case .rename(let suite, var path):
            if !path.follow(find) { isUnsure = true }
            subject = .rename(suite: suite, path)
        case .move(var path, let suite, let target):
            if !path.follow(find) { isUnsure = true }
            subject = .move(path, of: suite, to: target)
        }
    }
}

extension Menu {
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping) {
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
    /// Whether it is known where it is.
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping) -> Bool {
        let place = find(self)
        self = place.path
        return place.isCertain
    }
}

extension [ValuePath] {
    fileprivate mutating func follow(_ find: (ValuePath) -> PathMapping) -> Bool {
        var isCertain = true
        for index in indices where !self[index].follow(find) { isCertain = false }
        return isCertain
    }
}

extension Refusal {
    /// Others have changed an array so that nobody can say which element is meant.
    static let unsure = Refusal("another program changed the array, so this might be another element.")
}
