#if Cluster
import ClusterStore
// All files of this module use its servers.
@_exported import EtcdHarness
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore

/// Some tests are shorter unless `PDEFAULTS_TESTS=long` is set.
let isLong = ProcessInfo.processInfo.environment["PDEFAULTS_TESTS"] == "long"

/// Records what observers receive.
final class Recorder<Element: Sendable>: Sendable {
    private let state = Mutex<[Element]>([])

    var all: [Element] { state.withLock { $0 } }

    func note(_ element: Element) { state.withLock { $0.append(element) } }
}

extension SettingsSuite {
    /// A suite that shares no values with others in this process, like one of another process. It has connections of
    /// its own if the configuration differs.
    static func separate(_ name: String, in cluster: SettingsCluster) throws -> SettingsSuite {
        SettingsSuite(ClusterStorage(try SuiteName(name), in: cluster))
    }

    /// Sets and synchronizes.
    func store(_ value: PropertyListValue?, forKey key: String) throws {
        set(value, forKey: key)
        try synchronize()
    }

    var isStale: Bool { if case .stale = status.content { true } else { false } }
}
#endif
