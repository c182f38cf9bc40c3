import SettingsStore

/// The store's own lock, which the thread sanitizer understands; see there.
typealias Mutex = SettingsStore.Mutex
