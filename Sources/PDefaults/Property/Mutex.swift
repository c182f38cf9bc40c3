import SettingsStore

/// Hides the `Mutex` of the Synchronization module. The one of SettingsStore is faster, and works after `fork(2)`.
typealias Mutex = SettingsStore.Mutex
