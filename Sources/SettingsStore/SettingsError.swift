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
    /// A conditional write found other values than it expected (nil: nothing stored) and changed
    /// nothing.
    case conflict(current: [String: PropertyListValue?])
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
        case .conflict(let current):
            "Changed meanwhile, so nothing was written: "
                + current.keys.sorted().joined(separator: ", ")
        case .system(let error): "\(error)"
        }
    }
}

extension SettingsError {
    /// The description, for where the file is known: without its path if it begins with that.
    var reason: String {
        switch self {
        case .unreadable(_, let error): "\(error)"
        default: "\(self)"
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

extension SystemError: CustomStringConvertible {
    public var description: String { "\(path): \(call) failed: \(message(ofErrorNumber: number))" }
}
