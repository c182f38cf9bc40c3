import PropertyList
import SettingsStore

/// What others have changed of the selected row so lately that nobody can have seen it yet: a key that comes now
/// was meant for what was there before. Where the row has gone, and the selection with it to another one, so is
/// the first key that comes later.
struct Unseen: Sendable, Hashable {
    /// Seconds. From a change to the screen takes a few hundredths, and from there to a key longer.
    static let time = 0.2

    enum Kind: Sendable, Hashable {
        case value
        /// The value of an element, which may be another one by now.
        case element
        /// The row is gone, and another one selected.
        case row(selected: ValuePath?)
    }

    let kind: Kind
    let suite: String
    let path: ValuePath
    let until: Double
    /// A key has been refused for it.
    var isTold = false
}

extension EditorState {
    /// Takes note of what has become of the row that was selected before others changed its key.
    mutating func noteUnseen(_ former: Row?, _ changes: [Change]) {
        guard let former, let suite, input == nil, changes.contains(where: { $0.key == former.path.key })
        else { return }
        let row = selectedRow
        // An element may have another place by now, and another key is another row, whatever it holds.
        if row?.shown == former.shown, row?.path.key == former.path.key { return }
        let kind: Unseen.Kind =
            row?.path != former.path
            ? .row(selected: row?.path) : former.path.endsWithIndex ? .element : .value
        unseen = Unseen(kind: kind, suite: suite.id, path: former.path, until: now + Unseen.time)
    }

    /// Who moves knows where the selection is.
    mutating func forgetUnseen() {
        if let unseen, now >= unseen.until { self.unseen = nil }
    }

    /// Why a key does nothing that was meant for what was there before; nil where it does.
    mutating func refusalOfEarly(_ action: EditorAction) -> Refusal? {
        guard let unseen, let suite, unseen.suite == suite.id else { return nil }
        let isEarly = now < unseen.until
        if !isEarly, unseen.isTold || !isOnAnother(unseen) {
            self.unseen = nil
            return nil
        }
        let isAbout =
            switch (unseen.kind, action) {
            case (_, .right), (_, .left), (_, .reveal): false
            case (.row, _): suite.tree.index(of: unseen.path) == nil
            case (.element, .delete), (.element, .raise), (.element, .lower), (_, .flip): true
            default: false
            }
        if !isAbout { return nil }
        self.unseen?.isTold = true
        if isEarly {
            let verb = if case .row = unseen.kind { "gone" } else { "changed" }
            return Refusal("“\(unseen.path.lastName)” has just \(verb); nothing was done.")
        }
        let other = selectedRow.map { ", and “\($0.name)” is selected" } ?? ""
        return Refusal(
            "“\(unseen.path.lastName)” is gone\(other): nothing was done. The same key again does it."
        )
    }

    /// Whether a key would still be about the row that was selected in place of the one that is gone.
    private func isOnAnother(_ unseen: Unseen) -> Bool {
        guard case .row(let selected) = unseen.kind, suite?.marked.isEmpty == true else { return false }
        return selectedRow?.path == selected
    }
}
