/// The name of a setting in its suite: a string.
///
/// A program that names its keys in one place extends this type:
///
/// ```swift
/// extension SettingsKey {
///     static let userName: SettingsKey = "user.name"
/// }
///
/// @PDefaults(.userName) var name = "Pitt"
/// ```
public typealias SettingsKey = String
