import SettingsStore

/// The source of a property's values.
enum PropertySource: Equatable {
    case suite
    /// A suite in memory for this property, which is mocked.
    case ownMock
    /// A suite in memory for this property, since all properties of the process are mocked. The number changes each
    /// time that the program starts mocking.
    case processMock(Int)
}

/// The connection of a property to one suite.
///
/// Unchecked, since the property's lock guards `early`.
final class SuiteConnection: @unchecked Sendable {
    let source: PropertySource
    /// Nil for a property that only lives in memory.
    let suite: SettingsSuite?
    /// The changes that came before the first value was converted; nil after that.
    var early: [Change]? = []

    init(_ source: PropertySource, _ suite: SettingsSuite?) {
        self.source = source
        self.suite = suite
    }
}
