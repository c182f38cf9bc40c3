import PropertyList
import SettingsStore
import TerminalCanvas

// Deleting, copying and renaming whole suites. A rename is a copy followed by a deletion.
extension EditorState {
    /// The question before a suite is deleted.
    ///
    /// - Parameter again: Whether the suite changed after the user agreed.
    func deletingSuite(again: Bool = false) throws -> Outcome {
        guard let suite else { return .nothing }
        let values = suite.values
        if let target = suite.brokenLink {
            if let reason = options.readOnlyReason { throw Refusal("Read-only: \(reason)") }
            let text = "Delete the link “\(suite.title)” to \(target), which cannot be read?"
            return .open(.question(Confirmation(text: text, subject: .deleteSuite(suite.id, values))))
        }
        try checkWhole(suite)
        let keys = values.count == 1 ? "its 1 key" : "its \(values.count) keys"
        let with = values.isEmpty ? ", which has no keys" : " with \(keys)"
        let changed = again ? "It has changed. " : ""
        let declared =
            suite.schema.declarations.isEmpty ? "" : " The declared settings stay, with their defaults."
        let link = suite.link.map { " It is a link to \($0), which stays." } ?? ""
        let question = Confirmation(
            text: "\(changed)Delete the suite “\(suite.title)”\(with)?\(link)\(declared)",
            subject: .deleteSuite(suite.id, values)
        )
        return .open(.question(question))
    }

    /// Deletes a suite, if it still has the values that the question was about.
    mutating func deleteSuite(_ id: String, holding values: [String: PropertyListValue]) throws -> [Effect] {
        modals.closeAll()
        guard let index = suiteIndex(id) else {
            throw Refusal("“\(title(ofSuite: id))” was already deleted.")
        }
        guard suiteList.suites[index].values == values else {
            suiteList.selected = index
            return perform { try $0.deletingSuite(again: true) }
        }
        let title = suiteList.suites[index].title
        if let target = suiteList.suites[index].brokenLink {
            let effects = try write([
                Transaction.Part(suite: id, changes: [:], whole: .unlinked(from: target))
            ])
            say("“\(title)”, a link to \(target), is deleted. Press u to undo.")
            return effects
        }
        try checkWhole(suiteList.suites[index])
        let link = suiteList.suites[index].link.map { ", a link to \($0), which stays," } ?? ""
        let effects = try write([removal(of: suiteList.suites[index])])
        suiteList.deselectAll(of: id)
        let waits =
            staging.isOn && !values.isEmpty ? "will be deleted when you save" : "is deleted"
        say("“\(title)”\(link) \(waits). Press u to undo.")
        return effects
    }

    /// The prompt for the name of a copy, or for a new name.
    func copyingSuite(isRename: Bool) throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusalOfMaking { throw refusal }
        if !isRename {
            try checkRead(suite)
        } else if suite.brokenLink == nil {
            try checkWhole(suite)
        }
        if kind == .cluster, suite.values.isEmpty {
            throw Refusal("“\(suite.title)” has no keys. A cluster cannot store an empty suite.")
        }
        if place.isFile { throw Refusal("\(place.title) is one file. Copy or rename it in a shell.") }
        let free = freeName(suite.name) { suiteIndex(place.suiteID($0)) != nil }
        let name = isRename ? suite.name : free
        let subject = NamePrompt.Subject.copy(isRename: isRename)
        return .open(.naming(NamePrompt(subject: subject, suite: suite.id, line: LineEditor(name))))
    }

    mutating func copySuite(_ id: String, to text: String, isRename: Bool) throws -> [Effect] {
        guard let suite = suiteIndex(id).map({ suiteList.suites[$0] }),
            let place = suiteList.placeIndex(suite.place)
        else { throw Refusal("“\(title(ofSuite: id))” is gone.") }
        let name = try SuiteName(text).rawValue
        let newID = suiteList.places[place].suiteID(name)
        if newID == id, isRename {
            modals.closeAll()
            return []
        }
        if let other = suiteIndex(newID), !isOnlyDeclared(suiteList.suites[other]) {
            throw Refusal("A suite “\(name)” already exists.")
        }
        let parts = try parts(copying: suite, to: newID, isRename: isRename)
        let loads = suiteList.makeRoom(for: newID)
        let effects = try write(parts, isMove: isRename)
        modals.closeAll()
        suiteList.filter = nil
        if let new = suiteIndex(newID) {
            suiteList.suites[new].secrets.insert(suite.secrets.copied(with: suite.values.keys))
            suiteList.selected = new
        }
        let done =
            isRename ? "Renamed “\(suite.title)” to “\(name)”" : "Duplicated “\(suite.title)” as “\(name)”"
        say("\(done). Press u to undo.")
        return loads + effects
    }

    private func parts(copying suite: SuiteModel, to name: String, isRename: Bool) throws -> [Transaction
        .Part]
    {
        if isRename, let target = suite.brokenLink {
            return [
                Transaction.Part(suite: name, changes: [:], whole: .linked(to: target)),
                Transaction.Part(suite: suite.id, changes: [:], whole: .unlinked(from: target)),
            ]
        }
        if isRename { try checkWhole(suite) } else { try checkRead(suite) }
        let changes = suite.values.mapValues { ValueChange(old: nil, new: $0) }
        let whole = WholeSuite.made(like: suite.id, asLink: isRename, declaredAs: suite.id)
        let copy = Transaction.Part(suite: name, changes: changes, whole: whole)
        return isRename ? [copy, removal(of: suite, .removed(declaredAs: name))] : [copy]
    }

    /// Whether the suite has declarations but no stored values.
    private func isOnlyDeclared(_ suite: SuiteModel) -> Bool {
        if !suite.staged.isEmpty || !suite.inFlight.isEmpty { return false }
        if suite.contents == .loaded { return suite.status?.content == .absent && suite.values.isEmpty }
        // A stored suite has a version once versions are listed. The write checks again.
        let areVersionsKnown = suiteList.suites.contains { $0.version != nil }
        return suite.contents == .unknown && suite.version == nil && areVersionsKnown
    }

    private func removal(of suite: SuiteModel, _ whole: WholeSuite = .removed()) -> Transaction.Part {
        let changes = suite.values.mapValues { ValueChange(old: $0, new: nil) }
        return Transaction.Part(suite: suite.id, changes: changes, whole: whole)
    }

    /// Handles declarations that did not move with a suite: the transaction and its undo leave them alone from now
    /// on.
    mutating func leaveDeclarations(of id: WriteID, _ result: MovedDeclarations) {
        guard let index = suiteList.suites.firstIndex(where: { $0.isInFlight(id) }) else { return }
        // If the suites have the same declarations, only those of this one stay.
        let suite = result == .same ? suiteList.suites[index].id : nil
        guard let flight = suiteList.suites[index].layers.update(id, { $0.leaveDeclarations(of: suite) }),
            let other = flight.write.whole?.declaredAs
        else { return }
        history.undo.replace(flight.transaction)
        let isMade = flight.write.whole?.isMade == true
        let (from, to) =
            isMade
            ? (title(ofSuite: other), suiteList.suites[index].title)
            : (suiteList.suites[index].title, title(ofSuite: other))
        let stay = "The declared settings stay with “\(from)”"
        let text =
            switch result {
            case .moved, .same: ""
            case .different where isMade:
                "\(stay): “\(to)” already has its own."
            case .different: "\(stay)."
            case .failed(let reason): "\(stay): \(sentence(reason))"
            }
        if text.isEmpty { return }
        let before = statusLine.message.map { $0.isProblem ? "" : "\($0.text) " } ?? ""
        say(before + text)
    }

    /// - Throws: Why the suite cannot be removed.
    private func checkWhole(_ suite: SuiteModel) throws {
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        try checkRead(suite)
    }

    /// - Throws: Why the suite cannot be copied.
    private func checkRead(_ suite: SuiteModel) throws {
        switch suite.status?.content {
        case .unreadable(let reason, _)?: throw Refusal("The suite is unreadable: \(reason)")
        case .stale(let reason)?: throw Refusal("The cluster is unreachable: \(reason)")
        case .absent? where suite.values.isEmpty && !(suite.schema.isEmpty && suite.otherLayers.isEmpty):
            throw Refusal(
                "“\(suite.title)” has no stored values of yours, only declared settings or values of other layers."
            )
        default: break
        }
        if suite.stagedWhole?.isRemoved == true, suite.values.isEmpty {
            throw Refusal("“\(suite.title)” will be deleted when you save. Press u to keep it.")
        }
        if suite.presence != .new, suite.contents != .loaded {
            throw Refusal("“\(suite.title)” has not been read yet.")
        }
    }
}

extension SuiteModel {
    /// All values after all staged changes and writes in flight. This copies them.
    var values: [String: PropertyListValue] {
        var values = storedValues
        for flight in inFlight {
            for (key, change) in flight.write.changes where !flight.overtaken.contains(key) {
                values[key] = change.new
            }
        }
        for (key, change) in staged { values[key] = change.new }
        return values
    }

    /// The target of the file, if it is a symbolic link to nothing readable. Commands then act on the link itself.
    var brokenLink: String? {
        guard let link, staged.isEmpty, inFlight.isEmpty else { return nil }
        return switch status?.content {
        case .unreadable?: link
        case .absent?: values.isEmpty ? link : nil
        case .stored?, .stale?, nil: nil
        }
    }

    /// Whether the user removed it, or is removing it.
    var isRemovedHere: Bool {
        ownAction == .removed || inFlight.contains { $0.write.whole?.isRemoved == true }
    }

    /// Notes what a stored write did to the suite as a whole.
    mutating func tookPlace(_ write: Write) {
        switch write.whole?.isMade {
        case false?: ownAction = .removed
        case true?:
            // Without keys, the suite would be dropped before it is listed.
            ownAction = write.changes.isEmpty ? .beginsAnew : nil
        case nil:
            if !beginsAnew, write.changes.values.contains(where: { $0.new != nil }) { ownAction = nil }
        }
    }
}

// Undo and redo.
extension EditorState {
    /// The change of the whole suite when a part is undone or redone; nil if there is none.
    ///
    /// - Throws: If the suite has keys that the change does not know.
    func whole(of part: Transaction.Part, in suite: SuiteModel) throws -> WholeSuite? {
        switch part.whole {
        // Another process created the suite meanwhile, so only the keys are written.
        case .made? where suite.presence == .listed && !suite.isRemovedHere: return nil
        case .removed?:
            if let other = suite.values.keys.filter({ part.changes[$0] == nil }).min() {
                throw Refusal("“\(suite.title)” now has “\(other)”.")
            }
            return part.whole
        default: return part.whole
        }
    }

    /// A sentence about whole suites that were created or removed; nil if none was.
    func wordsOfSuites(_ parts: [Transaction.Part]) -> String? {
        let made = parts.first { $0.whole?.isMade == true }.map { title(ofSuite: $0.suite) }
        let removed = parts.first { $0.whole?.isRemoved == true }.map { title(ofSuite: $0.suite) }
        return switch (made, removed) {
        case (let made?, let removed?): "“\(removed)” is “\(made)” again."
        case (let made?, nil): "“\(made)” exists again."
        case (nil, let removed?): "“\(removed)” is gone again."
        case (nil, nil): nil
        }
    }
}

extension EditorState {
    /// Why a key does nothing here.
    func nothingIsMeant(by key: Key) -> String {
        if !answers.isEmpty { return "Press \(keysOfAnswers)." }
        if case .menu(let menu)? = modal, menu.asksForType {
            return "Choose the type first: press a letter, then Enter."
        }
        let name = key.name(options.glyphs)
        let isForKeys = keymap.bindings.contains { $0.keys.contains(key) && $0.modes.contains(.keys) }
        if mode == .suites, isForKeys, suite != nil {
            return "\(name) works on keys. Press Enter to go to the keys."
        }
        let help = keymap.bindings.first { $0.command == .help && $0.modes.contains(mode) }?.keys.first
        let advice = help.map { " Press \($0.name(options.glyphs)) for help." } ?? ""
        return "\(name) does nothing here.\(advice)"
    }
}
