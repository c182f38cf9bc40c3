import PropertyList
import TerminalCanvas

// Chooses the values that a conflict, a pending change or a history entry compares, and keeps the comparison
// while the user scrolls in it.
extension EditorState {
    /// From this height on a heading names the key of the conflict.
    static let rowsOfConflictWithHeading = 4

    /// The values compared on this screen and their layout; nil if nothing is compared.
    func comparing(_ layout: Layout) -> (subject: ComparisonSubject, places: ComparisonLayout)? {
        if let (values, isHidden) = conflicting {
            let heading = layout.body.count >= Self.rowsOfConflictWithHeading ? 1 : 0
            var area = layout.bodyArea
            area.row += heading
            area.rows -= heading
            let there = kind.heading
            let titles = [
                ("Yours", "Yours:"), ("\(there.title) now", there.short), ("When you started", "Was:"),
            ]
            return compare(
                zip(titles, values).map { ($0.0, $0.1, $1) },
                isHidden: isHidden,
                area
            )
        }
        if case .pending(let screen)? = modals.screen, let area = ChangesLayout(layout).details {
            guard let row = staging.rows.dropFirst(screen.selected).first ?? staging.rows.last else {
                return nil
            }
            let pending = row.pending
            // After a foreign change the path may belong to another element.
            let place = pending.isOvertaken ? nil : row.place
            let there = kind.heading
            let isUnreadable = suiteIndex(pending.suite).map { suiteList.suites[$0].isUnreadable } ?? true
            return compare(
                [
                    (
                        isUnreadable ? "Last readable value" : there.title,
                        isUnreadable ? "Was:" : there.short,
                        place.map { .init($0.old) } ?? .init(pending.stored)
                    ),
                    ("To be saved", "New:", place.map { .init($0.new) } ?? .init(pending.change.new)),
                ],
                isHidden: hides(pending.key, of: pending.suite),
                area
            )
        }
        if let screen = modals.comparing, let area = ChangesLayout(layout).details {
            guard let row = comparedRow(screen) else { return nil }
            let (left, right) = (screen.left, screen.right)
            let nodes = comparedNodes(row, values(of: left, beside: right), values(of: right, beside: left))
            return compare(
                [
                    (title(of: left), "Left:", .init(nodes.left)),
                    (title(of: right), "Right:", .init(nodes.right)),
                ],
                isHidden: hidesCompared(row.id.key, screen),
                area
            )
        }
        if let screen = historyScreen, let area = ChangesLayout(layout).details {
            let journal = journal(of: screen)
            guard let entry = journal.entry(at: journal.place(of: screen.selected)), let change = entry.ofKey
            else { return nil }
            return compare(
                [
                    ("Before", "Old:", .init(change.value.old)), ("After", "New:", .init(change.value.new)),
                ],
                isHidden: hides(change.key, of: entry.suite),
                area
            )
        }
        return nil
    }

    /// The user's value, the stored value and the old value, if the user has to choose.
    private var conflicting: (values: [ComparisonSubject.Value], isHidden: Bool)? {
        if let pending = overtaken {
            let values = [pending.change.new, pending.stored, pending.change.old]
            return (values.map { .init($0) }, hides(pending.key, of: pending.suite))
        }
        guard case .conflict(let asked)? = modals.screen else { return nil }
        let conflict = renewed(asked)
        return (conflict.values, conflict.keys.contains { hides($0, of: conflict.suite) })
    }

    private func compare(
        _ values: [(title: String, shortTitle: String, value: ComparisonSubject.Value)],
        isHidden: Bool,
        _ area: Area
    ) -> (subject: ComparisonSubject, places: ComparisonLayout) {
        let places = ComparisonLayout(area, values.map { ($0.title, $0.shortTitle) })
        let subject = ComparisonSubject(
            parts: values.map { .init(title: $0, shortTitle: $1, value: $2) },
            isHidden: isHidden,
            columns: places.texts.first?.columns ?? 0
        )
        return (subject, places)
    }

    /// The compared values as lines. They are made once, and not for each frame.
    var comparison: Comparison? {
        guard let (subject, places) = comparing(Layout(self, display.size)) else { return nil }
        guard var known = display.comparison, known.subject == subject else {
            return Comparison(subject, height: places.height, format, options.glyphs)
        }
        known.show(places.height)
        return known
    }

    /// Whether some lines are hidden.
    var comparisonScrolls: Bool { display.comparison?.scrolls == true }
}

extension ConflictDialog {
    /// The user's value, the stored value, and the value before both changes.
    fileprivate var values: [ComparisonSubject.Value] {
        [.whole(new.asWhole), .init(holding), .init(base)]
    }

    /// The keys that the conflict is about.
    fileprivate var keys: [String] {
        whole == nil ? [path.key] : [base, holding].compactMap { $0 }.flatMap(\.names)
    }
}

extension Comparison {
    /// How the stored value differs from the user's, if this comparison is about that conflict.
    func words(of conflict: ConflictDialog) -> ChangeSummary? {
        conflict.values == subject.parts.map(\.value) ? words : nil
    }
}

extension EditorState {
    /// Whether the compared values are secrets, shown or not.
    var comparesSecrets: Bool {
        let place: (suite: String, key: String)? =
            if case .conflict(let conflict)? = modals.screen {
                (conflict.suite, conflict.path.key)
            } else {
                overtaken.map { ($0.suite, $0.key) }
            }
        guard let place, let index = suiteIndex(place.suite) else { return false }
        return suiteList.suites[index].secrets.contains(place.key)
    }
}
