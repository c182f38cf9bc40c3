import TerminalCanvas

/// A request of ``update(_:_:)`` to the event loop.
public enum Effect: Sendable, Equatable {
    /// Read a suite and watch it. Send ``StoreEvent/declared(_:_:problem:)``, then
    /// ``StoreEvent/loaded(_:values:_:)``, then its changes. The suite need not exist.
    case load(String)
    /// Read these suites in this order and send ``StoreEvent/read(_:values:_:)`` for each. An earlier request can be
    /// dropped.
    case read([String])
    case write(Write)
    /// Put a text into the clipboards of the terminal and of the system.
    case copy(String)
    /// Run the user's editor on a text, then send ``TerminalEvent/edited(_:)``.
    case edit(ExternalText)
    case reportMouse(Bool)
    /// Draw in this theme from now on.
    case useTheme(ThemeChoice)
    /// List the paths that begin with a text, then send ``TerminalEvent/completedPaths(_:_:)``.
    case completePath(String)
    /// Read a file, or write a suite to a file, then send ``StoreEvent/file(_:path:_:)``.
    case importFile(String, path: String)
    case exportSuite(String, path: String, replaces: Bool)
    /// Find the place that a text names, send ``StoreEvent/opened(_:suite:)``, then list its suites and watch it.
    case open(String)
    /// Forget the suites of a place.
    case close(String)
    /// Forget the places that were opened before.
    case forgetPlaces
    /// Store the declarations of the preferences, so that their suite exists.
    case declarePreferences
    /// Remove the user's own keys from the preferences.
    case resetKeys
    /// Set an unreadable file aside, store the known values in a new file, then send ``StoreEvent/recovered(_:_:)``.
    case recover(String)
    /// Read the earlier values of a key, then send ``StoreEvent/revisions(_:key:_:)``.
    case findRevisions(String, key: String)
    case suspend
    case redraw
    case quit
    /// Handle this message next, before any other. ``update(_:_:)`` never calls itself.
    case send(Message)
}

/// A request to store new values in one transaction, if all keys still have the old values.
public struct Write: Sendable, Hashable {
    public let id: WriteID
    /// The id of the suite.
    public let suite: String
    /// The changes by key. Empty only if the whole suite is created or removed.
    public internal(set) var changes: [String: ValueChange]
    /// The change of the whole suite; nil if there is none. If it is set and the suite has other keys, nothing is
    /// written.
    public var whole: WholeSuite?
}

/// The change of a whole suite.
public enum WholeSuite: Sendable, Hashable {
    /// The suite is created. Its file is written like the one of the suite `like`, or as it was before it was removed
    /// here. If that file is a symbolic link and `asLink` is set, the new one is a link too. A suite without
    /// declarations gets those of `declaredAs`.
    case made(like: String?, asLink: Bool = false, declaredAs: String? = nil)
    /// The suite is removed with all keys, and with its declarations if the suite `declaredAs` has the same ones.
    case removed(declaredAs: String? = nil)
    /// The file becomes this symbolic link, or the symbolic link is removed. The suite has no keys.
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

    /// The same without moving declarations.
    var leavingDeclarations: WholeSuite {
        switch self {
        case .made(let model, let asLink, _): .made(like: model, asLink: asLink)
        case .removed: .removed()
        case .linked, .unlinked: self
        }
    }

    /// The suite whose declarations are moved or compared.
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

    /// Whether it is about a symbolic link and not about its target.
    var isLink: Bool {
        switch self {
        case .made, .removed: false
        case .linked, .unlinked: true
        }
    }
    var isRemoved: Bool { !isMade }
}

/// Identifies a write of this editor. Later writes have greater numbers.
public struct WriteID: Sendable, Hashable {
    let number: Int
}
