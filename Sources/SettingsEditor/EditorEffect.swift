/// What an update asks of whoever runs the editor.
public enum EditorEffect: Sendable, Hashable {
    /// Read a suite, tell ``EditorAction/declared(_:_:problem:)`` and ``EditorAction/loaded(_:values:_:)``,
    /// in this order, and from then on its changes. The id can be the name of a suite that isn't there yet.
    case load(String)
    /// Read these suites in this order, and tell ``EditorAction/read(_:values:_:)`` for each, but not its
    /// changes. Whatever was to be read before need not be any more.
    case read([String])
    case write(Write)
    /// Put a text into the terminal's and the system's clipboards.
    case copy(String)
    /// Run the user's editor on a text, and tell ``EditorAction/edited(_:)``.
    case edit(OutsideText)
    case reportMouse(Bool)
    /// Draw in the colours for the other kind of background.
    case changeTheme
    /// Set aside the suite's file, which can't be read, and store what was known of it in a new one; then
    /// tell ``EditorAction/recovered(_:_:)``.
    case recover(String)
    /// Remove what somebody has begun to make of a suite and not finished; then tell
    /// ``EditorAction/removedPart(_:_:)``.
    case removePart(String)
    /// Find out what a key of a suite has been, and tell ``EditorAction/revisions(_:key:_:)``.
    case findRevisions(String, key: String)
    case suspend
    case redraw
    case quit
}

/// Store new values in one step, if all of the keys still hold the old ones.
public struct Write: Sendable, Hashable {
    public let id: WriteID
    /// The suite's id.
    public let suite: String
    /// By key; empty only where the suite as a whole is made or removed.
    public internal(set) var changes: [String: ValueChange]
    /// What becomes of the suite as a whole; nil: it stays. Else nothing is written where it holds any other key.
    public var whole: WholeSuite?
    /// The suite whose place one that is made takes: it goes in the same step.
    public var inPlaceOf: String?
}

/// What a write does to a suite as a whole.
public enum WholeSuite: Sendable, Hashable {
    /// It is made, and written like another one, by its id, or as it was before it was removed here; where that
    /// one is a symbolic link, it is one too if that is wanted. What is declared of a second one is declared of
    /// it, too, where nothing is yet.
    case made(like: String?, asLink: Bool = false, declaredAs: String? = nil)
    /// It goes with all of its keys, and what is declared of it where the same is declared of a second one.
    case removed(declaredAs: String? = nil)
    /// Its file is made as this symbolic link, or is no longer that one, whatever it leads to. It has no keys.
    case linked(to: String)
    case unlinked(from: String)

    var reversed: WholeSuite {
        switch self {
        case .made(_, _, let other): .removed(declaredAs: other)
        case .removed(let other): .made(like: nil, declaredAs: other)
        case .linked(let target): .unlinked(from: target)
        case .unlinked(let target): .linked(to: target)
        }
    }

    /// The same, with what is declared left as it is.
    var leavingDeclarations: WholeSuite {
        switch self {
        case .made(let model, let asLink, _): .made(like: model, asLink: asLink)
        case .removed: .removed()
        case .linked, .unlinked: self
        }
    }

    /// The suite whose declarations have to do with it.
    public var declaredAs: String? {
        switch self {
        case .made(_, _, let other), .removed(let other): other
        case .linked, .unlinked: nil
        }
    }

    var isMade: Bool {
        switch self {
        case .made, .linked: true
        case .removed, .unlinked: false
        }
    }

    /// It is about a link, and not about what that leads to.
    var isLink: Bool {
        switch self {
        case .made, .removed: false
        case .linked, .unlinked: true
        }
    }
    var isRemoved: Bool { !isMade }
}

/// Tells the writes of one editor apart; they count up.
public struct WriteID: Sendable, Hashable {
    let number: Int
}
