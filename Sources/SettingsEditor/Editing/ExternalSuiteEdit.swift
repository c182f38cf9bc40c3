import PropertyList

// Editing a whole suite in the user's own editor.
extension ExternalEdit {
    /// - Throws: A refusal if XML cannot store a value.
    init(whole values: [String: PropertyListValue], of suite: String, asXML: Bool) throws {
        self.suite = suite
        subject = .whole(values)
        form = asXML ? .xml : .typedJSON
        let list = PropertyListValue.dictionary(values)
        given = asXML ? try Self.xml(list) : list.typedJSON(indented: true, openingJSON: true)
    }
}

extension SuiteModel {
    /// The stored values without secrets.
    fileprivate var shownValues: [String: PropertyListValue] {
        var values: [String: PropertyListValue] = [:]
        for entry in outline.entries where !hides(entry.key) { values[entry.key] = value(forKey: entry.key) }
        return values
    }
}

extension EditorState {
    mutating func beginExternalSuiteEdit(asXML: Bool) throws -> [Effect] {
        guard let suite else { return [] }
        if let doubt = suite.secrets.doubt {
            throw Refusal("The declarations are unreadable, so secrets cannot be left out: \(doubt)")
        }
        var edit = try ExternalEdit(whole: suite.shownValues, of: suite.id, asXML: asXML)
        edit.readOnlyReason = refusal(forWritingTo: suite)?.description
        return open(edit)
    }

    /// Writes the differences in one transaction, unless they conflict with foreign changes.
    mutating func commit(_ edit: ExternalEdit, whole new: NewValue) throws -> [Effect] {
        let changes = try changes(by: edit, new)
        if changes.isEmpty {
            say("Unchanged.")
            return []
        }
        if let conflict = conflict(of: edit, new, changes) {
            modals.open(.conflict(conflict))
            return []
        }
        return try write(changes, by: edit)
    }

    /// The conflicts with foreign changes; nil if there are none.
    func conflict(of edit: ExternalEdit, _ new: NewValue) -> Conflict? {
        (try? changes(by: edit, new)).flatMap { conflict(of: edit, new, $0) }
    }

    /// Writes the edited suite over the values that the conflict showed. Or it keeps the foreign values and writes
    /// the rest.
    mutating func settle(
        _ conflict: Conflict,
        _ edit: ExternalEdit,
        overwriting: Bool
    ) throws -> [Effect] {
        let new = conflict.whole ?? conflict.new
        var changes = try changes(by: edit, new)
        let now = self.conflict(of: edit, new, changes)
        guard now?.holding == conflict.holding else {
            guard var now else {
                modals.closeAll()
                return try write(changes, by: edit)
            }
            now.isAskedAgain = true
            modals.open(.conflict(now))
            return []
        }
        modals.closeAll()
        let isLost = suiteIndex(edit.suite).map { suiteList.suites[$0].isLost } ?? false
        if isLost, overwriting {
            let effects = try restore(edit.suite, with: changes, .edited(edit))
            say("Restored with your changes. Press u to undo.")
            return effects
        }
        if !overwriting {
            for key in overtaken(changes, edit) { changes[key] = nil }
            if changes.isEmpty || isLost {
                say("Discarded your change.")
                return []
            }
        }
        return try write(changes, by: edit)
    }

    private mutating func write(
        _ changes: [String: PropertyListValue?],
        by edit: ExternalEdit
    ) throws -> [Effect] {
        let removed = changes.count { $0.value == nil }
        // A value may have moved from one key to another.
        let isMove = removed > 0 && removed < changes.count
        let effects = try write(changes, of: edit.suite, .edited(edit), isMove: isMove)
        let keys = "\(changes.count) \(changes.count == 1 ? "key" : "keys")"
        let deleted =
            removed == 0 ? "" : removed == changes.count ? ", deleted" : ", \(removed) of them deleted"
        say("Changed: \(keys)\(deleted). Press u to undo.")
        return effects
    }

    /// The keys with a new value, or with nil if the key is removed.
    ///
    /// - Throws: A refusal if the text is no suite, or contains a secret that was left out.
    private func changes(by edit: ExternalEdit, _ new: NewValue) throws -> [String: PropertyListValue?] {
        guard case .whole(let base) = edit.subject, let index = suiteIndex(edit.suite) else {
            throw Refusal("“\(edit.suite)” is gone.")
        }
        guard case .propertyList(.dictionary(let values)) = new else {
            throw Refusal("A suite must be a dictionary.")
        }
        if let secret = values.keys.filter({ suiteList.suites[index].hides($0) }).min() {
            throw Refusal("“\(secret)” is a secret. You cannot change it here.")
        }
        // If the file was deleted, the whole suite is written.
        let isWhole = suiteList.suites[index].isLost
        var changes: [String: PropertyListValue?] = [:]
        for key in Set(base.keys).union(values.keys) where isWhole || base[key] != values[key] {
            changes[key] = .some(values[key])
        }
        return changes
    }

    /// The foreign changes to the edited keys since the editing began.
    private func overtaken(_ changes: [String: PropertyListValue?], _ edit: ExternalEdit) -> [String] {
        guard case .whole(let base) = edit.subject, let index = suiteIndex(edit.suite) else { return [] }
        return changes.compactMap { key, new in
            let current = !suiteList.suites[index].isLost ? suiteList.suites[index].value(forKey: key) : nil
            return current == base[key] || current == new ? nil : key
        }
    }

    private func conflict(
        of edit: ExternalEdit,
        _ new: NewValue,
        _ changes: [String: PropertyListValue?]
    ) -> Conflict? {
        guard case .whole(let base) = edit.subject, let index = suiteIndex(edit.suite) else { return nil }
        let keys = overtaken(changes, edit)
        if keys.isEmpty { return nil }
        func values(_ value: (String) -> PropertyListValue?) -> PropertyListValue {
            .dictionary(
                Dictionary(uniqueKeysWithValues: keys.compactMap { key in value(key).map { (key, $0) } })
            )
        }
        return Conflict(
            .edited(edit),
            .propertyList(values { changes[$0] ?? nil }),
            base: ValueNode(values { base[$0] }),
            holding: ValueNode(
                values { !suiteList.suites[index].isLost ? suiteList.suites[index].value(forKey: $0) : nil }
            ),
            whole: new
        )
    }
}
