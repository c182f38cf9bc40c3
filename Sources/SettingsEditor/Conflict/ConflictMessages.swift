import PropertyList
import ValueDiff

// All sentences about values that other programs have changed: reports, and the questions of a conflict.
extension EditorState {
    /// Says what changed, for example `“json/a” has changed since: 55 → 66.`
    func changedSince(_ conflicts: [ThreeWayMerge.Conflict], of key: String, in suite: String) -> String {
        guard let conflict = conflicts.first, !hides(key, of: suite) else {
            return "“\(key)” has changed since."
        }
        let (place, text) = firstChange(conflict, key)
        return "“\(place)” has changed since: \(text)\(more(conflicts))."
    }

    /// Asks whether to restore an old value although the key has changed since.
    func questionAboutGoingBack(_ conflicts: [ThreeWayMerge.Conflict], of key: String, in suite: String)
        -> String
    {
        guard let conflict = conflicts.first else { return "" }
        if conflict.isTooMuch {
            return "“\(key)” has changed since, in too many places to go back in some: "
                + (conflict.mine == nil ? "delete all of it?" : "put all of it back as it was?")
        }
        let name = key + (hides(key, of: suite) ? "" : conflict.path.description)
        let (place, text) = firstChange(conflict, key)
        guard place == name || hides(key, of: suite) else {
            return "“\(place)” has changed since: \(text)\(more(conflicts)). "
                + (conflict.mine == nil ? "Delete all of “\(name)”?" : "Put all of “\(name)” back as it was?")
        }
        let now = summary(conflict.theirs, of: key, in: suite)
        let back = conflict.mine.map { "put \(summary($0, of: key, in: suite)) back" } ?? "delete it"
        return "“\(name)” holds \(now) now\(more(conflicts)): \(back)?"
    }

    /// Asks whether a pending change may overwrite the stored value.
    func questionAboutReplacing(_ conflicts: [ThreeWayMerge.Conflict], of key: String, in suite: String)
        -> String
    {
        guard let conflict = conflicts.first else { return "" }
        if conflict.isTooMuch {
            return "Too many places of “\(key)” have changed to be written one by one: "
                + "is yours to replace all that \(kind.name) holds there, others' changes too?"
        }
        let name = key + (hides(key, of: suite) ? "" : conflict.path.description)
        let now = summary(conflict.theirs, of: key, in: suite)
        let mine = summary(conflict.mine, of: key, in: suite)
        return
            "\(kind.nameAtStart) holds \(now) for “\(name)” now\(more(conflicts)): is \(mine) to replace it?"
    }

    /// The path inside the conflict that changed, and the change.
    private func firstChange(_ conflict: ThreeWayMerge.Conflict, _ key: String) -> (
        place: String, text: String
    ) {
        let words = ChangeSummary(conflict.base, conflict.theirs, format)
        guard let place = words.first(below: [])?.place else { return ("\(key)\(conflict.path)", "") }
        return ("\(key)\(conflict.path)\(place.path)", place.text)
    }

    private func more(_ conflicts: [ThreeWayMerge.Conflict]) -> String {
        switch conflicts.count {
        case ...1: ""
        case 2: ", and 1 more place has changed"
        default: ", and \(conflicts.count - 1) more places have changed"
        }
    }
}

extension Conflict {
    /// The question that the user has to answer.
    func question(_ state: EditorState) -> String {
        (isAskedAgain ? "It has changed once more. " : "")
            + (isUnsure || source.isUnsure
                ? "Which element this was can't be told any more; this is \(path). " : "")
            + state.renewed(self).firstQuestion(state)
    }

    private func firstQuestion(_ state: EditorState) -> String {
        let lost = state.suiteIndex(suite).flatMap {
            state.suiteList.suites[$0].isLost ? state.suiteList.suites[$0].lost : nil
        }
        if whole != nil {
            if lost != nil { return state.kind.questionAboutWritingAgain(nil, of: suite) + "?" }
            let names = Set((base?.names ?? []) + (holding?.names ?? [])).sorted()
            let rest = names.count > 1 ? " and \(names.count - 1) more" : ""
            let what =
                holding?.names.isEmpty == true
                ? "gone from \(state.kind.name)" : "changed \(state.kind.inside) meanwhile"
            return "“\(names.first ?? "")”\(rest) \(what): write yours?"
        }
        func summary(_ node: ValueNode) -> String { state.summary(node, of: path.key, in: suite) }
        if let lost {
            let keys = state.counted(lost.count)
            return state.kind.questionAboutWritingAgain(keys, of: suite)
                + ", “\(path.lastName)” with \(summary(new.node))?"
        }
        guard let holding else {
            return
                "“\(path.lastName)” is gone from \(state.kind.name): put it back with \(summary(new.node))?"
        }
        let now = ValueKind(of: holding)
        let mine = ValueKind(of: base ?? new.node)
        let type = now == mine ? "" : "\(now.nameInSentence), "
        let words =
            state.display.comparison?.words(of: self) ?? ChangeSummary(holding, new.node, state.format)
        if state.hides(path.key, of: suite) {
            let secret =
                holding == new.node
                ? "the same secret as you have typed"
                : holding == base
                    ? "the secret that was there before" : "a new secret, another one than yours"
            return "\(state.kind.nameAtStart) holds \(secret) (v shows both): overwrite it with yours?"
        }
        guard let (place, more) = words.first(below: []) else {
            return "\(state.kind.nameAtStart) holds \(type)\(summary(holding)) now: "
                + "overwrite with \(summary(new.node))?"
        }
        if place.path.steps.isEmpty {
            return "\(state.kind.nameAtStart) holds \(type)\(place.old) now: overwrite with \(place.new)?"
        }
        let rest = more == 0 ? "" : ", and \(more == 1 ? "1 more place differs" : "\(more) more differ")"
        return
            "At \(place.path) \(state.kind.name) holds \(place.old), yours \(place.new)\(rest): overwrite with yours?"
    }
}
