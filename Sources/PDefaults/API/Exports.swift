// Re-exports suites, values and publishers, so that a program imports PDefaults alone. All files of this module get the
// publishers from here.
@_exported import OpenCombine
@_exported import PropertyList
@_exported import SettingsStore

#if Cluster
@_exported import ClusterStore
#endif

#if GSettings
@_exported import GSettingsStore
#endif
