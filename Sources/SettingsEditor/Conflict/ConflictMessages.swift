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
            return "“\(key)” has changed in too many places to restore some of them. "
                + (conflict.mine == nil ? "Delete all of it?" : "Restore all of it?")
        }
        let name = key + (hides(key, of: suite) ? "" : conflict.path.description)
        let (place, text) = firstChange(conflict, key)
        guard place == name || hides(key, of: suite) else {
            return "“\(place)” has changed since: \(text)\(more(conflicts)). "
                + (conflict.mine == nil ? "Delete all of “\(name)”?" : "Restore all of “\(name)”?")
        }
        let now = summary(conflict.theirs, of: key, in: suite)
        let back = conflict.mine.map { "Restore \(summary($0, of: key, in: suite))" } ?? "Delete it"
        return "“\(name)” is now \(now)\(more(conflicts)). \(back)?"
    }

    /// Asks whether a pending change may overwrite the stored value.
    func questionAboutReplacing(_ conflicts: [ThreeWayMerge.Conflict], of key: String, in suite: String)
        -> String
    {
        guard let conflict = conflicts.first else { return "" }
        if conflict.isTooMuch {
            return "“\(key)” has changed in too many places to merge. "
                + "Overwrite all of it with your value?"
        }
        let name = key + (hides(key, of: suite) ? "" : conflict.path.description)
        let now = summary(conflict.theirs, of: key, in: suite)
        let mine = summary(conflict.mine, of: key, in: suite)
        return
            "“\(name)” is now \(now)\(more(conflicts)). Overwrite it with \(mine)?"
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
        case 2: ", and 1 more value has changed"
        default: ", and \(conflicts.count - 1) more values have changed"
        }
    }
}

extension ConflictDialog {
    /// The question that the user has to answer.
    func question(_ state: EditorState) -> String {
        (isAskedAgain ? "It has changed again. " : "")
            + (isUnsure || source.isUnsure
                ? "The array has changed, so this might be another element: \(path). " : "")
            + state.renewed(self).firstQuestion(state)
    }

    private func firstQuestion(_ state: EditorState) -> String {
        if whole != nil {
            let names = Set((base?.names ?? []) + (holding?.names ?? [])).sorted()
            let rest = names.count > 1 ? " and \(names.count - 1) more" : ""
            let what =
                holding?.names.isEmpty == true
                ? "deleted" : "changed"
            return "Another program \(what) “\(names.first ?? "")”\(rest). Write yours?"
        }
        func summary(_ node: ValueNode) -> String { state.summary(node, of: path.key, in: suite) }
        guard let holding else {
            return
                "Another program deleted “\(path.lastName)”. Restore it with \(summary(new.node))?"
        }
        let now = ValueKind(of: holding)
        let mine = ValueKind(of: base ?? new.node)
        let type = now == mine ? "" : "\(now.nameInSentence), "
        let words =
            state.display.comparison?.words(of: self) ?? ChangeSummary(holding, new.node, state.format)
        if state.hides(path.key, of: suite) {
            let secret =
                holding == new.node
                ? "the same secret as yours"
                : holding == base
                    ? "the previous secret" : "a secret other than yours"
            return "Another program stored \(secret). Press v to see both. Overwrite it with yours?"
        }
        guard let (place, more) = words.first(below: []) else {
            return "Another program stored \(type)\(summary(holding)). "
                + "Overwrite it with \(summary(new.node))?"
        }
        if place.path.steps.isEmpty {
            return "Another program stored \(type)\(place.old). Overwrite it with \(place.new)?"
        }
        let rest = more == 0 ? "" : ", and \(more == 1 ? "1 more value differs" : "\(more) more differ")"
        return
            "At \(place.path) another program stored \(place.old), you have \(place.new)\(rest). Overwrite with yours?"
    }
}
