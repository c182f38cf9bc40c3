import PropertyList
import ValueDiff

/// A change of a key's value. Nil means that nothing is stored.
public struct ValueChange: Sendable, Hashable {
    public let old: PropertyListValue?
    public let new: PropertyListValue?

    public init(old: PropertyListValue?, new: PropertyListValue?) {
        self.old = old
        self.new = new
    }

    var reversed: ValueChange { ValueChange(old: new, new: old) }
}

/// A change by the user, which is undone as a whole.
struct Transaction: Sendable, Hashable {
    /// The changes of one suite. They are stored in one step.
    struct Part: Sendable, Hashable {
        let suite: String
        /// The changes by key. Empty only if the whole suite is created or removed.
        var changes: [String: ValueChange]
        /// The change of the whole suite; nil if there is none.
        var whole: WholeSuite?
        /// The same for undo, if it is not the reverse of `whole`.
        var wholeReversed: WholeSuite?

        var reversed: Part {
            Part(
                suite: suite,
                changes: changes.mapValues(\.reversed),
                whole: wholeReversed ?? whole?.reversed,
                wholeReversed: wholeReversed == nil ? nil : whole
            )
        }

        /// The same without moving the declarations of a suite, or of any suite.
        func leavingDeclarations(of suite: String?) -> Part {
            var part = self
            if suite == nil || suite == self.suite {
                part.whole = whole?.leavingDeclarations
                part.wholeReversed = wholeReversed?.leavingDeclarations
            }
            return part
        }
    }

    /// A unique number.
    let number: Int
    /// The parts, in the order in which they are written.
    var parts: [Part]
    /// Whether a value moves from one key to another. If it is staged, all of it is written or nothing.
    var isMove = false

    func part(_ parts: some Sequence<Part>) -> Transaction {
        Transaction(number: number, parts: Array(parts), isMove: isMove)
    }

    /// The only change, if there is exactly one.
    var only: (suite: String, key: String, change: ValueChange)? {
        guard parts.count == 1, let part = parts.first, part.whole == nil, part.changes.count == 1,
            let (key, change) = part.changes.first
        else { return nil }
        return (part.suite, key, change)
    }

    var keyCount: Int { parts.reduce(0) { $0 + $1.changes.count } }
}

extension ThreeWayMerge {
    /// Applies a change of a key to what the key holds now.
    init(_ change: ValueChange, over current: PropertyListValue?) {
        self.init(base: change.old, mine: change.new, theirs: current)
    }
}
