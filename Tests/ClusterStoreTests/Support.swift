#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore

/// Some tests run in a short form; `PDEFAULTS_TESTS=long` has the long one.
let isLong = ProcessInfo.processInfo.environment["PDEFAULTS_TESTS"] == "long"

extension SettingsCluster {
    /// A place on the server that all tests share, for one test alone.
    static func ofItsOwn() throws -> SettingsCluster {
        .plain(try EtcdServer.shared.get().url, prefix: "/test/\(UUID().uuidString)/")
    }

    /// A cluster of which nothing is kept on this machine's disk.
    static func plain(_ url: String, prefix: String = "/pdefaults/") -> SettingsCluster {
        var cluster = SettingsCluster.etcd(url, prefix: prefix)
        cluster.copies = .none
        return cluster
    }
}

/// Notes what observers hear.
final class Recorder<Element: Sendable>: Sendable {
    private let state = Mutex<[Element]>([])

    var all: [Element] { state.withLock { $0 } }

    func note(_ element: Element) { state.withLock { $0.append(element) } }
}

extension SettingsSuite {
    /// Like a suite of another process: with values of its own, and connections of its own where the cluster
    /// is spelled otherwise.
    static func separate(_ name: String, in cluster: SettingsCluster) throws -> SettingsSuite {
        SettingsSuite(ClusterStorage(try SuiteName(name), in: cluster))
    }

    /// Sets and stores.
    func store(_ value: PropertyListValue?, forKey key: String) throws {
        set(value, forKey: key)
        try synchronize()
    }

    var isStale: Bool { if case .stale = status.content { true } else { false } }
}
#endif
