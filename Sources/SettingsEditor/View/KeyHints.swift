import TerminalCanvas

/// Chooses the keys to name on the last lines of the screen, and knows where they are, so that they can be
/// clicked.
struct KeyHints {
    struct Place {
        let binding: KeyBinding
        let area: Area
    }

    private(set) var places: [Place] = []

    init(_ state: EditorState, _ layout: Layout) {
        switch state.modal {
        // A prompt takes the whole line.
        case .search?, .finding?, .palette?, .path?: return
        case .help(let screen)? where screen.filter != nil: return
        default: break
        }
        if layout.notice.isEmpty {
            addUseful(state, layout)
        } else if !state.answers.isEmpty {
            addAnswers(state, layout)
        }
    }

    /// Adds the most useful keys that fit, and at the end the keys for quit and help.
    private mutating func addUseful(_ state: EditorState, _ layout: Layout) {
        guard let row = layout.foot.first else { return }
        let (columns, glyphs) = (layout.columns, state.options.glyphs)
        func width(of binding: KeyBinding) -> Int {
            displayWidth(of: binding.keys[0].name(glyphs), glyphs: glyphs) + 1 + binding.name.count
        }
        let gap = 2
        var bindings = state.usefulBindings
        var last: [KeyBinding] = []
        // On a narrow line the help must do: it names the key for quit.
        for command in columns < 30 ? [Command.help] : [.quit, .help] {
            if let index = bindings.firstIndex(where: { $0.command == command }) {
                last.append(bindings.remove(at: index))
            }
        }
        // No gap follows the last hint.
        var room = columns + gap - last.reduce(0) { $0 + width(of: $1) + gap }
        var shown: [KeyBinding] = []
        for binding in bindings {
            // If the first hints do not fit, later ones might.
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

    /// Adds the answers of a question, which are part of its text.
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
