import SettingsStore

/// Where a property's values come from.
enum PropertySource: Equatable {
    case suite
    /// Memory of its own.
    case ownMock
    /// Memory that all properties of the process share: the one of this number.
    case processMock(Int)
}

/// The observation of one suite.
///
/// Unchecked, since the property's lock guards all of it that changes.
final class SuiteConnection: @unchecked Sendable {
    let source: PropertySource
    /// Nil for a property that lives in memory alone.
    let suite: SettingsSuite?
    /// Changes that came before the value to start from was converted; nil after that.
    var early: [Change]? = []

    init(_ source: PropertySource, _ suite: SettingsSuite?) {
        self.source = source
        self.suite = suite
    }
}
