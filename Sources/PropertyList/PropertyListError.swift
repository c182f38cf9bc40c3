/// Why a text or a file could not be read or written, and where.
///
/// The description is one sentence for a person: place first, then what was found and what was
/// expected.
public struct PropertyListError: Error, Sendable, Hashable {
    public enum Place: Sendable, Hashable {
        /// Of a text. Both count from 1; a column is one byte of UTF-8.
        case line(Int, column: Int)
        /// Of a binary file, in bytes from its start.
        case offset(Int)
        /// Of a value that was to be written.
        case path(ValuePath)
    }

    public enum Reason: Sendable, Hashable {
        /// The input does not follow its format.
        case malformed
        /// The input follows its format but exceeds a limit (see ``PropertyListLimits``).
        case limitExceeded
        /// The input holds something that has no place in ``PropertyListValue``.
        case unsupported
        /// The value has no place in the format that it was to be written in.
        case unrepresentable
    }

    public let place: Place
    public let reason: Reason
    /// What was found and what was expected, without the place.
    public let problem: String

    public init(_ place: Place, _ reason: Reason, _ problem: String) {
        self.place = place
        self.reason = reason
        self.problem = problem
    }
}

extension PropertyListError: CustomStringConvertible {
    public var description: String { "\(place): \(problem)" }
}

extension PropertyListError.Place: CustomStringConvertible {
    public var description: String {
        switch self {
        case .line(let line, let column): "line \(line), column \(column)"
        case .offset(let offset): "byte \(offset)"
        case .path(let path): path.steps.isEmpty ? "the whole value" : "\(path)"
        }
    }
}

/// What a reader accepts at the most, so that no file costs more time or memory than its size
/// warrants. What exceeds it is refused with ``PropertyListError/Reason/limitExceeded``, and writers
/// refuse what could not be read again.
///
/// | limit | standard | for |
/// | --- | --- | --- |
/// | ``depth`` | 128 | every format |
/// | ``size`` | 256 MiB | every format |
/// | ``expansion`` | 4 | shared references of binary files |
/// | ``combiningMarks`` | 256 | keys, in every format |
/// | values of a ``JSONDocument`` | 16777216 | JSON |
///
/// Other counts have no limit of their own: what a file holds is in memory once or twice, whatever
/// refers to it. Objects of a binary file that lie over each other are malformed where together they are
/// longer than two such files.
public struct PropertyListLimits: Sendable, Hashable {
    /// Arrays and dictionaries inside each other; the outermost counts as 1. As many are read, compared
    /// and written within the 512 KB of stack that worker threads have, in debug builds too.
    public var depth = 128
    /// Bytes of a whole file or text: less than 4 GiB, to which a higher number is lowered.
    public var size = 256 << 20 {
        didSet { size = min(size, Int(UInt32.max)) }
    }
    /// Values and keys after shared references of a binary file are followed, as a multiple of the
    /// file's size in bytes: what a file of that size could hold without sharing. Their bytes may be as
    /// many too, and at least ``size``.
    public var expansion = 4
    /// Combining marks that follow each other in a key. Comparing strings takes time by the square of
    /// their number, while no writing system has more than a few.
    public var combiningMarks = 256

    public init() {}

    public static let standard = PropertyListLimits()
}
