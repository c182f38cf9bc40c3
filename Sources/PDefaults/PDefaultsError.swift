import PropertyList
import SettingsStore

/// Why a property does not do what its declaration says. Nothing stored was changed.
///
/// Of a secret setting (``SettingTrait/secret``) an error has neither values nor what exactly is wrong with
/// one.
public struct PDefaultsError: Error, Sendable, Hashable {
    public enum Problem: Sendable, Hashable {
        /// What is stored is no value of the property's type, so the default shows. Nil for a secret.
        case undecodable(stored: PropertyListValue?)
        /// A value can't be stored, so the property kept the one it had.
        case unencodable
        /// The declaration doesn't take a value, so the property kept the one it had.
        case invalid
        /// The declaration doesn't take what is stored, so the default shows. Nil for a secret.
        case invalidStored(PropertyListValue?)
        /// The declaration doesn't take its own default, which shows all the same.
        case invalidDefault
        /// Another default was registered for the key before, which is the one that shows. Nil for a secret.
        case otherDefault(registered: PropertyListValue?, declared: PropertyListValue?)
        /// Other limits were declared for the key before: a range, a length, a list of cases. Values have to
        /// keep to both; of two lists of cases the first one counts.
        case otherLimits
        /// What an argument of the process gives (`SettingsSuite.standard`) is no value of the property's
        /// type, or none that it takes: what is stored shows, or the default. Nil for a secret.
        case unusableArgument(PropertyListValue?, showsStored: Bool)
        /// The suite could not be read, or not be stored: what was set stays in memory and is tried
        /// again.
        case suite(SettingsError)
    }

    /// Nil where the whole suite is concerned.
    public let key: String?
    /// Where the suite is kept.
    public let location: String
    public let problem: Problem
    /// What exactly was wrong; a sentence without its full stop.
    public let reason: String
}

extension PDefaultsError {
    init(refused error: InvalidValueError, at location: String) {
        self.init(key: error.key, location: location, problem: .invalid, reason: error.problem)
    }
}

extension PDefaultsError: CustomStringConvertible {
    public var description: String {
        let place = key.map { "\(location): key “\($0)”" } ?? location
        return switch problem {
        case .undecodable: "\(place): the stored value can't be read, the default shows: \(reason)"
        case .unencodable: "\(place): the value can't be stored, the old one stays: \(reason)"
        case .otherDefault: "\(place): another default was registered before: \(reason)"
        case .otherLimits: "\(place): other limits were declared before: \(reason)"
        case .unusableArgument(let given, let showsStored):
            "\(place): the argument \(argument(given)) can't be used, \(showsStored ? "what is stored" : "the default") shows: \(reason)"
        case .invalid: "\(place): the setting can't have this value, the old one stays: \(reason)"
        case .invalidStored:
            "\(place): the setting can't have the stored value, the default shows: \(reason)"
        case .invalidDefault: "\(place): the setting can't have its own default: \(reason)"
        // The errors name the place.
        case .suite(.unreadableSchema):
            "What this program declares about its settings is not told to others: \(reason)"
        case .suite(.conflict(let current)):
            "\(location): what was set is taken back, since others have changed it meanwhile: "
                + current.keys.sorted().joined(separator: ", ")
        case .suite(.unreachable(_, let reason)), .suite(.unconfirmed(_, let reason)):
            "\(location): out of reach, so that what it last held is in use: \(reason)"
        case .suite: "Settings are in memory and not stored as they should be: \(reason)"
        }
    }
}

extension PDefaultsError {
    /// As it was written, if it was a single word.
    private func argument(_ given: PropertyListValue?) -> String {
        let text = given.map { " " + $0.displayText(limit: 40) } ?? ""
        return "“-\(key ?? "")\(text)”"
    }
}

extension PDefaultsError.Problem {
    /// The same about a secret, which an error does not carry.
    var withoutValues: PDefaultsError.Problem {
        switch self {
        case .undecodable: .undecodable(stored: nil)
        case .invalidStored: .invalidStored(nil)
        case .otherDefault: .otherDefault(registered: nil, declared: nil)
        case .unusableArgument(_, let showsStored): .unusableArgument(nil, showsStored: showsStored)
        case .unencodable, .invalid, .invalidDefault, .otherLimits, .suite: self
        }
    }

    /// Why, without what is wrong with a value.
    var reasonOfSecret: String {
        switch self {
        case .undecodable, .invalidStored, .invalid, .invalidDefault, .unusableArgument:
            "it is none that the setting takes"
        case .unencodable: "it has no form in which it could be"
        case .otherDefault, .otherLimits, .suite: "the first declaration holds"
        }
    }
}
