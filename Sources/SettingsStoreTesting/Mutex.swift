import SettingsStore

/// The store's own lock, which the thread sanitizer understands. SettingsStore/Concurrency/Mutex.swift says why it exists.
typealias Mutex = SettingsStore.Mutex
