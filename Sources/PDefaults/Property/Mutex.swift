import SettingsStore

/// Hides the `Mutex` of the Synchronization module. The one of SettingsStore is faster.
typealias Mutex = SettingsStore.Mutex
