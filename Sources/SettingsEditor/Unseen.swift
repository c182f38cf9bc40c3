import PropertyList
import SettingsStore

/// What others have changed of the selected row so lately that nobody can have seen it yet: a key that comes now
/// was meant for what was there before.
struct Unseen: Sendable, Hashable {
    /// Seconds. From a change to the screen takes a few hundredths, and from there to a key longer.
    static let time = 0.2

    enum Kind: Sendable, Hashable {
        case value
        /// The value of an element, which may be another one by now.
        case element
        /// The row is gone, and another one selected.
        case row
    }

    let kind: Kind
    let path: ValuePath
    let until: Double
}

extension EditorState {
    /// Takes note of what has become of the row that was selected before others changed its key.
    mutating func noteUnseen(_ former: Row?, _ changes: [Change]) {
        guard let former, input == nil, changes.contains(where: { $0.key == former.path.key }) else { return }
        let row = selectedRow
        if row?.shown == former.shown { return }
        let kind: Unseen.Kind =
            row?.path != former.path ? .row : former.path.endsWithIndex ? .element : .value
        unseen = Unseen(kind: kind, path: former.path, until: now + Unseen.time)
    }

    /// Why a key does nothing that was meant for what was there before; nil where it does.
    func refusalOfEarly(_ action: EditorAction) -> Refusal? {
        guard let unseen, now < unseen.until else { return nil }
        let isAbout =
            switch (unseen.kind, action) {
            case (_, .right), (_, .left), (_, .reveal): false
            case (.row, _): suite?.tree.index(of: unseen.path) == nil
            case (.element, .delete), (.element, .raise), (.element, .lower), (_, .flip): true
            default: false
            }
        if !isAbout { return nil }
        let verb = unseen.kind == .row ? "gone" : "changed"
        return Refusal("“\(unseen.path.lastName)” has just \(verb); nothing was done.")
    }
}
