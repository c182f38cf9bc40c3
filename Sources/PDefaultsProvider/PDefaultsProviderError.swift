#if Configuration
import PropertyList

/// Why a value can't be read as the requested type, or why a suite could not be read at all.
///
/// It contains no value of the suite, so that it is safe to log also for secrets.
public struct PDefaultsProviderError: Error, Sendable, Hashable {
    /// The requested key, with dots between its components.
    public let key: String
    /// The path of the suite's file, or its URL on a cluster.
    public let location: String
    /// The problem, as a sentence without its full stop.
    public let reason: String
}

extension PDefaultsProviderError: CustomStringConvertible {
    /// One sentence. Keys and paths in it are escaped and shortened, so it is safe to print on a
    /// terminal.
    public var description: String {
        "\(MessageText.path(location)): key “\(MessageText.name(key))”: \(MessageText.escaped(reason))"
    }
}
#endif
