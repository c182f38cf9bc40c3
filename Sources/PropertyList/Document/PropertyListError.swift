/// Why a text or a file could not be read or written, and where.
///
/// The description is one sentence for a person: first the position, then what was found and what was
/// expected.
public struct PropertyListError: Error, Sendable, Hashable {
    public enum Place: Sendable, Hashable {
        /// A position in a text. Line and column count from 1; a column is one byte of UTF-8.
        case line(Int, column: Int)
        /// A position in a binary file, in bytes from its start.
        case offset(Int)
        /// A part of a value that could not be written.
        case path(ValuePath)
    }

    public enum Reason: Sendable, Hashable {
        /// The input does not follow its format.
        case malformed
        /// The input follows its format but exceeds a limit (see ``PropertyListLimits``).
        case limitExceeded
        /// The input holds something that ``PropertyListValue`` cannot represent.
        case unsupported
        /// The target format cannot hold the value.
        case unrepresentable
    }

    public let place: Place
    public let reason: Reason
    /// The parts that were found and expected, in words and without the position. It quotes at most 20 characters of
    /// the text or file.
    public let problem: String
    /// The problem in words that quote nothing.
    private let unquotedProblem: String

    public init(_ place: Place, _ reason: Reason, _ problem: String) {
        self.init(place, reason, problem, unquoted: problem)
    }

    private init(_ place: Place, _ reason: Reason, _ problem: String, unquoted: String) {
        self.place = place
        self.reason = reason
        self.problem = problem
        unquotedProblem = unquoted
    }

    /// Creates an error whose problem quotes the text or file.
    init(_ place: Place, _ reason: Reason, quoting quotation: Quotation, _ problem: (String) -> String) {
        self.init(place, reason, problem(quotation.text), unquoted: problem(quotation.substitute))
    }

    /// The same error without the quoted characters, for a file that has secrets.
    public var withoutQuotations: Self { Self(place, reason, unquotedProblem) }

    /// The same error elsewhere.
    func moved(to place: Place) -> Self { Self(place, reason, problem, unquoted: unquotedProblem) }
}

// Two errors are equal if their descriptions are. Callers can't know the words without quotations.
extension PropertyListError {
    public static func == (a: Self, b: Self) -> Bool {
        a.place == b.place && a.reason == b.reason && a.problem == b.problem
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(place)
        hasher.combine(reason)
        hasher.combine(problem)
    }
}

extension PropertyListError: CustomStringConvertible {
    /// Safe for a terminal: keys and what was found are escaped, and long keys shortened (``MessageText``).
    public var description: String { "\(place): \(MessageText.escaped(problem))" }
}

extension PropertyListError.Place: CustomStringConvertible {
    public var description: String {
        switch self {
        case .line(let line, let column): "line \(line), column \(column)"
        case .offset(let offset): "byte \(offset)"
        case .path(let path): path.steps.isEmpty ? "the whole value" : path.messageText
        }
    }
}

/// The limits that keep a hostile file from costing more time or memory than its size justifies.
///
/// A reader refuses input that exceeds a limit, with ``PropertyListError/Reason/limitExceeded``. A
/// writer refuses a value that could not be read again.
///
/// | limit | standard | applies to |
/// | --- | --- | --- |
/// | ``depth`` | 128 | every format |
/// | ``size`` | 256 MiB | every format |
/// | ``expansion`` | 4 | shared references in binary files |
/// | ``combiningMarks`` | 256 | keys, in every format |
/// | values of a ``JSONDocument`` | 16777216 | JSON |
///
/// Nothing else needs a limit, because the size of the file bounds it. Objects of a binary file that
/// overlap are malformed if their lengths add up to more than twice the file.
public struct PropertyListLimits: Sendable, Hashable {
    /// How many arrays and dictionaries may be nested; the outermost counts as 1. The standard depth
    /// can be read, compared and written on a 512 KB thread stack, also in debug builds.
    public var depth = 128
    /// The largest number of bytes of a file or text. A number of 4 GiB or more is lowered to just
    /// below 4 GiB.
    public var size = 256 << 20 {
        didSet { size = min(size, Int(UInt32.max)) }
    }
    /// The largest number of values and keys after shared references of a binary file are followed, as
    /// a multiple of the file's size in bytes. A file without sharing stays below the standard. The
    /// same multiple limits their total bytes, but never to less than ``size``.
    public var expansion = 4
    /// How many combining marks may follow each other in a key. Comparing strings takes time
    /// proportional to the square of that number. No writing system uses more than a few.
    public var combiningMarks = 256

    public init() {}

    public static let standard = PropertyListLimits()
}

extension PropertyListLimits {
    /// Says that a value exceeds ``depth``.
    var depthProblem: String { "more than \(depth) arrays and dictionaries inside each other" }

    /// Says that a file exceeds ``size``, when it is written.
    var sizeProblem: String { "the file would have more than \(size) bytes" }
}
