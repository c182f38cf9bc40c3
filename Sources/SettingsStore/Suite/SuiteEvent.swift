// Indirect, because an event is moved several times on its way to its observers.
/// A notification for the observers of all keys of a suite.
public indirect enum SuiteEvent: Sendable {
    case change(Change)
    /// Files outside of the user's layer have changed, so the values that programs read may be others. Look again
    /// (``SettingsSuite/value(forKey:)``).
    case layersChanged
    /// The status has changed. A new number of pending keys alone is not notified.
    case status(SuiteStatus)
    /// Reading or storing has failed. The status says how the suite continues. If the suite still can't be read for the
    /// same reason, observers are not notified again.
    case failed(SettingsError)
}
