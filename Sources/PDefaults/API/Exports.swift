// Re-exports suites, values and publishers, so that a program imports PDefaults alone.
@_exported import PropertyList
@_exported import SettingsStore

// Publishers are those of the platform if it has Combine. All files of this module get them from here.
#if canImport(Combine)
@_exported import Combine
#else
@_exported import OpenCombine
#endif

#if Cluster
@_exported import ClusterStore
#endif
