// `import PDefaults` alone is enough: suites, values and publishers come with it.
@_exported import OpenCombine
@_exported import PropertyList
@_exported import SettingsStore
