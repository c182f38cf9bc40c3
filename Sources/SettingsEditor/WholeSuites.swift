import PropertyList
import SettingsStore
import TerminalCanvas

// Suites as a whole: they are deleted, duplicated and renamed, which is both, one after the other.
extension EditorState {
    /// - Parameter again: It was agreed to, and what it holds has changed since.
    mutating func askToDeleteSuite(again: Bool = false) throws -> [EditorEffect] {
        guard let suite else { return [] }
        if case .unfinished(let reason)? = suite.status?.content {
            if let reason = options.readOnlyReason { throw Refusal("Read-only: \(reason)") }
            let text = "“\(suite.title)” \(reason). Take it away?"
            input = .question(Question(text: text, subject: .removePart(suite.id)))
            return []
        }
        let values = suite.values
        if let target = suite.brokenLink {
            if let reason = options.readOnlyReason { throw Refusal("Read-only: \(reason)") }
            let text = "Delete the link “\(suite.title)” to \(target), where nothing can be read?"
            input = .question(Question(text: text, subject: .deleteSuite(suite.id, values)))
            return []
        }
        try checkWhole(suite)
        let keys = values.count == 1 ? "its 1 key" : "its \(values.count) keys"
        let with = values.isEmpty ? ", which has no keys" : " with \(keys)"
        let changed = again ? "It has changed meanwhile. " : ""
        let declared =
            suite.schema.declarations.isEmpty ? "" : " What programs have declared stays, with its defaults."
        let link = suite.link.map { " It is a link to \($0), which stays." } ?? ""
        input = .question(
            Question(
                text: "\(changed)Delete the suite “\(suite.title)”\(with)?\(link)\(declared)",
                subject: .deleteSuite(suite.id, values)
            )
        )
        return []
    }

    mutating func deleteSuite(
        _ id: String,
        holding values: [String: PropertyListValue]
    ) throws -> [EditorEffect] {
        input = nil
        guard let index = suiteIndex(id) else { throw Refusal("“\(id)” is gone already.") }
        guard suites[index].values == values else {
            selectedSuite = index
            return try askToDeleteSuite(again: true)
        }
        let title = suites[index].title
        if let target = suites[index].brokenLink {
            let effects = try write([Edit.Part(suite: id, changes: [:], whole: .unlinked(from: target))])
            say("“\(title)”, a link to \(target), is deleted; u makes it again.")
            return effects
        }
        try checkWhole(suites[index])
        let link = suites[index].link.map { ", a link to \($0), which stays," } ?? ""
        let effects = try write([removal(of: suites[index])])
        suites[index].marked = []
        let waits = isStaging && !values.isEmpty ? "is deleted once that is written" : "is deleted"
        say("“\(title)”\(link) \(waits); u brings it back.")
        return effects
    }

    /// Asks for the new name.
    mutating func beginCopyingSuite(isRename: Bool) throws -> [EditorEffect] {
        guard let suite else { return [] }
        if let refusal = refusalOfMaking { throw refusal }
        if !isRename {
            try checkRead(suite)
        } else if suite.brokenLink == nil {
            try checkWhole(suite)
        }
        if kind == .cluster, suite.values.isEmpty {
            throw Refusal("“\(suite.title)” has no keys, and without one a cluster keeps no suite.")
        }
        var name = suite.id
        if !isRename {
            name += " copy"
            if suiteIndex(name) != nil {
                name = (2...).lazy.map { "\(suite.id) copy \($0)" }.first { suiteIndex($0) == nil } ?? name
            }
        }
        input = .naming(
            Naming(subject: .copy(ofSuite: suite.id, isRename: isRename), line: LineEditor(name))
        )
        return []
    }

    mutating func copySuite(_ id: String, to text: String, isRename: Bool) throws -> [EditorEffect] {
        guard let suite = suiteIndex(id).map({ suites[$0] }) else { throw Refusal("“\(id)” is gone.") }
        let name = try SuiteName(text).rawValue
        if name == id, isRename {
            input = nil
            return []
        }
        if let other = suiteIndex(name), !isOnlyDeclared(suites[other]) {
            throw Refusal("There is a suite “\(name)” already.")
        }
        let parts = try parts(copying: suite, to: name, isRename: isRename)
        let loads = makeRoom(for: name)
        let effects = try write(parts, isMove: isRename)
        input = nil
        suiteFilter = nil
        if let new = suiteIndex(name) {
            suites[new].secrets.insert(suite.secrets.copied(with: suite.values.keys))
            selectedSuite = new
        }
        let done = isRename ? "“\(suite.title)” is “\(name)” now" : "“\(name)” is a second “\(suite.title)”"
        say("\(done); u takes it back.")
        return loads + effects
    }

    private func parts(copying suite: SuiteModel, to name: String, isRename: Bool) throws -> [Edit.Part] {
        if isRename, let target = suite.brokenLink {
            return [
                Edit.Part(suite: name, changes: [:], whole: .linked(to: target)),
                Edit.Part(suite: suite.id, changes: [:], whole: .unlinked(from: target)),
            ]
        }
        if isRename { try checkWhole(suite) } else { try checkRead(suite) }
        let changes = suite.values.mapValues { ValueChange(old: nil, new: $0) }
        let whole = WholeSuite.made(like: suite.id, asLink: isRename, declaredAs: suite.id)
        let copy = Edit.Part(suite: name, changes: changes, whole: whole)
        return isRename ? [copy, removal(of: suite, .removed(declaredAs: name))] : [copy]
    }

    /// Whether programs have declared its settings, and nothing is stored, as far as is known.
    private func isOnlyDeclared(_ suite: SuiteModel) -> Bool {
        if !suite.staged.isEmpty || !suite.inFlight.isEmpty || suite.isLost { return false }
        if suite.contents == .loaded { return suite.status?.content == .absent && suite.values.isEmpty }
        // What is stored has a version once that is told; a write finds out anyway.
        let areVersionsKnown = suites.contains { $0.version != nil }
        return suite.contents == .unknown && suite.version == nil && areVersionsKnown
    }

    private func removal(of suite: SuiteModel, _ whole: WholeSuite = .removed()) -> Edit.Part {
        let changes = suite.values.mapValues { ValueChange(old: $0, new: nil) }
        return Edit.Part(suite: suite.id, changes: changes, whole: whole)
    }

    /// Declarations did not go along with a suite: from now on nothing that was done to it is about them.
    mutating func leaveDeclarations(of id: WriteID, _ result: MovedDeclarations) {
        guard let index = suites.firstIndex(where: { $0.isInFlight(id) }),
            let flight = suites[index].leaveDeclarations(of: id, isAll: result != .same),
            let other = flight.write.whole?.declaredAs
        else { return }
        undoHistory.replace(flight.edit)
        let isMade = flight.write.whole?.isMade == true
        let (from, to) = isMade ? (other, suites[index].title) : (suites[index].title, other)
        let stay = "What programs have declared stays with “\(from)”"
        let text =
            switch result {
            case .moved, .same: ""
            case .different where isMade:
                "\(stay): “\(to)” has declarations of its own, which are left as they are."
            case .different: "\(stay)."
            case .failed(let reason): "\(stay): \(sentence(reason))"
            }
        if text.isEmpty { return }
        let before = message.map { $0.isProblem ? "" : "\($0.text) " } ?? ""
        say(before + text)
    }

    /// - Throws: why the suite can't go.
    private func checkWhole(_ suite: SuiteModel) throws {
        if let refusal = refusal(forWritingTo: suite) { throw refusal }
        try checkRead(suite)
    }

    /// - Throws: why there is nothing to take from it.
    private func checkRead(_ suite: SuiteModel) throws {
        switch suite.status?.content {
        case .unreadable(let reason)?: throw Refusal("What is there can't be read: \(reason)")
        case .stale(let reason)?: throw Refusal("The cluster is out of reach: \(reason)")
        case .unfinished(let reason)?: throw Refusal("“\(suite.title)” \(reason).")
        case .absent? where suite.values.isEmpty && !suite.schema.declarations.isEmpty:
            throw Refusal(
                "Nothing is stored in “\(suite.title)”: it is listed since programs have declared its settings."
            )
        default: break
        }
        if suite.isLost { throw Refusal(kind.refusalOfTheLost) }
        if suite.stagedWhole?.isRemoved == true, suite.values.isEmpty {
            throw Refusal("“\(suite.title)” is deleted once that is written; u keeps it.")
        }
        if suite.presence != .new, suite.contents != .loaded {
            throw Refusal("“\(suite.title)” has not been read yet.")
        }
    }
}

extension SuiteModel {
    /// All that it holds once everything is written, which takes its time to make.
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

    /// Where its file leads, if that is a symbolic link to nothing that can be read: then all that can be done is
    /// done to the link.
    var brokenLink: String? {
        guard let link, lost == nil, staged.isEmpty, inFlight.isEmpty else { return nil }
        return switch status?.content {
        case .unreadable?: link
        case .absent?: values.isEmpty ? link : nil
        case .stored?, .stale?, .unfinished?, nil: nil
        }
    }

    /// It goes, or has gone, since the user wants it to.
    var isRemovedHere: Bool {
        wasRemovedHere || inFlight.contains { $0.write.whole?.isRemoved == true }
    }

    /// A write has taken place.
    mutating func tookPlace(_ write: Write) {
        switch write.whole?.isMade {
        case false?:
            wasRemovedHere = true
            beginsAnew = false
            forgetLost()
        case true?:
            (wasRemovedHere, isInTheWay) = (false, false)
            // Without a key it would not stay until it is listed.
            beginsAnew = write.changes.isEmpty
        case nil:
            if write.changes.values.contains(where: { $0.new != nil }) {
                (wasRemovedHere, isInTheWay) = (false, false)
            }
        }
    }
}

// Taking back, and doing again.
extension EditorState {
    /// Puts suites into the list that are to be made again.
    mutating func makeRoom(for parts: [Edit.Part]) -> [EditorEffect] {
        parts.flatMap { part in
            let isMade = part.whole?.isMade == true || part.wholeReversed?.isRemoved == true
            return isMade ? makeRoom(for: part.suite) : []
        }
    }

    /// The same with one, which may be there since programs have declared its settings.
    private mutating func makeRoom(for id: String) -> [EditorEffect] {
        if let index = suiteIndex(id) {
            if suites[index].contents != .unknown { return [] }
            suites[index].contents = .loading
        } else {
            _ = insertSuite(id)
        }
        return [.load(id)]
    }

    /// What becomes of a suite when what was done to it is taken back, or done again.
    ///
    /// - Throws: where it holds what is not to go with it.
    func whole(of part: Edit.Part, in suite: SuiteModel) throws -> WholeSuite? {
        switch part.whole {
        // Others have made it by now: the keys go there.
        case .made? where suite.presence == .listed && !suite.isRemovedHere: return nil
        case .removed?:
            if let other = suite.values.keys.filter({ part.changes[$0] == nil }).min() {
                throw Refusal("“\(suite.title)” has “\(other)” by now.")
            }
            return part.whole
        default: return part.whole
        }
    }

    /// What was done to suites as a whole, in a sentence; nil where nothing was.
    func wordsOfSuites(_ parts: [Edit.Part]) -> String? {
        let made = parts.first { $0.whole?.isMade == true }?.suite
        let removed = parts.first { $0.whole?.isRemoved == true }?.suite
        return switch (made, removed) {
        case (let made?, let removed?): "“\(removed)” is “\(made)” again."
        case (let made?, nil): "“\(made)” is there again."
        case (nil, let removed?): "“\(removed)” is gone again."
        case (nil, nil): nil
        }
    }
}

extension EditorState {
    /// Why a key does nothing here.
    func nothingIsMeant(by key: Key) -> String {
        let name = key.name(options.glyphs)
        let isForKeys = KeyBinding.all.contains { $0.keys.contains(key) && $0.modes.contains(.keys) }
        if mode == .suites, isForKeys, suite != nil {
            return "\(name) is for keys: Enter goes to those of the suite."
        }
        let help = KeyBinding.all.first { $0.action == .help && $0.modes.contains(mode) }?.keys.first
        let advice = help.map { "; \($0.name(options.glyphs)) lists the keys" } ?? ""
        return "\(name) has no meaning here\(advice)."
    }
}
