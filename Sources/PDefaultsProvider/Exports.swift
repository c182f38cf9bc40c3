#if Configuration
// Re-exports suites and values, so that a program needs no other import to make a provider.
@_exported import PropertyList
@_exported import SettingsStore

#if Cluster
@_exported import ClusterStore
#endif
#endif
