import TerminalCanvas

/// Where the last lines name keys.
struct FootKeys {
    struct Place {
        let binding: KeyBinding
        let area: Area
    }

    private(set) var places: [Place] = []

    init(_ state: EditorState, _ layout: Layout) {
        switch state.input {
        // What is typed takes the line.
        case .search?, .finding?, .palette?: return
        default: break
        }
        if layout.notice.isEmpty {
            addUseful(state, layout)
        } else if !state.answers.isEmpty {
            addAnswers(state, layout)
        }
    }

    /// The most useful keys, as many as fit, and at the end the way out and the one that shows all of them.
    private mutating func addUseful(_ state: EditorState, _ layout: Layout) {
        guard let row = layout.foot.first else { return }
        let (columns, glyphs) = (layout.columns, state.options.glyphs)
        func width(of binding: KeyBinding) -> Int {
            displayWidth(of: binding.keys[0].name(glyphs), glyphs: glyphs) + 1 + binding.name.count
        }
        let gap = 2
        var bindings = state.usefulBindings
        var last: [KeyBinding] = []
        // On a line that has room for little else, the way out is in the help.
        for action in columns < 30 ? [EditorAction.help] : [.quit, .help] {
            if let index = bindings.firstIndex(where: { $0.action == action }) {
                last.append(bindings.remove(at: index))
            }
        }
        // Behind the last one there is nothing.
        var room = columns + gap - last.reduce(0) { $0 + width(of: $1) + gap }
        var shown: [KeyBinding] = []
        for binding in bindings {
            // Where the first ones have no room, any that has is better than none.
            guard width(of: binding) + gap <= room else { if shown.isEmpty { continue } else { break } }
            room -= width(of: binding) + gap
            shown.append(binding)
        }
        var column = 0
        for binding in shown + last {
            let width = min(width(of: binding), max(0, columns - column))
            places.append(
                Place(binding: binding, area: Area(column: column, row: row, columns: width, rows: 1))
            )
            column += width + gap
        }
    }

    /// What can be answered, which stands behind what is asked.
    private mutating func addAnswers(_ state: EditorState, _ layout: Layout) {
        let glyphs = state.options.glyphs
        func width(of text: some StringProtocol) -> Int { displayWidth(of: String(text), glyphs: glyphs) }
        for (binding, answer) in zip(state.usefulBindings, state.answers) {
            for (row, line) in zip(layout.foot, layout.notice).reversed() {
                guard let place = line.ranges(of: answer).last else { continue }
                let area = Area(
                    column: width(of: line[..<place.lowerBound]),
                    row: row,
                    columns: width(of: answer),
                    rows: 1
                )
                places.append(Place(binding: binding, area: area))
                break
            }
        }
    }
}
