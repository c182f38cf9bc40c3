import PropertyList
import TerminalCanvas

/// Two suites or two values side by side.
///
/// The screen knows what is compared and which row is selected. Its rows are in ``ComparedRows``, because there can be
/// many of them, and the values are looked up in the suites, so that both sides are always the present ones.
struct CompareScreen: Sendable, Hashable {
    let left: ComparedSide
    let right: ComparedSide
    /// Nil for the first row.
    var selected: ComparedRow.ID?
    var top = 0
    /// The rows that were chosen with m.
    var chosen: Set<ComparedRow.ID> = []
    /// Whether equal keys are shown too.
    var showsSame = false

    var sides: [ComparedSide] { [left, right] }
    var isOfSuites: Bool { left.isSuite }
}

extension CompareScreen: Component {
    var keyMode: Mode { .compare }

    func paint(_ painter: inout Painter) { painter.paintCompare(self) }

    /// A click only selects. What a row is copied to must be said by a key.
    func click(_ point: Point, _ layout: Layout, in state: EditorState) -> Click? {
        let rows = state.compared?.rows ?? []
        guard let line = ChangesLayout(layout).list.line(of: point), rows.indices.contains(top + line) else {
            return nil
        }
        var screen = self
        screen.selected = rows[top + line].id
        return Click(modal: .comparing(screen), actsLikeEnter: false)
    }

    func handle(_ command: Command, in state: inout EditorState) -> [Effect] {
        let compared = state.compared ?? ComparedRows()
        var screen = self
        let place = compared.index(of: selected)
        let row = compared.rows.indices.contains(place) ? compared.rows[place] : nil
        switch command {
        // Esc cancels a count first, and then the multi-selection.
        case .cancel where state.keyInput.count != nil: break
        case .cancel where !chosen.isEmpty: screen.chosen = []
        case .cancel:
            state.modals.closeAll()
            return []
        case .move(let movement):
            guard row != nil else { break }
            let target = movement.target(
                from: place,
                count: compared.rows.count,
                page: ChangesLayout(Layout(state, state.display.size)).list.rows,
                times: state.keyInput.count
            )
            screen.selected = compared.rows[target].id
        case .nextMatch, .previousMatch:
            guard let next = compared.difference(from: place, forwards: command == .nextMatch) else { break }
            screen.selected = next
        case .multiSelect:
            guard let row else { break }
            if screen.chosen.remove(row.id) == nil { screen.chosen.insert(row.id) }
            screen.selected = compared.rows[min(place + 1, compared.rows.count - 1)].id
        case .chooseOnly:
            screen.showsSame.toggle()
            state.compared?.begin()
        case .reveal:
            for side in sides {
                let key = row.map { side.isSuite ? $0.id.key : side.path.key } ?? ""
                state.suiteList.toggleSecret(key, of: side.suite)
                if left.suite == right.suite { break }
            }
        case .copyLeft, .copyRight:
            let ids = chosen.isEmpty ? row.map { [$0.id] } ?? [] : chosen
            let effects = state.attempt { state throws in
                try state.write(state.copying(ids, of: self, toRight: command == .copyRight))
            }
            screen.chosen = []
            state.modals.update(to: screen)
            return effects
        case .copyCommand: return state.attempt { state throws in try state.copyCommands(equalizing: self) }
        case .scroll, .nextDifference, .previousDifference: state.say(state.reasonForNothingCompared)
        default: break
        }
        state.modals.update(to: screen)
        return []
    }
}

extension ComparedRows {
    /// The next row that is not equal. Continues at the other end.
    fileprivate func difference(from place: Int, forwards: Bool) -> ComparedRow.ID? {
        let differ: (ComparedRow) -> Bool = { $0.kind != .same }
        let next =
            forwards
            ? rows.dropFirst(place + 1).first(where: differ) ?? rows.first(where: differ)
            : rows.prefix(place).last(where: differ) ?? rows.last(where: differ)
        return next?.id
    }
}

extension ModalStack {
    var comparing: CompareScreen? {
        for case .comparing(let screen) in all { return screen }
        return nil
    }

    /// Changes the comparison, even below a question.
    fileprivate mutating func update(to screen: CompareScreen) {
        updateEach { if case .comparing = $0 { $0 = .comparing(screen) } }
    }
}

// Opening a comparison.
extension EditorState {
    mutating func compare(_ left: ComparedSide, _ right: ComparedSide) {
        compared = ComparedRows()
        modals.open(.comparing(CompareScreen(left: left, right: right)))
    }

    /// Asks what the selected suite or value is compared with.
    mutating func chooseToCompare() throws -> [Effect] {
        guard let suite else { return [] }
        if display.focus == .suites {
            if suiteList.suites.count < 2 { throw Refusal("There is no other suite to compare with.") }
            return beginFinding(.compare(.now(suite: suite.id)))
        }
        guard let row = selectedRow, suite.outline.node(at: row.path) != nil else {
            throw Refusal("There is no value to compare.")
        }
        return beginFinding(.compare(.now(suite: suite.id, row.path)))
    }

    /// Compares the selected suite with its declared defaults, or with what it had when the editor was opened.
    mutating func compareSuite(withDefaults: Bool) throws -> [Effect] {
        guard let suite else { return [] }
        if withDefaults, suite.schema.isEmpty {
            throw Refusal("No program has declared defaults for “\(suite.title)”.")
        }
        compare(.now(suite: suite.id), withDefaults ? .defaults(suite: suite.id) : .start(suite: suite.id))
        return []
    }

    /// Opens the comparison that the command line asks for, as soon as both suites are listed.
    mutating func compareWantedSuites() {
        guard let (left, right) = wantedComparison, suiteIndex(left) != nil, suiteIndex(right) != nil else {
            return
        }
        wantedComparison = nil
        compare(.now(suite: left), .now(suite: right))
    }
}

// Following both sides.
extension EditorState {
    /// Reads the compared suites, and finds out which of their keys may have changed.
    mutating func followComparison() -> [Effect] {
        guard var screen = modals.comparing else {
            guard compared != nil else { return [] }
            compared = nil
            for index in suiteList.suites.indices { suiteList.suites[index].updatedKeys = nil }
            return []
        }
        let journal = history.journal
        compared?.start.read(journal, of: screen.left.suite)
        var effects: [Effect] = []
        for id in Set(screen.sides.map(\.suite)) {
            effects += suiteList.load(id)
            guard let index = suiteIndex(id) else { continue }
            let keys = suiteList.suites[index].updatedKeys
            if keys?.isEmpty == true { continue }
            suiteList.suites[index].updatedKeys = []
            guard let keys else {
                compared?.begin()
                continue
            }
            // The parts of a changed value may have other numbers now.
            screen.chosen = screen.chosen.filter { $0.number == nil || !keys.contains($0.key) }
            compared?.compareAgain(screen.isOfSuites ? keys : keys.intersection(screen.sides.map(\.path.key)))
        }
        modals.update(to: screen)
        return effects
    }

    /// Whether keys are left to compare.
    var comparisonHasWork: Bool {
        guard let screen = modals.comparing, compared?.hasWork == true else { return false }
        return isRead(screen.left) && isRead(screen.right)
    }

    mutating func goOnComparing(_ budget: inout WorkBudget) {
        guard comparisonHasWork, let screen = modals.comparing else { return }
        if screen.isOfSuites {
            let left = values(of: screen.left, beside: screen.right)
            let right = values(of: screen.right, beside: screen.left)
            compared?.goOn(left, right, showsSame: screen.showsSame, &budget)
        } else {
            let (left, right) = (node(of: screen.left), node(of: screen.right))
            compared?.compare(left, right)
        }
    }

    /// Keeps the selected row of the comparison on the screen.
    mutating func keepTopOfComparison() {
        guard var screen = modals.comparing, let compared else { return }
        screen.top = visibleTop(
            screen.top,
            selected: compared.index(of: screen.selected),
            count: compared.rows.count,
            height: ChangesLayout(Layout(self, display.size)).list.rows
        )
        modals.update(to: screen)
    }
}
