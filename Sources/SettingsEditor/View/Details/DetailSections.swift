import FoundationEssentials
import PropertyList
import SettingsStore
import TerminalCanvas

/// The path of the row, if the head of the details has no room for it.
struct PathSection: DetailSection {
    let title = "Path"

    func lines(_ context: DetailContext) -> [DetailLine] {
        guard let row = context.row else { return [] }
        let heads = context.state.detailHeads(context.glyphs).map {
            displayWidth(of: $0, glyphs: context.glyphs)
        }
        let needed = heads.reduce(0) { $0 + $1 + 4 }
        return needed <= context.columns ? [] : context.sentences(row.path.description)
    }
}

/// The title, the help and the deprecation that the program declares.
struct HelpSection: DetailSection {
    let title = "About"

    func lines(_ context: DetailContext) -> [DetailLine] {
        guard let declaration = context.declaration else { return [] }
        var lines: [DetailLine] = []
        if let title = declaration.title { lines += context.sentences(sentence(title)) }
        if let help = declaration.help, help != declaration.title {
            lines += context.sentences(sentence(help))
        }
        if let deprecation = declaration.deprecation {
            let text = deprecation.isEmpty ? "Deprecated." : "Deprecated: \(sentence(deprecation))"
            lines += context.sentences(text, .problem)
        }
        return lines
    }
}

/// The comments that belong to the value in a JSON file.
struct CommentSection: DetailSection {
    let title = "Comment"

    func lines(_ context: DetailContext) -> [DetailLine] {
        guard let row = context.row, let comment = context.suite.comments?[row.path] else { return [] }
        // A comment may quote the secret.
        if context.isHidden { return [] }
        return comment.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.isEmpty ? [DetailLine("", .plain)] : context.sentences("// \(line)", .faint)
        }
    }
}

extension SuiteModel {
    /// The kinds that a new value can have outside of embedded JSON.
    var kindsOfValues: [ValueKind] { comments == nil ? ValueKind.ofPropertyLists : ValueKind.ofJSONFiles }
}

/// The values that the program accepts, and its default.
struct ChoicesSection: DetailSection {
    let title = "Allowed values"

    func lines(_ context: DetailContext) -> [DetailLine] {
        guard let declaration = context.declaration, let row = context.row else { return [] }
        let hasValue = row.depth > 0 || !context.suite.isWithoutValue(context.key)
        if declaration.cases.isEmpty {
            var lines: [DetailLine] = []
            if let limits = declaration.limitsText { lines += context.sentences(sentence(limits)) }
            if let value = declaration.defaultValue, isModified(row, value, context) {
                let text = context.isHidden ? "a secret" : context.state.choiceText(value, of: declaration)
                lines += context.sentences("The default is \(sentence(text))")
            }
            return lines
        }
        // One line each if there are many columns for each.
        let marks = context.glyphs == .unicode ? ("‹", "›") : ("<", ">")
        let pieces = declaration.cases.map { item in
            let isSelected = hasValue && !context.isHidden && ValueNode(item.value) == row.shown
            var text = context.state.choiceText(item.value, of: declaration)
            if item.value == declaration.defaultValue { text += " (default)" }
            return DetailLine.Piece(
                text: isSelected ? "\(marks.0)\(text)\(marks.1)" : text,
                style: isSelected ? .heading : .plain
            )
        }
        return context.packed(pieces, indent: 2)
    }

    /// Whether the row shows another value than the default.
    private func isModified(_ row: Row, _ value: PropertyListValue, _ context: DetailContext) -> Bool {
        row.depth > 0
            ? ValueNode(value) != row.shown : context.suite.origin(of: context.key) == .modified
    }
}

/// The staged change and the latest changes of the selected value, of values inside it, and of values that contain it.
struct ChangesSection: DetailSection {
    let title = "Changes to this row"

    /// How many of the latest changes of all keys are looked at.
    private static let changesToLookAt = 400

    func lines(_ context: DetailContext) -> [DetailLine] {
        guard let row = context.row else { return [] }
        let (state, suite, key) = (context.state, context.suite, context.key)
        var lines = staged(row, context)
        if !context.isHidden {
            lines += suite.deletions(below: row.path).prefix(context.limit > 12 ? 8 : 2).flatMap { gone in
                let value = SettingsEditor.summary(gone.value, state.format)
                let text = "\(context.symbols.deleted) \(gone.path) \(value)"
                return context.packed([
                    .init(text: spelled(text, context.glyphs), style: .deleted),
                    .init(text: "will be deleted", style: .staged),
                ])
            }
        }
        let most = context.limit > 12 ? 5 : 1
        for entry in state.history.journal.entries.suffix(Self.changesToLookAt).reversed() {
            if lines.count >= most { break }
            guard entry.suite == suite.id, let change = entry.ofKey, change.key == key,
                let text = state.words(change, touching: row.path, in: suite.id)
            else { continue }
            let who = entry.isOwn ? "by you" : "by another program"
            let when = timeOfDay(entry.date, state.options.zone)
            let head = (when.isEmpty ? "" : "\(when) ") + "changed \(who)"
            lines += context.packed(
                [
                    .init(text: head, style: entry.isOwn ? .faint : .changed),
                    .init(text: spelled(text, context.glyphs), style: .plain),
                ]
            )
        }
        return lines
    }

    private func staged(_ row: Row, _ context: DetailContext) -> [DetailLine] {
        let (state, suite, key) = (context.state, context.suite, context.key)
        guard let change = suite.staged[key] else { return [] }
        func text(_ value: PropertyListValue?) -> String { state.summary(value, of: key, in: suite.id) }
        func line(_ stored: String, _ new: String) -> [DetailLine] {
            context.packed([
                .init(text: "stored \(stored)", style: .plain),
                .init(text: spelled("→  \(new)", context.glyphs), style: .staged),
            ])
        }
        if row.depth > 0, !context.isHidden, let places = suite.layers.stagedPlaces[key] {
            // Values that will be deleted inside the row have lines of their own.
            let touching = places.first { $0.new != nil && $0.path.touches(row.path.inside) }
            guard let touching else { return [] }
            let place = ChangeSummary.Place(touching, state.format)
            let name = place.name(from: row.path)
            return line("\(name)\(place.old)", "to be saved \(place.new)")
        }
        let name = row.depth > 0 ? "\(key): " : ""
        let stored =
            suite.isOvertaken(key)
            ? "\(text(suite.storedValue(forKey: key))) (\(text(change.old)) when you changed it)"
            : text(change.old)
        return line(name + stored, change.new == nil ? "will be deleted" : "to be saved \(text(change.new))")
    }
}

/// Hours, minutes and seconds in the local time zone; empty without a date.
func timeOfDay(_ date: Date?, _ zone: (Date) -> Int) -> String {
    guard let date else { return "" }
    let second = Int(date.timeIntervalSinceReferenceDate.rounded(.down)) + zone(date)
    let ofDay = (second % 86400 + 86400) % 86400
    return [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map(twoDigits).joined(separator: ":")
}

/// The signs beside the row, in words.
struct SignsSection: DetailSection {
    let title = "State"

    func lines(_ context: DetailContext) -> [DetailLine] {
        guard let row = context.row else { return [] }
        let (suite, key, symbols) = (context.suite, context.key, context.symbols)
        var signs: [(sign: String, text: String, style: Style)] = []
        if let problem = suite.decodingProblem(of: row) {
            let text = problem.prefix(1).uppercased() + problem.dropFirst()
            signs.append((symbols.problem, sentence(text), .problem))
        }
        let isDeleted = suite.outline.deleted.contains(key)
        let isOvertaken = suite.isOvertaken(key)
        if isOvertaken {
            let text = "Another program changed it. Press W, then Enter, to decide."
            signs.append((symbols.problem, text, .problem))
        } else if suite.stagedDeletion(ofKey: key) != nil {
            signs.append((symbols.deleted, "Will be deleted when you save. Press u to undo.", .staged))
        } else if isDeleted {
            signs.append((symbols.deleted, "Another program deleted it. Press R to restore it.", .problem))
        } else if suite.isStaged(row) {
            signs.append((symbols.staged, "Not saved yet. Press W to save your changes.", .staged))
        } else if suite.isInFlight(key) {
            signs.append((symbols.pending, "Your change is being saved.", .plain))
        }
        if !isOvertaken, suite.highlights.contains(row) {
            let before = context.isHidden ? nil : suite.highlights.before(row, context.state.format)
            let rest = before.map { ": \($0)" } ?? ""
            signs.append(
                (symbols.changed, sentence("Another program changed it a moment ago\(rest)"), .changed)
            )
        }
        if row.depth == 0 {
            switch suite.origin(of: key) {
            case .byDefault:
                let isEmpty = suite.isWithoutValue(key)
                let text = isEmpty ? "Nothing is stored." : "Nothing is stored. Programs use the default."
                signs.append((symbols.byDefault, text, .faint))
            case .modified where suite.declaration(of: key)?.defaultValue != nil:
                signs.append((symbols.modified, "The value is not the default. Press = to reset it.", .faint))
            case .inherited:
                let text = "Nothing of yours is stored. Edit the row to store a value of your own."
                signs.append((symbols.inherited, text, .faint))
            case .locked, .overridden:
                let text = suite.refusal(ofChanging: key)?.description ?? ""
                signs.append((symbols.locked, text, .problem))
            case .modified, .sameAsDefault, .undeclared: break
            }
        }
        if suite.multiSelection.contains(row.path) {
            signs.append((symbols.multiSelection, "One of the selected rows.", .faint))
        }
        if let doubt = suite.secrets.doubt, context.isHidden {
            let text = "Hidden, because the declarations are unreadable: \(doubt)"
            signs.append((symbols.hidden, sentence(text), .faint))
        } else if suite.secrets.contains(key) {
            let text = context.isHidden ? "A secret. Press v to show it." : "A secret. Press v to hide it."
            signs.append((symbols.hidden, text, .faint))
        }
        if case .twin? = row.path.steps.last {
            signs.append(
                (symbols.problem, "One of several keys of this name. Programs use the last.", .problem)
            )
        }
        if let members = suite.repeatedMembers[row.path], let last = members.last {
            let line = "The last one counts, in line \(last.line)."
            let texts =
                ["The file has this name several times here.", line]
                + members.dropLast().prefix(3).map { member in
                    "Line \(member.line) has \(context.state.summary(member.value, of: key, in: suite.id))."
                }
            signs.append((symbols.problem, texts.joined(separator: " "), .problem))
        }
        if row.depth == 0, suite.keysInSeveralForms.contains(key) {
            let text = "The file also has this name in another Unicode form. Delete removes both."
            signs.append((symbols.problem, text, .problem))
        }
        if let refusal = context.state.refusalOfReadOnly(suite) {
            signs.append((symbols.readOnly, refusal.description, .faint))
        }
        return signs.flatMap { sign in
            var lines = context.sentences(context.state.keymap.naming(sign.text), indent: 2)
            guard !lines.isEmpty else { return lines }
            lines[0].pieces.insert(.init(text: "\(sign.sign) ", style: sign.style), at: 0)
            lines[0].indent = 0
            return lines
        }
    }
}

/// What `pdefaults apply --as` has set in the row, since when, and what was there before.
struct AppliedSection: DetailSection {
    let title = "Applied"

    func lines(_ context: DetailContext) -> [DetailLine] {
        guard let row = context.row else { return [] }
        return context.suite.applied(at: row.path).prefix(context.limit > 12 ? 8 : 2).flatMap { setting in
            context.sentences(text(of: setting, in: row, context))
        }
    }

    private func text(of setting: AppliedSetting, in row: Row, _ context: DetailContext) -> String {
        func summary(_ value: PropertyListValue?) -> String {
            context.state.summary(value, of: context.key, in: context.suite.id)
        }
        let entry = setting.entry
        let seconds = entry.since.timeIntervalSinceReferenceDate.rounded(.down)
        let date = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: seconds))
        let since = SettingsEditor.summary(ValueNode(date), context.state.format)
        let by = "by “\(setting.name)” since \(since)."
        let steps = Array(setting.rowPath.steps.dropFirst(row.path.steps.count))
        var parts = steps.isEmpty ? [] : ["At \(ValuePath(steps)):"]
        let isInForce = context.suite.isInForce(setting)
        if let element = setting.path.element {
            parts += ["The element \(summary(element)) is wanted \(by)"]
            if entry.before != nil { parts.append("It was there before.") }
            if !isInForce { parts.append("It is gone now.") }
        } else {
            let isDeleted = entry.applied == nil
            let value = isInForce || isDeleted ? "" : " to \(summary(entry.applied))"
            parts += [
                "\(isDeleted ? "Deleted" : "Set")\(value) \(by)", "Before, it was \(summary(entry.before)).",
            ]
            if !isInForce { parts.append("It has been changed since.") }
        }
        return parts.joined(separator: " ")
    }
}

struct ValueSection: DetailSection {
    let title = "Value"

    func lines(_ context: DetailContext) -> [DetailLine] {
        guard let row = context.row else { return [] }
        // The head and the section of signs say already that nothing is stored.
        if row.depth == 0, context.suite.isWithoutValue(context.key) { return [] }
        if context.isHidden {
            return [DetailLine(String(repeating: context.symbols.hidden, count: 6), .faint)]
        }
        if row.shown.isUnread {
            return [DetailLine(spelled("reading…", context.glyphs), .faint)]
        }
        var value = WholeValue(context)
        value.add(row.shown)
        let form = row.shown.storedForm.map { context.sentences($0, .faint) } ?? []
        return form + value.lines
    }
}

extension ValueNode {
    /// How a value is stored that the editor shows as something else; nil for other values.
    fileprivate var storedForm: String? {
        guard case .propertyList(let value) = content else { return nil }
        let kind = value.kind == .data ? "data" : "a string"
        return switch embedded {
        case .json?: "JSON text, stored as \(kind)."
        case .propertyList?: "A property list, stored as \(kind)."
        case nil: nil
        }
    }
}

/// Where the suite is, how much it holds, and how the editor follows it.
struct SuiteSection: DetailSection {
    let title = "Suite"

    func lines(_ context: DetailContext) -> [DetailLine] {
        let (suite, state) = (context.suite, context.state)
        var lines: [DetailLine] = []
        if var text = suite.keyCountInWords {
            let declared = suite.schema.declarations.count
            if declared > 0 { text += ", \(declared) declared by the program" }
            lines += context.sentences(sentence(text))
        }
        if let link = suite.link { lines += context.sentences("A link to \(link).") }
        if let path = suite.movedAside {
            lines += context.sentences("The unreadable file is kept as \(path).")
        }
        if !suite.staged.isEmpty {
            let count = suite.staged.count == 1 ? "1 change is" : "\(suite.staged.count) changes are"
            let text = state.keymap.naming("\(count) not saved yet. Press W to save.")
            lines += context.sentences(text, .staged)
        }
        let outside = suite.changedByOthers.count
        if outside > 0 {
            let count = outside == 1 ? "1 key" : "\(outside) keys"
            lines += context.sentences(
                "Other programs changed \(count) since you opened the editor.",
                .changed
            )
        }
        if let reason = suite.status?.readOnlyReason ?? state.options.readOnlyReason {
            lines += context.sentences(sentence("Read-only: \(reason)"))
        }
        switch suite.status?.watching {
        case .events?: lines += context.sentences("Changes of other programs appear at once.", .faint)
        case .polling(let reason)?:
            lines += context.sentences(sentence("Changes appear after a moment: \(reason)"), .faint)
        case .off?, nil: break
        }
        return lines
    }
}

/// Why the suite cannot be read or written.
struct SuiteProblemSection: DetailSection {
    let title = "Problem"

    func lines(_ context: DetailContext) -> [DetailLine] {
        // The pane of keys shows it too.
        guard !context.isBesideKeys, let problem = context.suite.problem else {
            return []
        }
        return context.sentences(problem, .problem)
    }
}
