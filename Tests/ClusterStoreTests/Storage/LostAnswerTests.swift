#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "The answer to a write is lost",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct LostAnswerTests {
    let cluster: SettingsCluster
    let proxy: Proxy
    /// Connects through the proxy, and is watched.
    let suite: SettingsSuite
    let observation: SuiteObservation
    /// Connects to the server directly.
    let other: SettingsSuite

    init() throws {
        cluster = try .ofItsOwn()
        proxy = try Proxy(to: EtcdServer.shared.get().url)
        suite = try .separate("App", in: .plain(proxy.url, prefix: cluster.prefix))
        other = try .separate("App", in: cluster)
        observation = suite.observe { _ in }
        try other.store(1, forKey: "count")
        let suite = suite
        // Now the watch stream is open.
        #expect(eventually { suite.storedValues == ["count": 1] })
    }

    /// Adds 1 while the server's answer is held back. After `disturb` has closed the connections, returns the result.
    private func count(
        whileAnswersAreLost disturb: () throws -> Void
    ) throws -> Result<Void, SettingsError> {
        let (suite, ended) = (suite, Recorder<Result<Void, SettingsError>>())
        proxy.stall(atRequestWith: "request_put")
        Thread {
            do throws(SettingsError) {
                try suite.replace(["count": 2], expecting: ["count": 1])
                ended.note(.success(()))
            } catch {
                ended.note(.failure(error))
            }
        }.start()
        let name = try SuiteName("App")
        #expect(try eventually { try cluster.history(ofKey: "count", in: name)?.first?.value == 2 })
        try disturb()
        #expect(eventually { !ended.all.isEmpty })
        return try #require(ended.all.first)
    }

    @Test("A conditional write whose answer was lost is recognized as stored, and not repeated")
    func found() throws {
        defer { proxy.end() }
        let result = try count {
            // Other clients write with conditions meanwhile.
            for round in 1...3 {
                let old: PropertyListValue? =
                    round == 1 ? nil : .integer(PropertyListInteger(round - 1))
                try other.replace(["other": .integer(PropertyListInteger(round))], expecting: ["other": old])
            }
            try other.store(7, forKey: "count")
            proxy.interrupt()
        }
        #expect(throws: Never.self) { try result.get() }
        #expect(eventually { suite.storedValues == ["count": 7, "other": 3] })
        let history = try cluster.history(ofKey: "count", in: SuiteName("App"))
        #expect(history?.map(\.value) == [7, 2, 1])
    }

    @Test("A conditional write is unconfirmed if its answer was lost and no server can be asked")
    func unconfirmed() throws {
        defer { proxy.end() }
        let result = try count { proxy.cut() }
        guard case .failure(.unconfirmed) = result else {
            Issue.record("\(result)")
            return
        }
        #expect("\(result)".contains("might be stored or not"))
        proxy.mend()
        #expect(eventually { suite.storedValues == ["count": 2] && !suite.isStale })
    }

    @Test("A conditional write is unreachable, not unconfirmed, if no server received it")
    func unreachable() throws {
        defer { proxy.end() }
        proxy.cut()
        #expect(eventually { suite.isStale })
        do throws(SettingsError) {
            try suite.replace(["count": 2], expecting: ["count": 1])
            Issue.record("It was stored.")
        } catch {
            guard case .unreachable = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test("A set whose answer was lost is repeated without a conflict")
    func set() throws {
        defer { proxy.end() }
        proxy.stall()
        suite.set(5, forKey: "count")
        let name = try SuiteName("App")
        #expect(try eventually { try cluster.history(ofKey: "count", in: name)?.first?.value == 5 })
        proxy.interrupt()
        #expect(eventually { suite.status.pendingKeys == 0 })
        #expect(throws: Never.self) { try suite.synchronize() }
        #expect(eventually { suite.storedValues == ["count": 5] })
    }
}
#endif
