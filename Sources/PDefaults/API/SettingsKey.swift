/// The name of a setting in its suite.
///
/// A string literal is a key. A program that names its keys in one place extends this type:
///
/// ```swift
/// extension SettingsKey {
///     static let userName: SettingsKey = "user.name"
/// }
///
/// @PDefaults(.userName) var name = "Pitt"
/// ```
///
/// A `String` is accepted wherever a key is.
public struct SettingsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(_ name: String) { self.init(rawValue: name) }
}

extension SettingsKey: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension SettingsKey: CustomStringConvertible {
    public var description: String { rawValue }
}
