// `import PDefaults` alone is enough: suites, values and publishers come with it.
@_exported import PropertyList
@_exported import SettingsStore

// Publishers are those of the platform where it has them. This is the one place that says so: what is handed
// on here is seen by all files of the module.
#if canImport(Combine)
@_exported import Combine
#else
@_exported import OpenCombine
#endif

#if Cluster
@_exported import ClusterStore
#endif
