import SettingsStore

/// Hides the `Mutex` of the Synchronization module. SettingsStore/Concurrency/Mutex.swift says why.
typealias Mutex = SettingsStore.Mutex
