import PropertyList

/// How the place of a draft stands, compared with when the editing began.
enum Standing: Sendable, Hashable {
    case same
    case changed(ValueNode)
    case gone
}

// Values that are typed in their rows.
extension EditorState {
    mutating func beginEditing(_ row: Row) throws -> [EditorEffect] {
        guard let suite else { return [] }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        if row.node.json?.hasTwin == true {
            throw Refusal("Its object has several members of this name, and which is meant is not clear.")
        }
        if row.node.json?.kind == .null {
            input = .choosingType(
                TypeMenu(
                    suite: suite.id,
                    path: row.path,
                    purpose: .replacing(row.node),
                    kinds: ValueKind.ofJSON
                )
            )
            return []
        }
        guard let text = spelling.editText(row.node) else {
            throw Refusal("This value can't be typed in a line.")
        }
        input = .draft(
            Draft(
                suite: suite.id,
                path: row.path,
                purpose: .replacing(row.node),
                kind: ValueKind(of: row.node),
                text: text
            )
        )
        return []
    }

    mutating func type(_ action: EditorAction, in draft: Draft) -> [EditorEffect] {
        switch action {
        case .confirm: return commit(draft)
        case .cancel: input = nil
        case .flip:
            var draft = draft
            draft.line.replace(with: draft.line.text == "true" ? "false" : "true")
            draft.problem = nil
            input = .draft(draft)
        case .changeForm: changeForm(of: draft)
        default: _ = typeInLine(action)
        }
        return []
    }

    func standing(of draft: Draft) -> Standing {
        guard case .replacing(let base) = draft.purpose, let index = suiteIndex(draft.suite) else {
            return .same
        }
        guard suites[index].lost == nil, let node = suites[index].tree.node(at: draft.path) else {
            return .gone
        }
        return node == base ? .same : .changed(node)
    }

    /// Writes what was typed, unless it does not fit or the place has changed, which must be agreed
    /// to: `agreed` is what was held when that was asked.
    mutating func commit(_ draft: Draft, agreed: Standing = .same) -> [EditorEffect] {
        var draft = draft
        do {
            let standing = standing(of: draft)
            if standing == .same, draft.line.text == draft.original {
                input = nil
                return []
            }
            let new = try newValue(of: draft)
            if standing == .gone, standing == agreed, let index = suiteIndex(draft.suite) {
                // Its file goes on with this value alone.
                suites[index].forgetLost()
            }
            if standing != .same, standing != agreed {
                input = .question(Question(overwriting: draft, standing, with: new))
                return []
            }
            let effects = try put(
                new,
                at: draft.path,
                of: draft.suite,
                inserting: draft.purpose == .inserting || standing == .gone,
                draft
            )
            input = nil
            return effects
        } catch {
            draft.problem = reason(of: error)
            input = .draft(draft)
            return []
        }
    }

    /// Writes a value at a place and selects it.
    mutating func put(
        _ new: NewValue,
        at path: ValuePath,
        of suite: String,
        inserting: Bool,
        _ draft: Draft? = nil
    ) throws -> [EditorEffect] {
        guard let index = suiteIndex(suite) else { throw Refusal("“\(suite)” is gone.") }
        let old = suites[index].value(forKey: path.key)
        let whole: PropertyListValue
        if path.steps.count == 1, old == nil {
            whole = new.asWhole
        } else if path.steps.count == 1, inserting {
            throw Refusal("“\(path.key)” is there already.")
        } else if let old {
            whole =
                inserting
                ? try old.inserting(new, at: path.inside) : try old.replacing(at: path.inside, with: new)
        } else {
            throw Refusal("“\(path.key)” is gone.")
        }
        let effects = whole == old ? [] : try write(whole, to: path.key, of: suite, draft)
        suites[index].tree.select(path)
        return effects
    }

    mutating func flip(_ row: Row) throws -> [EditorEffect] {
        guard let suite else { return [] }
        guard let new = row.node.flipped else {
            throw Refusal("Only a boolean can be flipped.")
        }
        return try put(new, at: row.path, of: suite.id, inserting: false)
    }
}
