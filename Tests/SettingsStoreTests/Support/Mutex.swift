import SettingsStore

/// Not that of the Synchronization module; see there why.
typealias Mutex = SettingsStore.Mutex
