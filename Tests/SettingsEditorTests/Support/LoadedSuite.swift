import PropertyList
import SettingsStore

@testable import SettingsEditor

/// A suite with stored values, for tests that need no editor.
func loadedSuite(_ id: String, _ values: [String: PropertyListValue]) -> SuiteModel {
    var suite = SuiteModel(id: id, id, in: "/x")
    _ = suite.load(PropertyListEntries(values), now: 0)
    return suite
}
