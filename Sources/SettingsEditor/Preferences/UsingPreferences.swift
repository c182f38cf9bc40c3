import PropertyList
import TerminalCanvas

// Preferences take effect at once, also when another process changes them.
extension EditorState {
    /// Applies changed preferences.
    mutating func use(_ new: EditorPreferences) -> [Effect] {
        let old = preferences
        preferences = new
        if new.keys != old.keys { keymap = Keymap(new) }
        display.suitesWidth = new.suitesWidth
        var effects: [Effect] = []
        if let usesMouse = new.usesMouse ?? (old.usesMouse == nil ? nil : true),
            new.usesMouse != old.usesMouse
        {
            display.usesMouse = usesMouse
            effects.append(.reportMouse(usesMouse))
        }
        if new.isStaging != old.isStaging, pendingChanges.isEmpty, options.readOnlyReason == nil {
            staging.isOn = new.isStaging ?? false
        }
        if new.theme != old.theme, let theme = ThemeChoice(rawValue: new.theme ?? ThemeChoice.auto.rawValue) {
            display.theme = theme
            effects.append(.useTheme(theme))
        }
        if let problem = new.problems.first, new.problems != old.problems { note(problem) }
        return effects
    }

    /// The id of the suite with the preferences; nil if its place is not open.
    private var preferencesSuite: String? {
        suiteList.places.lazy.compactMap { place in place.preferencesSuite.map(place.suiteID) }.first
    }

    mutating func openPreferences() throws -> [Effect] {
        let place = "The preferences are in ~/.config."
        guard let id = preferencesSuite else {
            throw Refusal("\(place) Run “pdefaults \(EditorPreferences.suite)” to edit them.")
        }
        guard let index = suiteIndex(id) else {
            if let refusal = refusalOfMaking { throw refusal }
            suiteList.wanted = id
            return [.declarePreferences]
        }
        suiteList.filter = nil
        suiteList.selected = index
        display.focus = .keys
        return options.readOnlyReason == nil ? [.declarePreferences] : []
    }

    /// Selects a suite that was asked for before it was listed.
    mutating func goToWantedSuite() {
        guard let id = suiteList.wanted, let index = suiteIndex(id) else { return }
        suiteList.wanted = nil
        suiteList.filter = nil
        suiteList.selected = index
        if modal == nil { display.focus = .keys }
    }

    /// - Throws: Why new values of preferences are refused.
    func checkPreferences(_ part: Transaction.Part, in suite: SuiteModel) throws {
        guard suite.id == preferencesSuite else { return }
        var values = suite.values
        for (key, change) in part.changes { values[key] = change.new }
        if let problem = EditorPreferences.problem(with: values, changing: Set(part.changes.keys)) {
            throw Refusal(problem)
        }
    }
}
