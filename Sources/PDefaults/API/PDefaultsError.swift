import PropertyList
import SettingsStore

/// Why a property could not read, set or declare its value. The error has changed nothing that is stored.
///
/// The error of a secret setting (``SettingTrait/secret``) contains no value, and does not say what is wrong with one.
public struct PDefaultsError: Error, Sendable, Hashable {
    public enum Problem: Sendable, Hashable {
        /// The stored value is not of the property's type, so the default shows. The value is nil for a secret.
        case undecodable(stored: PropertyListValue?)
        /// The new value can't be stored, so the property keeps the previous one.
        case unencodable
        /// The declaration does not accept the new value, so the property keeps the previous one.
        case invalid
        /// The declaration does not accept the stored value, so the default shows. The value is nil for a secret.
        case invalidStored(PropertyListValue?)
        /// The declaration does not accept its own default, which shows all the same.
        case invalidDefault
        /// Another property declared another default for the key before. The suite gives that one to code that reads
        /// the key there. Each property shows its own. The values are nil for a secret.
        case otherDefault(registered: PropertyListValue?, declared: PropertyListValue?)
        /// An administrator's file, which has this path, locks the setting, so the property keeps its value.
        case locked(by: String)
        /// The value of an argument of the process (`SettingsSuite.standard`) is not of the property's type, or the
        /// declaration does not accept it. The stored value or the default shows. The argument is nil for a secret.
        case unusableArgument(PropertyListValue?, showsStored: Bool)
        /// Subscriptions of the main actor have been waiting for five seconds for the main queue, which does not run. It is
        /// reported once in a process.
        case waitsForMainQueue
        /// The suite could not read or write its file. Pending values stay in memory, and the suite retries.
        case suite(SettingsError)
    }

    /// The key of the setting; nil if the error is about the whole suite.
    public let key: String?
    /// The location of the suite.
    public let location: String
    public let problem: Problem
    /// The exact problem: a sentence without its full stop.
    public let reason: String
}

extension PDefaultsError {
    /// The name of the suite: the last part of its location, without `.plist`.
    public var suite: String {
        let name = location.split(separator: "/").last.map(String.init) ?? location
        return name.hasSuffix(".plist") ? String(name.dropLast(".plist".count)) : name
    }

    init(refused error: InvalidValueError, at location: String) {
        self.init(key: error.key, location: location, problem: .invalid, reason: error.problem)
    }

    init(lockOf key: String, by path: String, at location: String) {
        self.init(key: key, location: location, problem: .locked(by: path), reason: lockReason(path))
    }

    /// The same error with the location of the layer that has the value.
    func located(_ suite: SettingsSuite, _ layer: SettingsLayer) -> PDefaultsError {
        let source = key.flatMap { key in suite.sources(forKey: key).first { $0.layer == layer } }
        let location = source?.location ?? location
        return PDefaultsError(key: key, location: location, problem: problem, reason: reason)
    }
}

extension PDefaultsError: CustomStringConvertible {
    /// One sentence that is safe to print on a terminal: keys and paths are escaped, and shortened if they are long
    /// (``MessageText``).
    public var description: String {
        let location = MessageText.path(location)
        let reason = MessageText.escaped(reason)
        let place = key.map { "\(location): key “\(MessageText.name($0))”" } ?? location
        return switch problem {
        case .undecodable: "\(place): the stored value can't be read, so the default is used: \(reason)"
        case .unencodable: "\(place): the value can't be stored, so the previous one stays: \(reason)"
        case .locked: "\(place): the setting can't be changed: \(reason)"
        case .otherDefault: "\(place): another default was declared before: \(reason)"
        case .unusableArgument(let given, let showsStored):
            "\(place): the argument \(argument(given)) can't be used, so \(showsStored ? "the stored value" : "the default") is used: \(reason)"
        case .invalid: "\(place): the setting does not allow this value, so the previous one stays: \(reason)"
        case .invalidStored:
            "\(place): the setting does not allow the stored value, so the default is used: \(reason)"
        case .invalidDefault: "\(place): the setting does not allow its own default: \(reason)"
        case .waitsForMainQueue:
            "\(place): a change has been waiting for the main queue for five seconds: \(reason)"
        // The reasons of these name the location.
        case .suite(.unreadableSchema):
            "Other programs can't see the declarations of this program's settings: \(reason)"
        case .suite(.conflict(let current)):
            "\(location): the change was undone, because another process changed the same keys: "
                + MessageText.names(current.keys)
        case .suite(.unreachable(_, let reason)), .suite(.unconfirmed(_, let reason)):
            "\(location): the suite is unreachable, so its last known values are used: \(MessageText.escaped(reason))"
        case .suite(.notDurable), .suite(.unusableLayer): reason
        case .suite: "Settings could not be read or written, so changes stay in memory: \(reason)"
        }
    }
}

extension PDefaultsError {
    /// The argument as the user typed it.
    private func argument(_ given: PropertyListValue?) -> String {
        let text = given.map { " " + MessageText.escaped($0.displayText(limit: 40)) } ?? ""
        return "“-\(MessageText.name(key ?? ""))\(text)”"
    }
}

extension PDefaultsError {
    static let reasonOfWaiting =
        "the main thread is busy or blocked; wait with await, dispatchMain() or RunLoop.main, or use onUpdate"
}

private func lockReason(_ path: String) -> String {
    "the administrator has locked it in \(MessageText.path(path))"
}

extension PDefaultsError.Problem {
    /// The problem without the values of a secret.
    var withoutValues: PDefaultsError.Problem {
        switch self {
        case .undecodable: .undecodable(stored: nil)
        case .invalidStored: .invalidStored(nil)
        case .otherDefault: .otherDefault(registered: nil, declared: nil)
        case .unusableArgument(_, let showsStored): .unusableArgument(nil, showsStored: showsStored)
        case .unencodable, .invalid, .invalidDefault, .locked, .waitsForMainQueue, .suite: self
        }
    }

    /// The reason without what is wrong with the value of a secret.
    var reasonOfSecret: String {
        switch self {
        case .undecodable, .invalidStored, .invalid, .invalidDefault, .unusableArgument:
            "the setting does not accept it"
        case .unencodable: "it can't be encoded"
        case .otherDefault: "the suite uses that one for code that reads the key"
        case .locked(let path): lockReason(path)
        case .waitsForMainQueue: PDefaultsError.reasonOfWaiting
        case .suite: "its suite reports the problem"
        }
    }
}
