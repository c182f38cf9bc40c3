import FoundationEssentials
import PropertyList
import SettingsEditor
import SettingsStore

/// Reads the editor's own preferences, and reports each change of them, so that they take effect at once.
final class PreferencesWatcher: Sendable {
    /// The folder that the preferences are in, whichever folder the editor shows.
    private static let folder = SettingsFolder.standard
    private let suite: SettingsSuite
    private let observation: SuiteObservation

    /// Starts to watch, for as long as this object exists.
    init?(_ report: @escaping @Sendable (EditorPreferences) -> Void) {
        guard let suite = Self.suite else { return nil }
        self.suite = suite
        observation = suite.observe { event in
            if case .change = event {
                report(EditorPreferences([String: PropertyListValue](suite.storedEntries)))
            }
        }
    }

    private static var suite: SettingsSuite? {
        (try? SuiteName(EditorPreferences.suite)).map { folder.suite($0) }
    }

    /// The stored preferences. Without a readable file there are none.
    static func read() -> EditorPreferences {
        guard let name = try? SuiteName(EditorPreferences.suite) else { return .none }
        var storage = folder.storage(of: name)
        var values = PropertyListEntries()
        guard let reading = try? storage.read() else { return .none }
        reading.apply(to: &values)
        return EditorPreferences([String: PropertyListValue](values))
    }

    /// Whether a folder or cluster is the one with the preferences.
    static func isHome(_ backend: any SuiteBackend) -> Bool {
        backend.kind == .files && backend.location == folder.location
    }

    /// Stores the declarations beside the suite, so that it is listed, explained and checked.
    ///
    /// - Throws: Why they cannot be stored. Then there are no preferences.
    static func declare() throws(SettingsError) {
        guard let place = suite?.schemaPlace else { return }
        if try place.merge(EditorPreferences.schema) { return }
        // On a new machine the folder does not exist yet.
        try? FileManager.default.createDirectory(atPath: folder.location, withIntermediateDirectories: true)
        try place.merge(EditorPreferences.schema)
    }

    /// Puts a place at the end of the places that were opened before.
    ///
    /// - Throws: Why it cannot be stored.
    static func remember(_ text: String) throws(SettingsError) {
        try setPlaces { EditorPreferences.places($0, adding: text) }
    }

    /// Removes the places that were opened before.
    ///
    /// - Throws: Why they cannot be removed.
    static func forgetPlaces() throws(SettingsError) { try setPlaces { _ in nil } }

    private static func setPlaces(
        _ change: (PropertyListValue?) -> PropertyListValue?
    ) throws(SettingsError) {
        let key = EditorPreferences.placesKey
        guard let suite else { return }
        let old = [String: PropertyListValue](suite.storedEntries)[key]
        let new = change(old)
        if new != old { try suite.replace([key: new], expecting: [key: old]) }
    }

    /// Removes all key bindings, and leaves the other preferences as they are.
    ///
    /// - Throws: Why they cannot be removed.
    static func resetKeys() throws(SettingsError) {
        guard let suite else { return }
        let stored = [String: PropertyListValue](suite.storedEntries)
        let keys = EditorPreferences.boundKeys(in: stored.keys)
        let old = Dictionary(uniqueKeysWithValues: keys.map { ($0, stored[$0]) })
        try suite.replace(old.mapValues { _ in nil }, expecting: old)
    }
}
