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
        if isSelected || isMultiSelected {
            let cursor = state.display.focus == .keys ? symbols.selected : symbols.selectedElsewhere
            let marked = isSelected ? symbols.markedSelected : symbols.multiSelection
            let sign = isMultiSelected ? marked : cursor
            write(sign, column: area.column, row: screenRow, columns: min(1, area.columns))
        }
        // A conflict is not only news: its sign and its words stay until the user decides.
        let isOvertaken = row.depth == 0 && suite.isOvertaken(key)
        let isChanged = !isOvertaken && suite.highlights.contains(row)
        let isDeleted = suite.outline.deleted.contains(key)
        let fold = row.shown.hasChildren ? (row.isOpen ? symbols.open : symbols.closed) : " "
        let willBeDeleted = isDeleted && suite.stagedDeletion(ofKey: key) != nil
        let origin = row.depth == 0 ? suite.origin(of: key) : nil
        paint(
            name: row.name,
            fold: fold,
            depth: row.depth,
            parts,
            area,
            screenRow,
            style: willBeDeleted ? .deleted : .plain
        )
        let signs = signs(of: row, in: suite, origin, isChanged: isChanged)
        // For containers the second symbol is before the value, because the expansion symbol takes its place.
        let second = row.depth == 0 && row.shown.hasChildren ? parts.value - 1 : KeyColumns.name
        for ((sign, style), place) in zip(signs, [1, second]) {
            let (column, columns) = (area.column + place, min(1, area.columns - place))
            write(sign, column: column, row: screenRow, columns: columns, style: style)
        }
        if let type = parts.type {
            let name = suite.typeName(of: row)
            let width = KeyColumns.typeWidth
            write(name, column: area.column + type, row: screenRow, columns: width, style: .type)
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
                    : isDeleted || row.shown.isUnread || row.shown.isEmptyText || suite.hides(key)
                        || suite.showsUnstored(key)
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
        if suite.repeatedMembers[row.path] != nil || suite.decodingProblem(of: row) != nil {
            all.append((symbols.problem, .problem))
        } else if isKey, let sign = sign(of: origin) {
            all.append((sign, .faint))
        }
        return all
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
        let text = row.shown.isEmptyText ? "\"\"" : state.format.display(row.shown, limit: limit)
        if let title = suite.title(ofValue: row.shown, at: row.path) {
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

    @discardableResult
    mutating func paint(
        name: String?,
        fold: String,
        depth: Int,
        _ parts: KeyColumns,
        _ area: Area,
        _ screenRow: Int,
        style: Style = .plain
    ) -> Int {
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
        case .integer, .real, .uid, .number: .number
        case .null: .faint
        case .boolean: .boolean
        case .date: .date
        case .data: .data
        case .array, .dictionary: .container
        }
    }
}
