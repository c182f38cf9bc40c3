import PropertyList

/// Another value for a key; nil where nothing is stored.
public struct ValueChange: Sendable, Hashable {
    public let old: PropertyListValue?
    public let new: PropertyListValue?

    public init(old: PropertyListValue?, new: PropertyListValue?) {
        self.old = old
        self.new = new
    }

    var reversed: ValueChange { ValueChange(old: new, new: old) }
}

/// What the user did in one step: the keys that get other values.
struct Edit: Sendable, Hashable {
    /// What one suite has to store in one step.
    struct Part: Sendable, Hashable {
        let suite: String
        /// By key; empty only where the suite as a whole is made or removed.
        var changes: [String: ValueChange]
        /// It goes into a new file in place of one that was deleted, with what that held.
        var restores = false
        /// What becomes of the suite as a whole; nil: it stays.
        var whole: WholeSuite?
        /// The same for the way back, where the other does not tell it.
        var wholeReversed: WholeSuite?

        var reversed: Part {
            Part(
                suite: suite,
                changes: changes.mapValues(\.reversed),
                whole: wholeReversed ?? whole?.reversed,
                wholeReversed: wholeReversed == nil ? nil : whole
            )
        }

        /// The same with what is declared left as it is, where it is about this suite, or any.
        func leavingDeclarations(of suite: String?) -> Part {
            var part = self
            if suite == nil || suite == self.suite {
                part.whole = whole?.leavingDeclarations
                part.wholeReversed = wholeReversed?.leavingDeclarations
            }
            return part
        }
    }

    /// Unlike every other's.
    let number: Int
    /// In the order in which they are written.
    var parts: [Part]
    /// What goes from one of its keys comes to another: where it waits, all of it is written, or nothing.
    var isMove = false

    func part(_ parts: some Sequence<Part>) -> Edit {
        Edit(number: number, parts: Array(parts), isMove: isMove)
    }

    /// Its only change, where it has no more than one.
    var only: (suite: String, key: String, change: ValueChange)? {
        guard parts.count == 1, let part = parts.first, part.whole == nil, part.changes.count == 1,
            let (key, change) = part.changes.first
        else { return nil }
        return (part.suite, key, change)
    }

    var keyCount: Int { parts.reduce(0) { $0 + $1.changes.count } }
}
