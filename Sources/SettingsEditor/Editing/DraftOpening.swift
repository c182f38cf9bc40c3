import PropertyList

// Opens a draft, in which the user types the value of a row.
extension EditorState {
    /// The draft of a value in its row, or the menu of its possible values.
    func editing(_ row: Row) throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        if let menu = suite.caseMenu(for: row, format) { return .open(.menu(menu)) }
        // Null has no text to edit.
        if row.node.json?.kind == .null || row.node.content == .propertyList(.null) {
            let menu = Menu(
                suite: suite.id,
                path: row.path,
                title: "Type of “\(row.name)”",
                subject: .replacing(row.node),
                items: (row.node.isInsideJSON ? ValueKind.ofJSON : suite.kindsOfValues).map {
                    Menu.Item(text: $0.name, choice: .kind($0))
                }
            )
            return .open(.menu(menu))
        }
        guard let text = format.editText(row.node) else {
            throw Refusal("This value cannot be edited in one line. Press E to edit it outside.")
        }
        var draft = Draft(
            suite: suite.id,
            path: row.path,
            purpose: .replacing(row.node),
            kind: suite.kind(of: row),
            text: text
        )
        draft.isOverDefault = row.depth == 0 && !suite.isStored(row.path.key)
        if suite.hides(row.path.key) {
            // A secret is typed anew, because its text must not be shown.
            draft.line = LineEditor()
            draft.original = ""
            draft.isHidden = true
        }
        return .open(.draft(draft))
    }

    /// The draft of a container that is stored as text. Other values are edited as Enter does.
    func editingText(of row: Row) throws -> Outcome {
        guard row.node.isContainer else { return try editing(row) }
        guard let suite else { return .nothing }
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        if suite.hides(row.path.key) { throw Refusal.secret }
        let text: String
        let kind: ValueKind
        switch row.node.content {
        case .json(let node): (text, kind) = (node.source, .json(node.kind))
        case .propertyList(.string(let string)): (text, kind) = (string, .propertyList(.string))
        case .propertyList(.data(let data)) where row.node.json != nil:
            (text, kind) = (String(decoding: data, as: UTF8.self), .jsonData)
        case .propertyList: throw Refusal("This value is not text. Press Enter to expand it.")
        }
        let draft = Draft(
            suite: suite.id,
            path: row.path,
            purpose: .replacing(row.node),
            kind: kind,
            text: text
        )
        return .open(.draft(draft))
    }
}
