import PropertyList
import TerminalCanvas

/// Where the parts of a row stand, counted from the pane's left edge.
struct KeyColumns {
    /// Behind the signs for the selection and for changes.
    static let name = 2
    let nameWidth: Int
    /// Nil where there is no room for it.
    let type: Int?
    let value: Int

    var behindName: Int { type ?? value }

    /// - Parameter names: the columns of the longest name that has been on the screen.
    init(_ columns: Int, names: Int) {
        let room = max(0, columns - Self.name)
        let typeWidth = columns >= 40 ? 8 : 0
        // With the sign for what can be opened. Values that stood further off would belong to no name.
        let wanted = min(max(36, names + 2), 80)
        nameWidth = min(wanted, max(0, room - typeWidth) * 9 / 20)
        let next = Self.name + nameWidth + 1
        type = typeWidth > 0 ? next : nil
        value = next + typeWidth
    }

    /// How far a name is set in, as deep as there is room for.
    func indent(_ depth: Int) -> Int { min(2 * depth, deepest) }

    /// The furthest that one is.
    var deepest: Int { max(0, nameWidth / 2 - 1) }
}

extension SuiteModel {
    func keyColumns(_ columns: Int) -> KeyColumns { KeyColumns(columns, names: tree.widestName) }
}

// A row of the keys.
extension Painter {
    func keyColumns(_ area: Area) -> KeyColumns {
        suite?.keyColumns(area.columns) ?? KeyColumns(area.columns, names: 0)
    }

    mutating func paint(_ row: Row, isSelected: Bool, _ area: Area, _ screenRow: Int) {
        let parts = keyColumns(area)
        if isSelected {
            let isMarked = suite?.marked.contains(row.path) == true
            let sign = state.focus == .keys ? signs.selected : signs.selectedElsewhere
            write(
                isMarked ? signs.markedSelected : sign,
                column: area.column,
                row: screenRow,
                columns: min(1, area.columns)
            )
        }
        if !isSelected, suite?.marked.contains(row.path) == true {
            write(signs.marked, column: area.column, row: screenRow, columns: min(1, area.columns))
        }
        let isChanged = suite?.marks.contains(row) == true
        let fold = row.shown.mayBeOpened ? (row.isOpen ? signs.open : signs.closed) : " "
        paint(name: row.name, fold: fold, depth: row.depth, area, screenRow)
        paintSigns(of: row, isChanged: isChanged, area, screenRow)
        let isUnset = suite?.isStored(row.path.key) == false
        if let type = parts.type {
            let name = suite?.typeName(of: row) ?? ""
            write(name, column: area.column + type, row: screenRow, columns: 7, style: .type)
        }
        let room = area.columns - parts.value
        let tellsBefore = isChanged && row.path != suite?.tree.kept && suite?.hides(row.path.key) != true
        let found = isChanged ? nil : textOfFound(in: row)
        let before =
            (tellsBefore ? suite?.marks.before(row, state.spelling) : nil)
            ?? (found == nil ? textOfGone(from: row) : nil)
        // Of both something is to be seen.
        let share =
            room < 24 ? 0 : before.map { min(displayWidth(of: $0, glyphs: glyphs) + 2, room / 2) } ?? 0
        let used = write(
            text(of: row, limit: max(1, room - share) + 1),
            column: area.column + parts.value,
            row: screenRow,
            columns: room - share,
            style: isChanged
                ? .changed : row.shown.isContainer || row.shown.isUnread || isUnset ? .faint : .plain
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
        if row.path == suite?.tree.kept {
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
        if isSelected { restyleSelection(area, screenRow, hasFocus: state.focus == .keys) }
    }

    /// What there is to say of a row, in front of its name; of what can be opened the second sign, for which there
    /// is no room, stands in front of its value.
    private mutating func paintSigns(of row: Row, isChanged: Bool, _ area: Area, _ screenRow: Int) {
        var all: [(sign: String, style: Style)] = isChanged ? [(signs.changed, .changed)] : []
        let (isKey, key) = (row.depth == 0, row.path.key)
        if isKey, suite?.tree.deleted.contains(key) == true {
            all.append((signs.deleted, .plain))
        } else if suite?.isStaged(row) == true {
            all.append((signs.staged, .plain))
        } else if isKey, !isChanged, suite?.isInFlight(key) == true {
            all.append((signs.pending, .plain))
        }
        if isKey, suite?.isSeenUndecodable(row) == true {
            all.append((signs.problem, .problem))
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

    /// Where inside a closed row the filter has found something, and what; nil where that is not what the
    /// row is shown for.
    private mutating func textOfFound(in row: Row) -> String? {
        guard row.shown.isContainer, !row.isOpen, suite?.hides(row.path.key) == false,
            let way = suite?.tree.wayToFound(from: row, &effort)
        else { return nil }
        return "\(signs.inside) \(way) \(brief(row.shown.node(at: way), state.spelling))"
    }

    /// What others have deleted in a row, where the filter shows that.
    private func textOfGone(from row: Row) -> String? {
        guard row.path != suite?.tree.kept, suite?.hides(row.path.key) == false,
            let gone = suite?.tree.gone[row.path.key]
        else { return nil }
        return gone.text(from: row.path.inside, isOpen: row.isOpen, state.spelling)
            .map { "\(signs.deleted) \($0)" }
    }

    /// The value of a row, as far as it may be shown.
    func text(of row: Row, limit: Int) -> String {
        if row.depth == 0, suite?.isWithoutValue(row.path.key) == true { return "not set" }
        let text = shownText(of: row, limit: limit)
        return row.depth == 0 && suite?.tree.deleted.contains(row.path.key) == true
            ? "deleted, was \(text)" : text
    }

    private func shownText(of row: Row, limit: Int) -> String {
        if suite?.hides(row.path.key) == true { return String(repeating: signs.hidden, count: 6) }
        if row.shown.isUnread, !row.shown.isContainer { return spelled("reading…", glyphs) }
        let text = state.spelling.display(row.shown, limit: limit)
        guard text.utf8.count >= limit, let pattern = state.patternToMark, let whole = row.shown.text else {
            return text
        }
        return pattern.stretch(of: whole, beginning: text, columns: limit) ?? text
    }

    private func sign(of origin: ValueOrigin?) -> String? {
        switch origin {
        case .undeclared, .sameAsDefault, nil: nil
        case .byDefault: signs.byDefault
        case .modified: signs.modified
        }
    }

    /// The name with its sign for open and closed, set in as deep as there is room for.
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
        // Where there is no room to set it in further than what it lies in, its depth is told.
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
