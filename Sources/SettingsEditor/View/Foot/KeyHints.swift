import TerminalCanvas

/// Chooses the keys to name on the last line of the screen, and knows where they are, so that they can be clicked.
struct KeyHints {
    struct Place {
        let binding: KeyBinding
        /// The name, with a count if there is one.
        let name: String
        let area: Area
    }

    private(set) var places: [Place] = []
    /// The columns of the lines between groups.
    private(set) var separators: [Int] = []

    private static let gap = 2
    /// A line between two groups, with its spaces.
    private static let separatorWidth = 3
    /// More hints are not read. The help and the palette have all commands.
    private static let mostHints = 8
    /// The number of hints that are more important than how to quit, which the help says too.
    private static let hintsBeforeQuit = 4

    init(_ state: EditorState, _ layout: Layout) {
        if layout.noticeHasAnswers {
            addAnswers(state, layout)
            return
        }
        places = layout.box?.places ?? []
        guard let row = layout.keyLine else { return }
        let (columns, glyphs) = (layout.columns, state.options.glyphs)
        let bindings = state.keymap.hints(in: state.mode)
        // Indices and loops, because copies of bindings and of the state take as long as drawing some rows.
        var order = Array(bindings.indices)
        // While changes are staged, how to save them is more important than how to make more.
        if let pending = Self.index(of: .pending, in: bindings, state),
            let first = Self.index(of: nil, in: bindings, state), pending > first + 1
        {
            order.insert(order.remove(at: pending), at: first + 1)
        }
        let ends = [Command.quit, .help].map { Self.index(of: $0, in: bindings, state) }
        order.removeAll { ends.contains($0) }
        var shown: [Hint] = []
        var width = LineWidth()
        /// Adds a hint, if it exists and there is room. Returns false if not.
        @discardableResult
        func add(_ index: Int?) -> Bool {
            guard let index else { return false }
            let count = bindings[index].command == .pending ? state.pendingChanges.count : nil
            let hint = Hint(index, bindings, count: count, glyphs)
            var wider = width
            wider.add(hint)
            guard wider.columns <= columns || index == ends[1] else { return false }
            width = wider
            shown.append(hint)
            return true
        }
        // The help is there at any width. It says how to quit, so the first hints are more important than that.
        add(ends[1])
        var asksQuit = true
        // Whether a binding is useful is asked only while there is room, because each answer takes time.
        for index in order where state.isUseful(bindings[index]) {
            if asksQuit, shown.count > Self.hintsBeforeQuit {
                add(ends[0])
                asksQuit = false
            }
            if shown.count >= Self.mostHints { break }
            // If the first hints do not fit, later ones might.
            if !add(index), shown.contains(where: { !ends.contains($0.index) }) { break }
        }
        if asksQuit { add(ends[0]) }
        let last = ends.compactMap { end in shown.first { $0.index == end } }
        shown.removeAll { ends.contains($0.index) }
        var column = 0
        let groups = Self.grouped(shown + last)
        for (number, group) in groups.enumerated() {
            if number > 0 {
                separators.append(column + 1)
                column += Self.separatorWidth
            }
            for (place, hint) in group.enumerated() {
                if place > 0 { column += Self.gap }
                let width = min(hint.width, max(0, columns - column))
                let area = Area(column: column, row: row, columns: width, rows: 1)
                places.append(Place(binding: bindings[hint.index], name: hint.name, area: area))
                column += width
            }
        }
    }

    /// The index of the first useful binding of a command, or of any.
    private static func index(of command: Command?, in bindings: [KeyBinding], _ state: EditorState) -> Int? {
        for index in bindings.indices where command == nil || bindings[index].command == command {
            if state.isUseful(bindings[index]) { return index }
        }
        return nil
    }

    /// Whether a line has room for all of these keys.
    static func fit(_ bindings: [KeyBinding], columns: Int, _ glyphs: Glyphs) -> Bool {
        var width = LineWidth()
        for index in bindings.indices { width.add(Hint(index, bindings, glyphs)) }
        return width.columns <= columns
    }

    private struct Hint {
        let index: Int
        let name: String
        let group: HintGroup
        let width: Int

        init(_ index: Int, _ bindings: [KeyBinding], count: Int? = nil, _ glyphs: Glyphs) {
            (self.index, group) = (index, bindings[index].group)
            name = bindings[index].name + (count.map { " \($0)" } ?? "")
            width = displayWidth(of: bindings[index].keyName(glyphs), glyphs: glyphs) + 1 + name.count
        }
    }

    private static func grouped(_ hints: [Hint]) -> [[Hint]] {
        HintGroup.allCases.map { group in hints.filter { $0.group == group } }.filter { !$0.isEmpty }
    }

    /// The width of a line of hints, with the space between them.
    private struct LineWidth {
        private var hints = 0
        private var count = 0
        private var groups: [HintGroup] = []

        mutating func add(_ hint: Hint) {
            hints += hint.width
            count += 1
            if !groups.contains(hint.group) { groups.append(hint.group) }
        }

        var columns: Int { hints + gap * (count - groups.count) + separatorWidth * max(0, groups.count - 1) }
    }

    /// Adds the answers of a question, which are part of its text.
    private mutating func addAnswers(_ state: EditorState, _ layout: Layout) {
        let glyphs = state.options.glyphs
        func width(of text: some StringProtocol) -> Int { displayWidth(of: String(text), glyphs: glyphs) }
        for (binding, answer) in zip(state.usefulBindings, state.answers) {
            for (row, line) in zip(layout.message, layout.notice).reversed() {
                guard let place = line.ranges(of: answer).last else { continue }
                let area = Area(
                    column: width(of: line[..<place.lowerBound]),
                    row: row,
                    columns: width(of: answer),
                    rows: 1
                )
                places.append(Place(binding: binding, name: binding.name, area: area))
                break
            }
        }
    }
}

/// The groups of the key line, from left to right.
private enum HintGroup: CaseIterable {
    case edit, find, help
}

extension KeyBinding {
    fileprivate var group: HintGroup {
        switch command {
        case .search, .filter, .jump, .searchAll, .nextMatch, .previousMatch, .chooseOnly, .chooseLevel,
            .switchPane, .nextDifference:
            .find
        case .palette, .help, .quit, .preferences, .watch, .details: .help
        default: .edit
        }
    }
}
