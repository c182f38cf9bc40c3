import PropertyList

// Questions that are answered with yes or no.
extension EditorState {
    mutating func askToDelete(_ row: Row) throws -> [EditorEffect] {
        guard let suite else { return [] }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        input = .question(Question(deleting: row.path, row.node, of: suite.id))
        return []
    }

    mutating func answer(_ action: EditorAction, to question: Question) -> [EditorEffect] {
        switch (action, question.subject) {
        case (.answer(true), .overwrite(let draft, let node)):
            return commit(draft, agreed: node.map(Standing.changed) ?? .gone)
        case (.answer(false), .overwrite(let draft, _)), (.cancel, .overwrite(let draft, _)):
            input = .draft(draft)
        case (.answer(true), .delete(let suite, let path, let node)):
            return attempt { state throws in try state.delete(path, holding: node, of: suite) }
        case (.answer(false), .delete), (.cancel, .delete): input = nil
        case (.answer(true), .recover(let suite)):
            return attempt { state throws in try state.recover(suite) }
        case (.answer(false), .recover), (.cancel, .recover): input = nil
        case (.answer(true), .goBack(let entry, let value, let screen)):
            input = .history(screen)
            return attempt { state throws in
                guard
                    state.suiteIndex(entry.suite).map({ state.suites[$0].value(forKey: entry.key) }) == value
                else { throw Refusal("“\(entry.key)” has changed once more.") }
                return try state.goBack(to: entry)
            }
        case (.answer(false), .goBack(_, _, let screen)), (.cancel, .goBack(_, _, let screen)):
            input = .history(screen)
        default: break
        }
        return []
    }

    private mutating func delete(
        _ path: ValuePath,
        holding node: ValueNode,
        of id: String
    ) throws -> [EditorEffect] {
        input = nil
        guard let index = suiteIndex(id), let current = suites[index].tree.node(at: path),
            let whole = suites[index].value(forKey: path.key)
        else { throw Refusal("It is gone already.") }
        guard current == node else {
            input = .question(Question(deleting: path, current, of: id, again: true))
            return []
        }
        let rest = path.steps.count == 1 ? nil : try whole.removing(at: path.inside)
        let effects = try write(rest, to: path.key, of: id)
        say("Deleted “\(path.lastName)”; u brings it back.")
        return effects
    }
}

extension Question {
    init(deleting path: ValuePath, _ node: ValueNode, of suite: String, again: Bool = false) {
        let changed = again ? "It has changed meanwhile. " : ""
        text = "\(changed)Delete “\(path.lastName)”, \(brief(node))?"
        subject = .delete(suite: suite, path: path, node)
    }

    init(overwriting draft: Draft, _ standing: Standing, with new: NewValue) {
        let typed = brief(new.node)
        if case .changed(let node) = standing {
            let now = ValueKind(of: node)
            let type = now == draft.kind ? "" : "\(now.nameInSentence), "
            text = "The file holds \(type)\(brief(node)) now: overwrite with \(typed)?"
            subject = .overwrite(draft, holding: node)
        } else {
            text = "“\(draft.path.lastName)” is gone from the file: put it back with \(typed)?"
            subject = .overwrite(draft, holding: nil)
        }
    }
}
