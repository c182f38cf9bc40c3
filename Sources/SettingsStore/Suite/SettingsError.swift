import Glibc
import PropertyList

/// Why a suite could not be read or stored. Nothing is lost: values that were set stay in memory and pending, and the
/// stored values do not change.
public enum SettingsError: Error, Sendable, Hashable {
    /// The file exists and can't be parsed. No write replaces it; see ``SettingsSuite/recover()``.
    case unreadable(path: String, PropertyListError)
    /// The path does not lead to a regular file.
    case notAFile(path: String)
    /// This process has no permission to write. The reason is a sentence.
    case notWritable(path: String, reason: String)
    /// The format of the file can't store the value.
    case unrepresentable(path: String, key: String, PropertyListError)
    /// The value contradicts the declaration of the setting. Nothing was changed.
    case invalid(path: String, InvalidValueError)
    /// An administrator's file locks the key. Nothing was changed.
    case locked(key: String, by: String)
    /// A file of another layer can't be used. It is reported, not thrown, once until it changes. The suite works without
    /// it.
    case unusableLayer(LayerProblem)
    /// The schema beside the suite's file can't be read. The suite works without it.
    case unreadableSchema(path: String, PropertyListError)
    /// The service that stores the suite does not answer. The values in memory are those of its last answer. The reason
    /// is a sentence.
    case unreachable(path: String, reason: String)
    /// The service that stores the suite did not answer a request to store something. Only the next reading shows
    /// whether it has stored it.
    case unconfirmed(path: String, reason: String)
    /// A conditional write found other values than it expected (nil: no stored value), and changed nothing. If it is
    /// reported instead of thrown, the values of secrets are nil too.
    case conflict(current: [String: PropertyListValue?])
    /// An unlocked writer, such as `UserDefaults`, has overwritten the value that was just stored, and has done so again
    /// after a second write. The value was not in the file when the file was last read.
    ///
    /// In a suite, the overwritten keys keep their values in memory and are pending again, those of a conditional write
    /// too. They are written again half a second later, and after each time that the program is seen to overwrite them.
    /// After a thousand times, the values of the program are adopted like any foreign change.
    case overwritten(path: String)
    /// The value is in the file, but the file system can't confirm that it is on the disk: `fsync` fails with `EINVAL` or
    /// `ENOTSUP`, as on some network file systems. It is reported, not thrown: once for each file system in a process.
    case notDurable(path: String)
    /// The operating system refused.
    case system(SystemError)
}

extension SettingsError: CustomStringConvertible {
    /// One sentence. Keys and paths in it are escaped, and long ones are shortened (``MessageText``), so it is safe to
    /// print on a terminal.
    public var description: String {
        switch self {
        case .unreadable(let path, let error), .unrepresentable(let path, _, let error),
            .unreadableSchema(let path, let error):
            "\(MessageText.path(path)): \(error)"
        case .notAFile(let path): "\(MessageText.path(path)): is not a regular file"
        case .invalid(let path, let error): "\(MessageText.path(path)): \(error)"
        case .locked(let key, let path):
            "“\(MessageText.name(key))” is locked by \(MessageText.path(path))"
        case .unusableLayer(let problem): "\(problem)"
        case .notWritable(let path, let reason), .unreachable(let path, let reason):
            "\(MessageText.path(path)): \(MessageText.escaped(reason))"
        case .unconfirmed(let path, let reason):
            "\(MessageText.path(path)): \(MessageText.escaped(reason)). It might be stored or not; read the suite "
                + "again to see"
        case .conflict(let current):
            "Another process changed these keys, so nothing was written: \(MessageText.names(current.keys))"
        case .overwritten(let path):
            "\(MessageText.path(path)): another program writes the file without the lock, and has overwritten "
                + "your change. Repeat your change when that program has ended"
        case .notDurable(let path):
            "\(MessageText.path(path)): the change is in the file, but might not survive a power cut: the file "
                + "system cannot confirm that it is on the disk (fsync). This is reported once for each file system"
        case .system(let error): "\(error)"
        }
    }
}

extension SettingsError {
    /// Whether the service that stores the suite did not answer. Until it does, the last known values are all there is.
    package var isOutage: Bool {
        switch self {
        case .unreachable, .unconfirmed: true
        default: false
        }
    }

    /// Whether this process may not write.
    var isRefusal: Bool { if case .notWritable = self { true } else { false } }

    /// The status of a suite that can't be read because of this error.
    var content: SuiteStatus.Content {
        if isOutage { return .stale(reason) }
        guard case .unreadable(_, let error) = self else { return .unreadable(reason) }
        return .unreadable(reason, isSound: error.reason == .unsupported)
    }

    /// The description without the path, for messages that name the file already.
    package var reason: String {
        switch self {
        case .unreadable(_, let error): "\(error)"
        case .unreachable(_, let reason), .unconfirmed(_, let reason): MessageText.escaped(reason)
        default: "\(self)"
        }
    }
}

extension SettingsError {
    /// The same error, with the keys that were taken back because of it.
    func takingBack(_ keys: [String]) -> SettingsError {
        let end = "; these settings have their previous values again: \(MessageText.names(keys))"
        return switch self {
        case .unreachable(let path, let reason): .unreachable(path: path, reason: reason + end)
        case .unconfirmed(let path, let reason): .unconfirmed(path: path, reason: reason + end)
        case .notWritable(let path, let reason): .notWritable(path: path, reason: reason + end)
        default: self
        }
    }
}

extension SettingsError {
    /// Makes an error about a file from any error.
    init(_ error: any Error, at path: String) {
        self =
            switch error {
            case let error as SettingsError: error
            case is SystemError where path == "~" || path.hasPrefix("~/"):
                .notWritable(path: path, reason: reasonWithoutHome)
            case let error as SystemError where error.number == EACCES:
                .notWritable(
                    path: path,
                    reason:
                        "\(error.call): \(message(ofErrorNumber: EACCES)), because of the permissions of the file or its folder"
                )
            case let error as SystemError where error.number == EROFS:
                .notWritable(path: path, reason: "\(error.call): \(message(ofErrorNumber: EROFS))")
            case let error as SystemError: .system(SystemError(error.call, path, error.number))
            // No other type of error is thrown here.
            default: .system(SystemError("\(error)", path, 0))
            }
    }
}

/// A system call that failed.
public struct SystemError: Error, Sendable, Hashable {
    /// The name of the call, as in its manual page.
    public let call: String
    /// The path that it was called with.
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
    /// Why a file can't be written, as a message for the user.
    ///
    /// - Parameter isOwn: whether the file belongs to the user of this process.
    func reason(for subject: String, isOwn: Bool) -> String {
        switch number {
        case EROFS: "\(subject) is on a file system that is mounted read-only"
        case EPERM: "\(subject) is marked as immutable; root can remove that mark with chattr -i"
        case EACCES where isOwn:
            "\(subject) is yours, but read-only; run chmod u+w to change that"
        case EACCES: "you have no permission to write \(subject)"
        default: "\(subject) can't be written: \(message(ofErrorNumber: number))"
        }
    }
}

extension SystemError: CustomStringConvertible {
    public var description: String {
        "\(MessageText.path(path)): \(call) failed: \(message(ofErrorNumber: number))"
    }
}
