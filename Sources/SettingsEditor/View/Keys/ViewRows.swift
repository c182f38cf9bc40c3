import PropertyList
import TerminalCanvas

// Draws a row of the keys. The suite is a parameter: each use of the property ``Painter/suite`` would copy its references.
extension Painter {
    mutating func paint(
        _ row: Row,
        of suite: SuiteModel,
        isSelected: Bool,
        _ area: Area,
        _ screenRow: Int
    ) {
        let key = row.path.key
        let parts = suite.keyColumns(area.columns)
        let isMultiSelected = suite.multiSelection.contains(row.path)
        if isSelected {
            let sign = state.display.focus == .keys ? symbols.selected : symbols.selectedElsewhere
            write(
                isMultiSelected ? symbols.markedSelected : sign,
                column: area.column,
                row: screenRow,
                columns: min(1, area.columns)
            )
        }
        if !isSelected, isMultiSelected {
            write(symbols.multiSelection, column: area.column, row: screenRow, columns: min(1, area.columns))
        }
        // A conflict is not only news: its sign and its words stay until the user decides.
        let isOvertaken = row.depth == 0 && suite.isOvertaken(key)
        let isChanged = !isOvertaken && suite.highlights.contains(row)
        let isDeleted = suite.outline.deleted.contains(key)
        let fold = row.shown.mayBeOpened ? (row.isOpen ? symbols.open : symbols.closed) : " "
        let willBeDeleted = isDeleted && suite.stagedDeletion(ofKey: key) != nil
        let origin = row.depth == 0 ? suite.origin(of: key) : nil
        paint(
            name: row.name,
            fold: fold,
            depth: row.depth,
            area,
            screenRow,
            style: willBeDeleted ? .deleted : .plain
        )
        let signs = signs(of: row, in: suite, origin, isChanged: isChanged)
        let second = row.depth == 0 && row.shown.mayBeOpened ? parts.value - 1 : KeyColumns.name
        paint(signs, columns: [1, second], area, screenRow)
        if let type = parts.type {
            let name = suite.typeName(of: row)
            write(name, column: area.column + type, row: screenRow, columns: 7, style: .type)
        }
        let room = parts.valueWidth
        let notes = notes(of: row, in: suite, origin, isChanged: isChanged)
        // The value and the notes each get a part of the line.
        let wanted = notes.reduce(0) { $0 + displayWidth(of: $1.text, glyphs: glyphs) + 2 }
        // A preview can be cut more than a value.
        let most = row.shown.isContainer ? max(room / 2, room - 8) : room / 2
        let share = room < 24 ? 0 : min(wanted, most)
        var used = write(
            text(of: row, in: suite, limit: max(1, room - share) + 1),
            column: area.column + parts.value,
            row: screenRow,
            columns: room - share,
            style: isChanged
                ? .changed
                : willBeDeleted
                    ? .deleted
                    : isDeleted || row.shown.isUnread || suite.hides(key)
                        || !suite.isStored(key) && !suite.hasOverride(key)
                        ? .faint : row.shown.style
        )
        for note in notes where room - used >= 8 {
            used += 2
            used += write(
                note.text,
                column: area.column + parts.value + used,
                row: screenRow,
                columns: room - used,
                style: note.style
            )
        }
        if isSelected { restyleSelection(area, screenRow, hasFocus: state.display.focus == .keys) }
    }

    /// The symbols of a row: what happens to it, and where its value comes from.
    private func signs(
        of row: Row,
        in suite: SuiteModel,
        _ origin: ValueOrigin?,
        isChanged: Bool
    ) -> [(sign: String, style: Style)] {
        var all: [(sign: String, style: Style)] = isChanged ? [(symbols.changed, .changed)] : []
        let (isKey, key) = (row.depth == 0, row.path.key)
        if isKey, suite.isOvertaken(key) {
            all.append((symbols.problem, .problem))
        } else if isKey, suite.outline.deleted.contains(key) {
            all.append((symbols.deleted, .plain))
        } else if suite.isStaged(row) {
            all.append((symbols.staged, .staged))
        } else if isKey, !isChanged, suite.isInFlight(key) {
            all.append((symbols.pending, .plain))
        }
        if isKey, suite.isSeenUndecodable(row) {
            all.append((symbols.problem, .problem))
        } else if isKey, let sign = sign(of: origin) {
            all.append((sign, .faint))
        }
        return all
    }

    /// Draws the symbols of a row before its name. For containers the second symbol is before the value, because the
    /// expansion symbol takes its place.
    private mutating func paint(
        _ signs: [(sign: String, style: Style)],
        columns: [Int],
        _ area: Area,
        _ screenRow: Int
    ) {
        for (sign, column) in zip(signs, columns) {
            let columns = min(1, area.columns - column)
            write(
                sign.sign,
                column: area.column + column,
                row: screenRow,
                columns: columns,
                style: sign.style
            )
        }
    }

    /// The path and the text of the match inside a collapsed row; nil if the row itself matches.
    private mutating func textOfMatch(in row: Row, of suite: SuiteModel) -> String? {
        guard row.shown.isContainer, !row.isOpen, !suite.hides(row.path.key),
            let way = suite.outline.wayToFound(from: row, &budget)
        else { return nil }
        return "\(symbols.inside) \(way) \(summary(row.shown.node(at: way), state.format))"
    }

    /// The words after a value: what it was, what it will be, its default.
    private mutating func notes(
        of row: Row,
        in suite: SuiteModel,
        _ origin: ValueOrigin?,
        isChanged: Bool
    ) -> [(text: String, style: Style)] {
        let key = row.path.key
        if row.path == suite.outline.session.kept { return [("no longer matches", .faint)] }
        if !isChanged, let found = textOfMatch(in: row, of: suite) {
            return [(spelled(found, glyphs), .plain)]
        }
        var notes: [(text: String, style: Style)] = []
        if isChanged, !suite.hides(key), let before = suite.highlights.before(row, state.format) {
            notes.append((spelled(before, glyphs), .faint))
        }
        if let gone = deletedInside(row, of: suite) {
            notes += [(gone, .deleted), ("will be deleted", .staged)]
        }
        guard let origin else { return notes }
        if suite.outline.deleted.contains(key), suite.stagedDeletion(ofKey: key) != nil {
            notes.append(("will be deleted", .staged))
        }
        if suite.isOvertaken(key) {
            notes.append((wordsOnStored(key, in: suite), .problem))
            return notes
        }
        if suite.outline.deleted.contains(key) { return notes }
        // The row of a declared setting shows the default that will be used then.
        if let old = suite.stagedDeletion(ofKey: key), !suite.hides(key) {
            let text = spelled(summary(ValueNode(old), state.format, limit: 24), glyphs)
            notes += [("\(symbols.deleted) \(text)", .deleted), ("will be deleted", .staged)]
        }
        let declaration = suite.declaration(of: key)
        var words: [String] = []
        switch origin {
        case .byDefault: if !suite.isWithoutValue(key) { words.append("default") }
        case .modified:
            if let declaration, let shown = declaration.defaultValue, !suite.hides(key) {
                words.append("default \(state.choiceText(shown, of: declaration, limit: 24))")
            }
        case .inherited(let layer): words.append(layer.name)
        case .overridden(let layer): words += [layer.name] + wordsOnOwnValue(of: key, in: suite)
        case .locked: words += ["locked"] + wordsOnOwnValue(of: key, in: suite)
        case .sameAsDefault, .undeclared: break
        }
        if declaration?.deprecation != nil { words.append("deprecated") }
        if !words.isEmpty { notes.append((spelled("(\(words.joined(separator: ", ")))", glyphs), .faint)) }
        return notes
    }

    /// The stored value below a staged change. A container is not compared for each frame, so its changes are in the
    /// list of staged changes only.
    private func wordsOnStored(_ key: String, in suite: SuiteModel) -> String {
        let stored = suite.storedValue(forKey: key)
        let node = stored.map(ValueNode.init)
        let text =
            node?.isContainer == true
            ? "changed \(state.kind.inside)"
            : "\(state.summary(stored, of: key, in: suite.id)) \(state.kind.inside) now"
        return spelled("(\(text))", glyphs)
    }

    /// The elements or members of a container that will be deleted. They have no rows, because the elements after them
    /// have their indexes already.
    private func deletedInside(_ row: Row, of suite: SuiteModel) -> String? {
        guard row.shown.isContainer, !suite.hides(row.path.key) else { return nil }
        let gone = suite.deletions(below: row.path).filter { row.isOpen ? $0.isDirect : true }
        let most = 3
        let texts = gone.prefix(most).map { place in
            let value = summary(place.value, state.format, limit: 24)
            return place.name.isEmpty ? value : "\(place.name): \(value)"
        }
        if texts.isEmpty { return nil }
        let more = gone.count > most ? [String(glyphs.ellipsis) + "+\(gone.count - most)"] : []
        return spelled("\(symbols.deleted) \((texts + more).joined(separator: ", "))", glyphs)
    }

    /// The user's value of a key whose row shows the value of a higher layer.
    private func wordsOnOwnValue(of key: String, in suite: SuiteModel) -> [String] {
        guard let own = suite.value(forKey: key) else { return [] }
        return [
            suite.hides(key) ? "you have another value" : "yours: \(summary(ValueNode(own), state.format))"
        ]
    }

    /// The value of a row. Secrets stay hidden.
    func text(of row: Row, in suite: SuiteModel, limit: Int) -> String {
        if row.depth == 0, suite.isWithoutValue(row.path.key) { return "not set" }
        let text = shownText(of: row, in: suite, limit: limit)
        guard row.depth == 0, suite.outline.deleted.contains(row.path.key),
            suite.stagedDeletion(ofKey: row.path.key) == nil
        else { return text }
        return "deleted, was \(text)"
    }

    private func shownText(of row: Row, in suite: SuiteModel, limit: Int) -> String {
        if suite.hides(row.path.key) { return String(repeating: symbols.hidden, count: 6) }
        if row.shown.isUnread, !row.shown.isContainer { return spelled("reading…", glyphs) }
        if row.shown.isContainer {
            // The keys of a large dictionary are sorted between the keys of the user.
            return row.isOpen || row.shown.isUnread
                ? state.format.display(row.shown)
                : row.shown.preview(state.format, columns: limit - 1, glyphs)
        }
        let text = state.format.display(row.shown, limit: limit)
        if row.depth == 0, let title = suite.title(ofValue: row.shown, forKey: row.path.key) {
            return "\(text) \(title)"
        }
        guard text.utf8.count >= limit, let pattern = state.patternToHighlight, let whole = row.shown.text
        else {
            return text
        }
        return pattern.stretch(of: whole, beginning: text, columns: limit) ?? text
    }

    private func sign(of origin: ValueOrigin?) -> String? {
        switch origin {
        case .undeclared, .sameAsDefault, nil: nil
        case .byDefault: symbols.byDefault
        case .modified: symbols.modified
        case .inherited: symbols.inherited
        case .overridden, .locked: symbols.locked
        }
    }

    /// Draws the indented name with its expansion symbol.
    @discardableResult
    mutating func paint(
        name: String?,
        fold: String,
        depth: Int,
        _ area: Area,
        _ screenRow: Int,
        style: Style = .plain
    ) -> Int {
        let parts = keyColumns(area)
        let (width, limit, indent) = (parts.nameWidth, parts.deepest, parts.indent(depth))
        let column = area.column + KeyColumns.name + indent
        // If the indentation has reached its limit, a number says the depth.
        if indent == limit, depth > 0, 2 * (depth - 1) >= limit {
            let number = String(depth + 1)
            write(number, column: column - indent, row: screenRow, columns: indent - 1, style: .faint)
        }
        write(fold, column: column, row: screenRow, columns: max(0, min(1, area.columns - KeyColumns.name)))
        let room = width - indent - 2
        let used = name.map { name in
            write(
                shortened(name, columns: room),
                column: column + 2,
                row: screenRow,
                columns: room,
                style: style
            )
        }
        return column + 2 + (used ?? 0)
    }
}

extension ValueNode {
    /// The colour of a value, by its type.
    var style: Style {
        if isContainer { return .container }
        if let json {
            return switch json.kind {
            case .object, .array: .container
            case .string: .string
            case .number: .number
            case .boolean: .boolean
            case .null: .faint
            }
        }
        guard case .propertyList(let value) = content else { return .plain }
        return switch value {
        case .string: .string
        case .integer, .real, .uid: .number
        case .boolean: .boolean
        case .date: .date
        case .data: .data
        case .array, .dictionary: .container
        }
    }
}
