import PropertyList

/// Why declared settings can't have the values of a change, to which the user may say that they shall.
struct UndeclaredValue: Error, CustomStringConvertible {
    /// The first of them.
    let key: String
    let problem: String
    /// Nothing says for certain that programs can't read it.
    let isDoubt: Bool
    /// How many more there are.
    let others: Int
    let change: UndeclaredChange

    var description: String {
        let rest = others == 0 ? "" : ", and \(others) more can't have theirs"
        return isDoubt
            ? "Programs may not read “\(key)” any more: \(problem)\(rest)"
            : "“\(key)” can't have this value: \(problem)\(rest)"
    }
}

/// A change that waits for the user's word.
struct UndeclaredChange: Sendable, Hashable {
    let parts: [Edit.Part]
    /// What is to be done with it.
    let purpose: InFlight.Purpose
    let isMove: Bool
}

// Checked before anything is written, wherever it comes from.
extension EditorState {
    /// What of these values was not declared so; nil where all may be written.
    func undeclaredValue(
        in parts: [Edit.Part],
        _ purpose: InFlight.Purpose,
        isMove: Bool
    ) -> UndeclaredValue? {
        var found: [(key: String, problem: String, isDoubt: Bool)] = []
        for part in parts {
            guard let suite = suiteIndex(part.suite).map({ suites[$0] }) else { continue }
            for (key, change) in part.changes.sorted(by: { $0.key < $1.key }) {
                guard let new = change.new, let declaration = suite.declaration(of: key) else { continue }
                // What was there before its file was deleted need not be agreed to.
                let old = part.restores ? suite.lost?[key] : change.old
                if part.restores, old == new { continue }
                if let problem = declaration.problem(with: new) {
                    found.append((key, problem, false))
                } else if let problem = declaration.doubt(about: ValueChange(old: old, new: new)) {
                    found.append((key, problem, true))
                }
            }
        }
        guard let first = found.first else { return nil }
        return UndeclaredValue(
            key: first.key,
            problem: first.problem,
            isDoubt: first.isDoubt,
            others: found.count - 1,
            change: UndeclaredChange(parts: parts, purpose: purpose, isMove: isMove)
        )
    }

    mutating func ask(about value: UndeclaredValue) {
        input = .question(
            Question(
                text: "\(sentence("\(value)")) Write it all the same?",
                subject: .undeclared(value.change, from: input)
            )
        )
    }

    mutating func answer(
        _ isYes: Bool,
        _ change: UndeclaredChange,
        from former: EditorInput?
    ) -> [EditorEffect] {
        guard isYes else {
            input = former
            // What was written in the user's own editor is not lost.
            guard former == nil, case .edit(.edited(let edit)?) = change.purpose else { return [] }
            return open(edit)
        }
        // What was typed is done with; what is looked at is looked at again.
        if case .history? = former { input = former } else { input = nil }
        switch change.purpose {
        case .undo: return undo(agreed: change.parts)
        case .redo: return redo(agreed: change.parts)
        case .edit(let source):
            return attempt { state throws in
                let effects = try state.write(change.parts, source, isMove: change.isMove, isAgreed: true)
                let keys = Set(change.parts.flatMap(\.changes.keys))
                // Who moves something to another suite stays in this one.
                let isAway =
                    change.isMove && change.parts.count > 1 && change.parts.allSatisfy { $0.whole == nil }
                if !isAway, !keys.contains(state.selectedRow?.path.key ?? "") { state.show(change.parts) }
                state.say(
                    "\(state.isStaging ? "Waits to be written" : "Written") all the same; u takes it back."
                )
                return effects
            }
        case .staged: return []
        }
    }
}
