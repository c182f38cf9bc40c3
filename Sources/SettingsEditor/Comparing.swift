import PropertyList
import TerminalCanvas

// Values that are compared where a change is looked at or a conflict is settled.
extension EditorState {
    /// From so many rows on, a line says what the conflict is about.
    static let rowsOfConflictWithHeading = 4

    /// What is compared on a screen, and where it stands; nil where nothing is.
    func comparing(_ layout: Layout) -> (subject: ComparisonSubject, places: ComparisonLayout)? {
        if let (values, isHidden) = conflicting {
            let heading = layout.body.count >= Self.rowsOfConflictWithHeading ? 1 : 0
            let area = Area(
                column: 0,
                row: layout.body.lowerBound + heading,
                columns: layout.columns,
                rows: layout.body.count - heading
            )
            let there = kind.heading
            let titles = [
                ("Yours", "Yours:"), ("\(there.title) now", there.short), ("When you began", "Was:"),
            ]
            return compare(
                zip(titles, values).map { ($0.0, $0.1, $1) },
                isHidden: isHidden,
                area
            )
        }
        if case .pending(let screen)? = input, let area = ChangesLayout(layout).details {
            guard let row = pendingRows.dropFirst(screen.selected).first ?? pendingRows.last else {
                return nil
            }
            let pending = row.pending
            // Where others have changed the value, a place may be another one by now.
            let place = pending.isOvertaken ? nil : row.place
            let there = kind.heading
            let isUnreadable = suiteIndex(pending.suite).map { suites[$0].isUnreadable } ?? true
            return compare(
                [
                    (
                        isUnreadable ? "When it was read last" : there.title,
                        isUnreadable ? "Was:" : there.short,
                        place.map { .init($0.old) } ?? .init(pending.stored)
                    ),
                    ("To be written", "New:", place.map { .init($0.new) } ?? .init(pending.change.new)),
                ],
                isHidden: hides(pending.key, of: pending.suite),
                area
            )
        }
        if let screen = historyScreen, let area = ChangesLayout(layout).details {
            let journal = journal(of: screen)
            guard let entry = journal.entry(at: journal.place(of: screen.selected)), let change = entry.ofKey
            else { return nil }
            return compare(
                [
                    ("Before", "Old:", .init(change.value.old)), ("Then", "New:", .init(change.value.new)),
                ],
                isHidden: hides(change.key, of: entry.suite),
                area
            )
        }
        return nil
    }

    /// One's own value, the one that is there, and the one that was, where the user has to choose.
    private var conflicting: (values: [ComparisonSubject.Value], isHidden: Bool)? {
        if let pending = overtaken {
            let values = [pending.change.new, pending.stored, pending.change.old]
            return (values.map { .init($0) }, hides(pending.key, of: pending.suite))
        }
        guard case .conflict(let asked)? = input else { return nil }
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
            parts: values.map {
                ComparisonSubject.Part(title: $0.title, shortTitle: $0.shortTitle, value: $0.value)
            },
            isHidden: isHidden,
            columns: places.texts.first?.columns ?? 0
        )
        return (subject, places)
    }

    /// Makes the lines of what is compared once, and not whenever the screen is drawn.
    mutating func keepComparison() {
        guard let (subject, places) = comparing(Layout(self, size)) else {
            comparison = nil
            return
        }
        if comparison?.subject == subject {
            comparison?.show(places.height)
        } else {
            comparison = Comparison(subject, height: places.height, spelling, options.glyphs)
        }
    }

    /// Whether not all of what is compared can be seen.
    var comparisonScrolls: Bool { comparison?.scrolls == true }

    /// Moves what is shown; false for any other action.
    mutating func scrollComparison(_ action: EditorAction) -> Bool {
        guard comparison != nil else { return false }
        switch action {
        case .scroll(let movement): comparison?.scroll(movement, times: count)
        case .nextDifference: comparison?.goToDifference(forwards: true)
        case .previousDifference: comparison?.goToDifference(forwards: false)
        default: return false
        }
        return true
    }
}

extension Conflict {
    /// One's own, the file's, and the one from which the editing began.
    fileprivate var values: [ComparisonSubject.Value] {
        [.whole(new.asWhole), .init(holding), .init(base)]
    }

    /// The keys that it is about.
    fileprivate var keys: [String] {
        whole == nil ? [path.key] : [base, holding].compactMap { $0 }.flatMap(\.names)
    }
}

extension Comparison {
    /// How the file differs from one's own value, where that is what is compared here.
    func words(of conflict: Conflict) -> ChangeInWords? {
        conflict.values == subject.parts.map(\.value) ? words : nil
    }
}
