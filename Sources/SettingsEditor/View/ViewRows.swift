import PropertyList
import TerminalCanvas

/// The columns of a row's parts, from the left edge of the pane.
struct KeyColumns {
    /// After the symbols for selection and changes.
    static let name = 2
    let nameWidth: Int
    /// Nil if the type does not fit.
    let type: Int?
    let value: Int

    var afterName: Int { type ?? value }

    /// - Parameter names: the width of the longest name that was on the screen.
    init(_ columns: Int, names: Int) {
        let room = max(0, columns - Self.name)
        let typeWidth = columns >= 40 ? 8 : 0
        // Includes the symbol for expanded values. Values further to the right would be too far from their
        // names.
        let wanted = min(max(36, names + 2), 80)
        nameWidth = min(wanted, max(0, room - typeWidth) * 9 / 20)
        let next = Self.name + nameWidth + 1
        type = typeWidth > 0 ? next : nil
        value = next + typeWidth
    }

    /// The indentation of a name at a depth, limited by the width.
    func indent(_ depth: Int) -> Int { min(2 * depth, deepest) }

    /// The largest indentation.
    var deepest: Int { max(0, nameWidth / 2 - 1) }
}

extension SuiteModel {
    func keyColumns(_ columns: Int) -> KeyColumns { KeyColumns(columns, names: outline.widestName) }
}

// Draws a row of the keys.
extension Painter {
    func keyColumns(_ area: Area) -> KeyColumns {
        suite?.keyColumns(area.columns) ?? KeyColumns(area.columns, names: 0)
    }

    mutating func paint(_ row: Row, isSelected: Bool, _ area: Area, _ screenRow: Int) {
        let parts = keyColumns(area)
        if isSelected {
            let isMultiSelected = suite?.multiSelection.contains(row.path) == true
            let sign = state.display.focus == .keys ? symbols.selected : symbols.selectedElsewhere
            write(
                isMultiSelected ? symbols.markedSelected : sign,
                column: area.column,
                row: screenRow,
                columns: min(1, area.columns)
            )
        }
        if !isSelected, suite?.multiSelection.contains(row.path) == true {
            write(symbols.multiSelection, column: area.column, row: screenRow, columns: min(1, area.columns))
        }
        let isChanged = suite?.highlights.contains(row) == true
        let fold = row.shown.mayBeOpened ? (row.isOpen ? symbols.open : symbols.closed) : " "
        paint(name: row.name, fold: fold, depth: row.depth, area, screenRow)
        paintSigns(of: row, isChanged: isChanged, area, screenRow)
        let isUnset = suite?.isStored(row.path.key) == false
        if let type = parts.type {
            let name = suite?.typeName(of: row) ?? ""
            write(name, column: area.column + type, row: screenRow, columns: 7, style: .type)
        }
        let room = area.columns - parts.value
        let isKept = row.path == suite?.outline.session.kept
        let showsPrevious = isChanged && !isKept && suite?.hides(row.path.key) != true
        let found = isChanged ? nil : textOfMatch(in: row)
        let before = showsPrevious ? suite?.highlights.before(row, state.format) : nil
        // The value and its previous value each get a part of the line.
        let share =
            room < 24 ? 0 : before.map { min(displayWidth(of: $0, glyphs: glyphs) + 2, room / 2) } ?? 0
        let used = write(
            text(of: row, limit: max(1, room - share) + 1),
            column: area.column + parts.value,
            row: screenRow,
            columns: room - share,
            style: isChanged
                ? .changed
                : isUnset || row.shown.isUnread || suite?.hides(row.path.key) == true
                    ? .faint : row.shown.style
        )
        if let before, room - used >= 10 {
            write(
                spelled(before, glyphs),
                column: area.column + parts.value + used + 2,
                row: screenRow,
                columns: room - used - 2,
                style: .faint
            )
        }
        if row.path == suite?.outline.session.kept {
            let column = parts.value + used + 2
            write(
                "no longer matches",
                column: area.column + column,
                row: screenRow,
                columns: max(0, area.columns - column),
                style: .faint
            )
        } else if let found {
            let column = parts.value + used + 2
            write(
                spelled(found, glyphs),
                column: area.column + column,
                row: screenRow,
                columns: max(0, area.columns - column)
            )
        }
        if isSelected { restyleSelection(area, screenRow, hasFocus: state.display.focus == .keys) }
    }

    /// Draws the symbols of a row before its name. For containers the second symbol is before the value,
    /// because the expansion symbol takes its place.
    private mutating func paintSigns(of row: Row, isChanged: Bool, _ area: Area, _ screenRow: Int) {
        var all: [(sign: String, style: Style)] = isChanged ? [(symbols.changed, .changed)] : []
        let (isKey, key) = (row.depth == 0, row.path.key)
        if isKey, suite?.outline.deleted.contains(key) == true {
            all.append((symbols.deleted, .plain))
        } else if suite?.isStaged(row) == true {
            all.append((symbols.staged, .staged))
        } else if isKey, !isChanged, suite?.isInFlight(key) == true {
            all.append((symbols.pending, .plain))
        }
        if isKey, suite?.isSeenUndecodable(row) == true {
            all.append((symbols.problem, .problem))
        } else if isKey, let sign = sign(of: suite?.origin(of: key)) {
            all.append((sign, .faint))
        }
        let isInName = row.depth == 0 && row.shown.mayBeOpened
        let second = isInName ? keyColumns(area).value - 1 : KeyColumns.name
        for (sign, column) in zip(all, [1, second]) {
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
    private mutating func textOfMatch(in row: Row) -> String? {
        guard row.shown.isContainer, !row.isOpen, suite?.hides(row.path.key) == false,
            let way = suite?.outline.wayToFound(from: row, &budget)
        else { return nil }
        return "\(symbols.inside) \(way) \(summary(row.shown.node(at: way), state.format))"
    }

    /// The value of a row. Secrets stay hidden.
    func text(of row: Row, limit: Int) -> String {
        if row.depth == 0, suite?.isWithoutValue(row.path.key) == true { return "not set" }
        let text = shownText(of: row, limit: limit)
        guard row.depth == 0, suite?.outline.deleted.contains(row.path.key) == true else { return text }
        return suite?.stagedDeletion(ofKey: row.path.key) == nil
            ? "deleted, was \(text)" : "\(text)  will be deleted"
    }

    private func shownText(of row: Row, limit: Int) -> String {
        if suite?.hides(row.path.key) == true { return String(repeating: symbols.hidden, count: 6) }
        if row.shown.isUnread, !row.shown.isContainer { return spelled("reading…", glyphs) }
        let text = state.format.display(row.shown, limit: limit)
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
    fileprivate var style: Style {
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
