import PropertyList

// Editing a whole suite in the user's own editor.
extension ExternalEdit {
    init(whole values: [String: PropertyListValue], of suite: String) {
        self.suite = suite
        subject = .whole(values)
        form = .typedJSON
        given = PropertyListValue.dictionary(values).typedJSON(indented: true, openingJSON: true)
    }
}

extension EditorState {
    func editingSuiteExternally() throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusalOfUnreadable(suite) { throw refusal }
        if let doubt = suite.secrets.doubt {
            throw Refusal("The declarations are unreadable, so secrets cannot be left out: \(doubt)")
        }
        var values: [String: PropertyListValue] = [:]
        for key in suite.outline.entries.map(\.key) where !suite.hides(key) {
            values[key] = suite.value(forKey: key)
        }
        var edit = ExternalEdit(whole: values, of: suite.id)
        edit.readOnlyReason = refusal(forWritingTo: suite)?.description
        return .editExternally(edit)
    }
}

extension ExternalEdit {
    /// Writes the differences in one transaction, unless they conflict with foreign changes.
    func write(whole new: NewValue, in state: inout EditorState) throws -> [Effect] {
        let suite = try state.existingSuite(suite)
        let changes = try changes(to: new, in: suite)
        if changes.isEmpty {
            state.say("Unchanged.")
            return []
        }
        if let conflict = conflict(of: changes, new, in: suite) {
            state.modals.open(.conflict(conflict))
            return []
        }
        return try state.write(edit(changes))
    }

    /// The conflicts with foreign changes; nil if there are none.
    func conflict(_ new: NewValue, in suite: SuiteModel) -> ConflictDialog? {
        (try? changes(to: new, in: suite)).flatMap { conflict(of: $0, new, in: suite) }
    }

    /// Writes the edited suite over the values that the conflict showed. Or it keeps the foreign values and writes
    /// the rest.
    func settle(_ conflict: ConflictDialog, overwriting: Bool, in state: inout EditorState) throws -> [Effect]
    {
        let new = conflict.whole ?? conflict.new
        let suite = try state.existingSuite(suite)
        var changes = try changes(to: new, in: suite)
        let now = self.conflict(of: changes, new, in: suite)
        guard now?.holding == conflict.holding else {
            guard var now else {
                state.modals.closeAll()
                return try state.write(edit(changes))
            }
            now.isAskedAgain = true
            state.modals.open(.conflict(now))
            return []
        }
        state.modals.closeAll()
        if !overwriting {
            for key in overtaken(changes, in: suite) { changes[key] = nil }
            if changes.isEmpty {
                state.say("Discarded your change.")
                return []
            }
        }
        return try state.write(edit(changes))
    }

    private func edit(_ changes: [String: PropertyListValue?]) -> SuiteEdit {
        let removed = changes.count { $0.value == nil }
        // A value may have moved from one key to another.
        let isMove = removed > 0 && removed < changes.count
        var edit = SuiteEdit(suite: suite, values: changes, isMove: isMove)
        edit.source = .edited(self)
        let keys = "\(changes.count) \(changes.count == 1 ? "key" : "keys")"
        let deleted =
            removed == 0 ? "" : removed == changes.count ? ", deleted" : ", \(removed) of them deleted"
        edit.message = "Changed: \(keys)\(deleted). Press u to undo."
        return edit
    }

    /// The keys with a new value, or with nil if the key is removed.
    ///
    /// - Throws: A refusal if the text is no suite, or contains a secret that was left out.
    private func changes(to new: NewValue, in suite: SuiteModel) throws -> [String: PropertyListValue?] {
        guard case .whole(let base) = subject else { throw Refusal("“\(suite.title)” is gone.") }
        guard case .propertyList(.dictionary(let values)) = new else {
            throw Refusal("A suite must be a dictionary.")
        }
        if let secret = values.keys.filter({ suite.hides($0) }).min() {
            throw Refusal("“\(secret)” is a secret. You cannot change it here.")
        }
        var changes: [String: PropertyListValue?] = [:]
        for key in Set(base.keys).union(values.keys) where base[key] != values[key] {
            changes[key] = .some(values[key])
        }
        return changes
    }

    /// The edited keys that other processes have changed since the editing began.
    private func overtaken(_ changes: [String: PropertyListValue?], in suite: SuiteModel) -> [String] {
        guard case .whole(let base) = subject else { return [] }
        return changes.compactMap { key, new in
            ConflictDecision(base: base[key], now: suite.value(forKey: key), new: new).isQuestion ? key : nil
        }
    }

    private func conflict(
        of changes: [String: PropertyListValue?],
        _ new: NewValue,
        in suite: SuiteModel
    ) -> ConflictDialog? {
        guard case .whole(let base) = subject else { return nil }
        let keys = overtaken(changes, in: suite)
        if keys.isEmpty { return nil }
        func values(_ value: (String) -> PropertyListValue?) -> PropertyListValue {
            .dictionary(
                Dictionary(uniqueKeysWithValues: keys.compactMap { key in value(key).map { (key, $0) } })
            )
        }
        return ConflictDialog(
            .edited(self),
            .propertyList(values { changes[$0] ?? nil }),
            base: ValueNode(values { base[$0] }),
            holding: ValueNode(values { suite.value(forKey: $0) }),
            whole: new
        )
    }
}
