#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "Suites on a cluster",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct ClusterSuiteTests {
    let server: EtcdServer
    let cluster: SettingsCluster

    init() throws {
        server = try EtcdServer.shared.get()
        cluster = try .ofItsOwn()
    }

    @Test("A suite is shared in the process if its cluster and its name are equal")
    func oneSuite() throws {
        let suite = try SettingsSuite(named: "org.example.App", in: cluster)
        #expect(suite == (try SettingsSuite(named: "org.example.App", in: cluster)))
        #expect(suite.location == "\(server.url)\(cluster.prefix)org.example.App")
        #expect(throws: SuiteNameError.self) { try SettingsSuite(named: "a/b", in: cluster) }
    }

    @Test("Each setting is one etcd key below the prefix and the suite's name")
    func keys() throws {
        let suite = try SettingsSuite(named: "App", in: cluster)
        try suite.store("Pitt", forKey: "user/name")
        try suite.store(nil, forKey: "gone")
        let keys = try server.control("get", "--prefix", "--keys-only", cluster.prefix)
        #expect(keys.split(separator: "\n") == ["\(cluster.prefix)App/user/name"])
    }

    @Test("A text that was stored with etcdctl is read as a string and reported at once")
    func plainText() throws {
        let suite = try SettingsSuite(named: "App", in: cluster)
        let changes = Recorder<PropertyListValue?>()
        let observed = suite.observe("volume") { changes.note($0.new) }
        try server.control("put", "\(cluster.prefix)App/volume", "11")
        #expect(eventually { changes.all == ["11"] })
        try server.control("del", "\(cluster.prefix)App/volume")
        #expect(eventually { changes.all == ["11", nil] })
        withExtendedLifetime(observed) {}
    }

    @Test("A foreign value that is no property list is read as a string or as data, and blocks no other key")
    func foreignValues() throws {
        let suite = try SettingsSuite.separate("App", in: cluster)
        let observation = suite.observe { _ in }
        try server.control("put", "\(cluster.prefix)App/empty", "")
        let texts = [
            "text": "é {", "words": "hello world", "list": "(1,2)", "number": "60", "json": #"{"a": 1}"#,
            "broken": "bplist00broken",
        ]
        for (key, value) in texts { try server.control("put", "\(cluster.prefix)App/\(key)", value) }
        let xml = #"<plist version="1.0"><integer>7</integer></plist>"#
        try server.control("put", "\(cluster.prefix)App/xml", xml)
        let put = "etcdctl --endpoints \(server.url) put \(cluster.prefix)App/bytes"
        #expect(try run("sh", ["-c", "printf '\\377\\376\\000\\001' | \(put)"]).ending == .exit(0))
        let expected = texts.mapValues { PropertyListValue.string($0) }.merging([
            "empty": "", "bytes": .data(Data([255, 254, 0, 1])), "xml": 7,
        ]) { $1 }
        #expect(eventually { suite.storedValues == expected })
        #expect(try SettingsSuite.separate("App", in: cluster).storedValues == expected)
        try suite.store(61, forKey: "number")
        let name = try SuiteName("App")
        #expect(try cluster.history(ofKey: "number", in: name)?.map(\.value) == [61, "60"])
        #expect(suite.status.content == .stored)
        #expect(try suite.recover() == nil)
        withExtendedLifetime(observation) {}
    }

    @Test(
        "Suites with any keys are listed, and a new suite notifies the list's observers"
    )
    func listing() throws {
        let hints = Recorder<Void>()
        let watch = cluster.watch { hints.note(()) }
        #expect(try cluster.suiteNames().isEmpty)
        for name in ["b", "a", "a b", "a.b"] {
            let suite = try SettingsSuite(named: name, in: cluster)
            suite.set(["x": 1, "x/y": 2, "~": 3, "\u{10FFFF}": 4])
            try suite.synchronize()
        }
        #expect(try cluster.suiteNames().map(\.rawValue) == ["a", "a b", "a.b", "b"])
        #expect(eventually { !hints.all.isEmpty })
        withExtendedLifetime(watch) {}
    }

    @Test("Up to 4,000 keys are stored in one transaction", arguments: [2, 129, 4_000])
    func oneStep(count: Int) throws {
        let suite = try SettingsSuite(named: "App", in: cluster)
        try suite.store(0, forKey: "first")
        let before = try revisions(ofKeysBelow: cluster.prefix)
        let pairs = (0..<count).map { ("key \($0)", PropertyListValue.string("value \($0)")) }
        suite.set(Dictionary(uniqueKeysWithValues: pairs))
        try suite.synchronize()
        let new = try revisions(ofKeysBelow: cluster.prefix).subtracting(before)
        #expect(new.count == 1)
        #expect(try SettingsSuite.separate("App", in: cluster).storedValues.count == count + 1)
    }

    @Test("A large write takes several transactions, and is refused if it has a condition")
    func severalSteps() throws {
        let suite = try SettingsSuite(named: "App", in: cluster)
        let large = PropertyListValue.data(Data(repeating: 7, count: 700_000))
        suite.set(["a": large, "b": large, "c": large])
        try suite.synchronize()
        #expect(try SettingsSuite.separate("App", in: cluster).storedValues["c"] == large)
        #expect(throws: SettingsError.self) {
            try suite.replace(["a": 1, "b": large, "c": large, "d": large], expecting: ["a": large])
        }
        #expect(try SettingsSuite.separate("App", in: cluster).storedValues["a"] == large)
    }

    @Test("A value that is too large for etcd is refused, and other values are stored")
    func tooLarge() throws {
        let suite = try SettingsSuite(named: "App", in: cluster)
        let huge = PropertyListValue.data(Data(count: 1 << 20))
        #expect(suite.refusal(of: huge, forKey: "huge") != nil)
        suite.set(huge, forKey: "huge")
        suite.set(1, forKey: "small")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(try SettingsSuite.separate("App", in: cluster).storedValues == ["small": 1])
    }

    @Test("A conditional write sees foreign changes that the stream has not delivered yet")
    func conditions() throws {
        let first = try SettingsSuite.separate("App", in: cluster)
        let second = try SettingsSuite.separate("App", in: cluster)
        let observations = [first, second].map { $0.observe { _ in } }
        for round in 0..<50 {
            let (writer, other) = round.isMultiple(of: 2) ? (first, second) : (second, first)
            let new = PropertyListValue.integer(PropertyListInteger(round))
            let old = round == 0 ? nil : PropertyListValue.integer(PropertyListInteger(round - 1))
            try writer.replace(["turn": new], expecting: ["turn": old])
            #expect(throws: SettingsError.conflict(current: ["turn": new])) {
                try other.replace(["turn": "never"], expecting: ["turn": old])
            }
        }
        withExtendedLifetime(observations) {}
    }

    @Test("The history has values and removals, the newest first")
    func history() throws {
        let suite = try SettingsSuite(named: "App", in: cluster)
        let name = try SuiteName("App")
        #expect(try cluster.history(ofKey: "a", in: name)?.isEmpty == true)
        let values: [PropertyListValue?] = [1, "two", nil, 3, 4.5, 6]
        for value in values { try suite.store(value, forKey: "a") }
        try suite.store(1, forKey: "b")
        let history = try #require(try cluster.history(ofKey: "a", in: name))
        #expect(history.map(\.value) == values.reversed())
        #expect(history.map(\.revision) == history.map(\.revision).sorted(by: >))
        #expect(try cluster.history(ofKey: "a", in: name, limit: 2)?.map(\.value) == [6, 4.5])
        // The history of a removed key exists too.
        try suite.store(nil, forKey: "a")
        let all = try #require(try cluster.history(ofKey: "a", in: name)).map(\.value)
        #expect(all == [nil] + values.reversed())
    }

    @Test("The history of a compacted key begins with its value at the compaction")
    func compactedHistory() throws {
        let server = try EtcdServer.started()
        let cluster = SettingsCluster.plain(server.url)
        let suite = try SettingsSuite(named: "App", in: cluster)
        let name = try SuiteName("App")
        for value in [1, 2, 3] as [PropertyListValue] { try suite.store(value, forKey: "a") }
        try suite.store(1, forKey: "gone")
        try suite.store(nil, forKey: "gone")
        try server.compact()
        #expect(try cluster.history(ofKey: "a", in: name)?.map(\.value) == [3])
        #expect(try cluster.history(ofKey: "gone", in: name)?.map(\.value) == [])
        try suite.store(4, forKey: "a")
        #expect(try cluster.history(ofKey: "a", in: name)?.map(\.value) == [4, 3])
    }

    @Test("Many suites of a process share one stream and a few connections")
    func oneConnection() throws {
        let count = isLong ? 1_000 : 100
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let behind = SettingsCluster.plain(proxy.url, prefix: cluster.prefix)
        let heard = Recorder<String>()
        let suites = try (0..<count).map { try SettingsSuite(named: "suite \($0)", in: behind) }
        let observations = suites.enumerated().map { number, suite in
            suite.observe("key") { _ in heard.note("\(number)") }
        }
        for number in 0..<count {
            try server.control("put", "\(cluster.prefix)suite \(number)/key", "x")
        }
        #expect(eventually { heard.all.count == count })
        // Each suite notifies on a thread of its own, so the order may differ.
        #expect(Set(heard.all) == Set((0..<count).map { "\($0)" }))
        #expect(proxy.connections <= 5)
        withExtendedLifetime(observations) {}
    }

    @Test("synchronize() reads the changed keys, not the whole suite")
    func synchronizing() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: .plain(proxy.url, prefix: cluster.prefix))
        let other = try SettingsSuite.separate("App", in: cluster)
        for watches in [false, true] {
            let observation = watches ? suite.observe { _ in } : nil
            let large = PropertyListValue.data(Data(count: 500_000))
            suite.set(["large": large, "gone": 1])
            try suite.synchronize()
            let before = proxy.received
            for round in 0..<10 {
                suite.set(.integer(PropertyListInteger(round)), forKey: "small")
                try suite.synchronize()
                try other.store(.integer(PropertyListInteger(round)), forKey: "theirs")
                // synchronize() takes over foreign changes, whether the suite is watched or not.
                try suite.synchronize()
                #expect(suite.storedValues["theirs"] == .integer(PropertyListInteger(round)))
            }
            // Hardly any of the twenty readings was a full one.
            #expect(proxy.received - before < 3_000_000)
            try other.store(nil, forKey: "gone")
            try suite.synchronize()
            #expect(suite.storedValue(forKey: "gone") == nil)
            #expect(suite.storedValues == other.storedValues)
            withExtendedLifetime(observation) {}
        }
    }

    @Test("A silent server does not delay a request that another server answers")
    func silentServer() throws {
        let (silent, port) = try listeningSocket()
        defer { close(silent) }
        var both = SettingsCluster.plain("http://127.0.0.1:\(port),\(server.url)", prefix: cluster.prefix)
        // Longer than the test may take.
        both.patience = 3600
        try SettingsSuite.separate("App", in: cluster).store(1, forKey: "a")
        #expect(try both.suiteNames().map(\.rawValue) == ["App"])
        let suite = try SettingsSuite.separate("App", in: both)
        #expect(suite.storedValues == ["a": 1])
        try suite.store(2, forKey: "a")
        #expect(try SettingsSuite.separate("App", in: cluster).storedValues == ["a": 2])
    }

    @Test("No description contains a password")
    func secrets() {
        let cluster = SettingsCluster.etcd("http://127.0.0.1:1", user: "root", password: "hunter2")
        #expect(!"\(cluster)".contains("hunter2"))
        var dumped = ""
        dump(cluster, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(!String(reflecting: cluster).contains("hunter2"))
    }

    private func revisions(ofKeysBelow prefix: String) throws -> Set<String> {
        let text = try server.control("get", "--prefix", "--keys-only", prefix, "-w", "json")
        return Set(text.split(separator: ",").filter { $0.contains("mod_revision") }.map { String($0) })
    }
}
#endif
