import Glibc
import PropertyList

/// Why a suite could not be read or stored. Nothing is lost: what was set stays in memory and
/// pending, what was stored stays as it was.
public enum SettingsError: Error, Sendable, Hashable {
    /// The file is there and does not parse. No write replaces it; see ``SettingsSuite/recover()``.
    case unreadable(path: String, PropertyListError)
    /// Something that is no regular file stands in the file's place.
    case notAFile(path: String)
    /// This process may not write there; the reason is a sentence.
    case notWritable(path: String, reason: String)
    /// The file's format has no place for the value.
    case unrepresentable(path: String, key: String, PropertyListError)
    /// A declared setting can't have the value; nothing was changed.
    case invalid(path: String, InvalidValueError)
    /// The schema beside the suite's file can't be read; the suite goes on without.
    case unreadableSchema(path: String, PropertyListError)
    /// The service that keeps the suite does not answer. What is in memory is what it held when it last
    /// did; the reason is a sentence.
    case unreachable(path: String, reason: String)
    /// The service that keeps the suite was asked to store something and did not answer. Whether it did is
    /// not known before the next reading.
    case unconfirmed(path: String, reason: String)
    /// Somebody makes the suite, in several steps, and has not finished: what is there of it counts as nothing. The
    /// reason tells who, and what can be done about it.
    case unfinished(path: String, reason: String)
    /// A conditional write found other values than it expected (nil: nothing stored) and changed
    /// nothing. Where it is reported instead of thrown, secrets are nil too.
    case conflict(current: [String: PropertyListValue?])
    /// A program that doesn't keep to the lock has written the file again and again without what was stored there,
    /// which is not in it now.
    case overwritten(path: String)
    /// The operating system refused.
    case system(SystemError)
}

extension SettingsError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let error): "\(path): \(error)"
        case .notAFile(let path): "\(path): is not a regular file"
        case .notWritable(let path, let reason): "\(path): \(reason)"
        case .unrepresentable(let path, _, let error): "\(path): \(error)"
        case .invalid(let path, let error): "\(path): \(error)"
        case .unreadableSchema(let path, let error): "\(path): \(error)"
        case .unreachable(let path, let reason), .unfinished(let path, let reason): "\(path): \(reason)"
        case .unconfirmed(let path, let reason):
            "\(path): \(reason). Whether it was stored is not known; the next reading tells"
        case .conflict(let current):
            "Changed meanwhile, so nothing was written: "
                + current.keys.sorted().joined(separator: ", ")
        case .overwritten(let path):
            "\(path): another program, which takes no lock, goes on writing it without what was stored there, "
                + "which is gone: repeat that when the program is at rest"
        case .system(let error): "\(error)"
        }
    }
}

extension SettingsError {
    /// Whether the place where the suite is kept did not answer, or is about to have another answer: what was last
    /// known is all there is until then.
    package var isOutage: Bool {
        switch self {
        case .unreachable, .unconfirmed, .unfinished: true
        default: false
        }
    }

    /// Whether this process may not write there.
    var isRefusal: Bool { if case .notWritable = self { true } else { false } }

    /// Whether somebody makes the suite.
    package var isUnfinished: Bool { if case .unfinished = self { true } else { false } }

    /// Whether it is no news behind another one of the same suite: how far somebody is who makes it is none.
    func isTheSame(as other: SettingsError) -> Bool { self == other || isUnfinished && other.isUnfinished }

    /// How a suite stands that can't be read for this.
    var content: SuiteStatus.Content {
        if case .unfinished = self { return .unfinished(reason) }
        return isOutage ? .stale(reason) : .unreadable(reason)
    }

    /// The description, for where the file is known: without its path if it begins with that.
    package var reason: String {
        switch self {
        case .unreadable(_, let error): "\(error)"
        case .unreachable(_, let reason), .unconfirmed(_, let reason), .unfinished(_, let reason): reason
        default: "\(self)"
        }
    }
}

extension SettingsError {
    /// The same, with the keys that were taken back for it.
    func takingBack(_ keys: [String]) -> SettingsError {
        let names = keys.prefix(5).joined(separator: ", ") + (keys.count > 5 ? ", …" : "")
        switch self {
        case .unreachable(let path, let reason):
            return .unreachable(path: path, reason: "\(reason); what was set is taken back: \(names)")
        case .unfinished(let path, let reason):
            return .unfinished(path: path, reason: "\(reason); what was set is taken back: \(names)")
        case .unconfirmed(let path, let reason):
            return .unconfirmed(path: path, reason: "\(reason); what was set is taken back: \(names)")
        case .notWritable(let path, let reason):
            return .notWritable(path: path, reason: "\(reason); what was set is taken back: \(names)")
        default: return self
        }
    }
}

extension SettingsError {
    /// What went wrong with a file.
    init(_ error: any Error, at path: String) {
        self =
            switch error {
            case let error as SettingsError: error
            case let error as SystemError where error.number == EACCES:
                .notWritable(
                    path: path,
                    reason:
                        "\(error.call): \(message(ofErrorNumber: EACCES)), by the rights of the file or its folder"
                )
            case let error as SystemError where error.number == EROFS:
                .notWritable(path: path, reason: "\(error.call): \(message(ofErrorNumber: EROFS))")
            case let error as SystemError: .system(SystemError(error.call, path, error.number))
            // Nothing else is thrown here.
            default: .system(SystemError("\(error)", path, 0))
            }
    }
}

/// A system call that failed.
public struct SystemError: Error, Sendable, Hashable {
    /// The name of the call, as its manual page has it.
    public let call: String
    /// What it was called on.
    public let path: String
    /// The error number (errno(3)).
    public let number: Int32

    public init(_ call: String, _ path: String, _ number: Int32) {
        self.call = call
        self.path = path
        self.number = number
    }
}

extension SystemError {
    /// Why something can't be written, in words for the user.
    ///
    /// - Parameter isOwn: whether it is this process's user's.
    func reason(for subject: String, isOwn: Bool) -> String {
        switch number {
        case EROFS: "\(subject) is on a file system that is mounted read-only"
        case EPERM: "\(subject) is marked as immutable, which the superuser's chattr -i takes back"
        case EACCES where isOwn:
            "\(subject) is yours, but its rights don't let you write, which chmod u+w changes"
        case EACCES: "\(subject) is not yours to write"
        default: "\(subject) can't be written: \(message(ofErrorNumber: number))"
        }
    }
}

extension SystemError: CustomStringConvertible {
    public var description: String { "\(path): \(call) failed: \(message(ofErrorNumber: number))" }
}
