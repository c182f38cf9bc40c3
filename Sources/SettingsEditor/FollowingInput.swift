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
                values[id, default: [:]][path.key] = .some(suites[index].tree.valueThere(forKey: path.key))
            }
            return Following(path)
        }
        return values
    }

    /// Follows the places of what is under way to where they are now.
    mutating func follow(from former: [String: [String: PropertyListValue?]]) {
        var changed: [String: [String: (old: ValueNode?, new: ValueNode?)]] = [:]
        for (id, values) in former {
            guard let index = suiteIndex(id) else { continue }
            for (key, old) in values {
                let new = suites[index].tree.valueThere(forKey: key)
                if old != new {
                    changed[id, default: [:]][key] = (old.map(ValueNode.init), new.map(ValueNode.init))
                }
            }
        }
        if changed.isEmpty { return }
        followUnderWay { id, path in
            guard let (old, new) = changed[id]?[path.key] else { return Following(path) }
            return Following(path.inside, from: old, to: new).below([.key(path.key)])
        }
        guard case .question(let question)? = input, case .delete(let id, let places) = question.subject,
            !places.contains(where: \.isUnsure), let index = suiteIndex(id)
        else { return }
        // It names the places.
        input = .question(self.question(deleting: places, of: suites[index]))
    }

    private mutating func followUnderWay(_ find: (_ suite: String, ValuePath) -> Following) {
        if let id = input?.suite { input?.follow { find(id, $0) } }
        if let id = outsideEdit?.suite { outsideEdit?.follow { find(id, $0) } }
        if var move = waitingMove {
            let suite = move.suite
            let isCertain = move.paths.follow { find(suite, $0) }
            waitingMove = isCertain ? move : nil
            if !isCertain { say("Not moved: \(Refusal.unsure)", isProblem: true) }
        }
    }
}

extension EditorInput {
    fileprivate mutating func follow(_ find: (ValuePath) -> Following) {
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
            self = .question(Question(text: question.text, subject: question.subject.followed(find)))
        case .palette(let palette):
            guard var beneath = palette.beneath else { return }
            beneath.follow(find)
            self = .palette(palette.above(beneath))
        case .help(var screen):
            screen.beneath?.follow(find)
            self = .help(screen)
        case .search, .history, .pending, .choosingLevel, .finding, .choosingOnly: break
        }
    }
}

extension Question.Subject {
    fileprivate func followed(_ find: (ValuePath) -> Following) -> Question.Subject {
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
        case .invalid(var draft):
            draft.follow(find)
            return .invalid(draft)
        case .editAgain(var edit, let problem):
            edit.follow(find)
            return .editAgain(edit, problem)
        case .undeclared(let change, var former):
            former?.follow(find)
            return .undeclared(change, from: former)
        case .replaceOvertaken, .quit, .goBack, .recover, .forgetLost, .deleteSuite, .removePart,
            .putIn, .putBack:
            return self
        }
    }
}

extension EditSource {
    mutating func follow(_ find: (ValuePath) -> Following) {
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
    fileprivate mutating func follow(_ find: (ValuePath) -> Following) {
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

extension OutsideEdit {
    fileprivate mutating func follow(_ find: (ValuePath) -> Following) {
        guard case .value(let node, var path) = subject else { return }
        if !path.follow(find) { isUnsure = true }
        subject = .value(node, at: path)
    }
}

extension Naming {
    fileprivate mutating func follow(_ find: (ValuePath) -> Following) {
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
    fileprivate mutating func follow(_ find: (ValuePath) -> Following) {
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
    fileprivate mutating func follow(_ find: (ValuePath) -> Following) -> Bool {
        let place = find(self)
        self = place.path
        return place.isCertain
    }
}

extension [ValuePath] {
    fileprivate mutating func follow(_ find: (ValuePath) -> Following) -> Bool {
        var isCertain = true
        for index in indices where !self[index].follow(find) { isCertain = false }
        return isCertain
    }
}

extension Refusal {
    /// Others have changed an array so that nobody can say which element is meant.
    static let unsure = Refusal("others have changed the array; which element it was can't be told any more.")
}
