import PropertyList

// Questions that are answered with yes or no.
extension EditorState {
    mutating func askToDelete(_ paths: [ValuePath]) throws -> [EditorEffect] {
        guard let suite else { return [] }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        let places = paths.compactMap { path in
            suite.tree.node(at: path).map { Question.Place(path: path, node: $0) }
        }
        if places.isEmpty { return [] }
        guard places.allSatisfy({ suite.ground(at: $0.path) != nil }) else {
            throw Refusal("Nothing is stored; what is shown is the default.")
        }
        input = .question(question(deleting: places, of: suite))
        return []
    }

    mutating func answer(_ action: EditorAction, to question: Question) -> [EditorEffect] {
        switch (action, question.subject) {
        case (.answer(true), .delete(let suite, let places)):
            return attempt { state throws in try state.delete(places, of: suite) }
        case (.answer(true), .deleteSuite(let suite, let values)):
            return attempt { state throws in try state.deleteSuite(suite, holding: values) }
        case (.answer(true), .removePart(let suite)):
            input = nil
            return [.removePart(suite)]
        case (.answer(false), .delete), (.cancel, .delete), (.answer(false), .deleteSuite),
            (.answer(false), .removePart), (.cancel, .removePart), (.cancel, .deleteSuite),
            (.answer(false), .putIn), (.cancel, .putIn):
            input = nil
        case (.answer(true), .putIn(let clip, let suite, let parent, let index, let value)):
            input = nil
            return attempt { state throws in
                let place = parent.appending(.index(index))
                guard state.suite?.id == suite, state.suite?.ground(at: place) == value else {
                    throw Refusal("Not put in: “\(parent.key)” has changed meanwhile.")
                }
                return try state.put([clip], in: parent, from: index)
            }
        case (.reveal, .replaceOvertaken(let pending, _, _)): toggleSecret(pending.key, of: pending.suite)
        case (.answer, .replaceOvertaken(_, let clashes, let screen)),
            (.cancel, .replaceOvertaken(_, let clashes, let screen)),
            (.takeTheirs, .replaceOvertaken(_, let clashes, let screen)):
            let pending = overtaken
            input = .pending(screen)
            guard let pending else { break }
            return attempt { state throws in
                try state.settle(action, pending, over: clashes)
                return []
            }
        case (.answer(true), .quit): return [.quit]
        case (.writeAll, .quit): return writeAndQuit()
        case (.answer(false), .quit), (.cancel, .quit): input = nil
        case (.answer(true), .invalid(let draft)): return commit(draft, isAgreed: true)
        case (.answer(false), .invalid(let draft)), (.cancel, .invalid(let draft)): input = .draft(draft)
        case (.answer(let isYes), .undeclared(let change, let former)):
            return answer(isYes, change, from: former)
        case (.cancel, .undeclared(let change, let former)): return answer(false, change, from: former)
        case (.answer(true), .editAgain(let edit, let problem)):
            input = nil
            return open(edit, again: edit.problem == nil ? nil : problem)
        case (.answer(false), .editAgain), (.cancel, .editAgain):
            input = nil
            say("Dropped; nothing was written.")
        case (.answer(true), .recover(let suite, let setsAside)):
            return attempt { state throws in try state.recover(suite, settingAside: setsAside) }
        case (.answer(true), .forgetLost(let suite)):
            input = nil
            if let index = suiteIndex(suite) { suites[index].forgetLost() }
        case (.answer(true), .putBack(let suite, let path, let gone)):
            return attempt { state throws in try state.putBack(gone, into: path, of: suite) }
        case (.answer(false), .recover), (.cancel, .recover), (.answer(false), .forgetLost),
            (.cancel, .forgetLost), (.answer(false), .putBack), (.cancel, .putBack):
            input = nil
        case (.answer(true), .goBack(let change, let suite, let clashes, let screen)):
            input = .history(screen)
            return attempt { state throws in try state.goBack(to: change, of: suite, over: clashes) }
        case (.answer(false), .goBack(_, _, _, let screen)), (.cancel, .goBack(_, _, _, let screen)):
            input = .history(screen)
        default: break
        }
        return []
    }

    private mutating func delete(_ places: [Question.Place], of id: String) throws -> [EditorEffect] {
        input = nil
        guard let index = suiteIndex(id) else { throw Refusal("It is gone already.") }
        let current = places.compactMap { place in
            suites[index].tree.node(at: place.path).map { Question.Place(path: place.path, node: $0) }
        }
        if current.isEmpty { throw Refusal("It is gone already.") }
        guard current == places else {
            input = .question(question(deleting: current, of: suites[index], again: true))
            return []
        }
        let paths = places.map(\.path)
        let effects = try write(suites[index].removing(paths), of: id)
        suites[index].marked.subtract(paths)
        let what = paths.count == 1 ? "“\(paths[0].lastName)”" : "\(paths.count) rows"
        say("Deleted \(what); u brings \(paths.count == 1 ? "it" : "them") back.")
        return effects
    }
}

extension EditorState {
    func question(
        deleting places: [Question.Place],
        of suite: SuiteModel,
        again: Bool = false
    ) -> Question {
        let changed = again ? "It has changed meanwhile. " : ""
        let subject = Question.Subject.delete(suite: suite.id, places)
        if let place = places.first, places.count == 1 {
            let key = place.path.key
            let value = brief(place.node, of: key, in: suite.id)
            let shown = place.path.steps.count == 1 ? suite.declaration(of: key)?.defaultValue : nil
            let rest = shown.map { " Its default \(brief($0, of: key, in: suite.id)) shows then." } ?? ""
            return Question(
                text: "\(changed)Delete “\(place.path.lastName)”, \(value)?\(rest)",
                subject: subject
            )
        }
        let names = places.prefix(5).map { place in
            // A number says little.
            let value =
                place.path.endsWithIndex ? " (\(brief(place.node, of: place.path.key, in: suite.id)))" : ""
            return "“\(place.path.lastName)”\(value)"
        }.joined(separator: ", ")
        return Question(
            text: "\(changed)Delete \(places.count) rows: \(names)\(places.count > 5 ? ", …" : "")?",
            subject: subject
        )
    }
}
