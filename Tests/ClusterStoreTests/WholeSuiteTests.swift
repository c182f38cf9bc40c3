#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import Testing

@Suite("Whole suites on a cluster, too large for one step")
struct WholeSuiteTests {
    let server: EtcdServer
    let cluster: SettingsCluster
    private let origin = ChangeOrigin.set(by: WriterID())

    init() throws {
        server = try EtcdServer.shared.get()
        cluster = try .ofItsOwn()
    }

    /// Takes several steps to make.
    private static let large: [String: PropertyListValue] = Dictionary(
        uniqueKeysWithValues: (10..<20).map {
            ("key\($0)", .data(Data(repeating: UInt8($0), count: 200_000)))
        }
    )
    /// Takes several steps to remove as well.
    private static let many: [String: PropertyListValue] = Dictionary(
        uniqueKeysWithValues: (10_000..<14_100).map { ("key\($0)", .integer(PropertyListInteger($0))) }
    )

    private func stored(_ cluster: SettingsCluster) throws -> [String: PropertyListValue] {
        try SettingsSuite.separate("App", in: cluster).storedValues
    }

    /// The suite by way of a line that may hold up a request for long.
    private func suite(behind proxy: Proxy) throws -> SettingsSuite {
        var place = SettingsCluster.plain(proxy.url, prefix: cluster.prefix)
        place.patience = 60
        return try SettingsSuite.separate("App", in: place)
    }

    private func storeForSure(_ key: String, in suite: SettingsSuite) {
        suite.set("theirs", forKey: key)
        while (try? suite.synchronize()) == nil {}
    }

    /// What a request that names a key has in it.
    private func spelling(of key: String) -> String {
        let place = Data("\(cluster.prefix)App/\(key)".utf8).base64EncodedString()
        return place.replacingOccurrences(of: "/", with: "\\/")
    }

    /// What a request that stores one of the later large ones has in it.
    private static let spellingOfValue = Data(repeating: 15, count: 60).base64EncodedString()

    @Test("are made where there is nothing, and removed where they are as expected")
    func whole() throws {
        let values = Self.large
        let suite = try SettingsSuite.separate("App", in: cluster)
        let observation = suite.observe { _ in }
        for _ in 0..<2 {
            try suite.make(values, like: nil, origin: origin)
            #expect(try stored(cluster) == values)
            #expect(throws: SettingsError.self) { try suite.make(values, like: nil, origin: origin) }
            var others = values
            others["key12"] = 1
            #expect(throws: SettingsError.self) { try suite.remove(expecting: others, origin: origin) }
            #expect(try stored(cluster) == values)
            try suite.remove(expecting: values, origin: origin)
            #expect(try stored(cluster) == [:])
        }
        withExtendedLifetime(observation) {}
    }

    @Test("stay as they were where others change a key while they are being removed")
    func disturbedRemoval() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try suite(behind: proxy)
        suite.set(Self.many)
        try suite.synchronize()
        let keys = Self.many.keys.sorted()
        let (other, last) = (try SettingsSuite.separate("App", in: cluster), keys[keys.count - 1])
        let found = Recorder<Int>()
        // The first ones are gone by then.
        proxy.atRequest(with: spelling(of: keys[keys.count - 2])) {
            found.note(other.storedValues.count)
            storeForSure(last, in: other)
        }
        #expect(throws: SettingsError.conflict(current: [last: "theirs"])) {
            try suite.remove(expecting: Self.many, origin: origin)
        }
        #expect(found.all.count == 1 && found.all.allSatisfy { $0 < keys.count })
        let expected = Self.many.merging([last: "theirs"]) { $1 }
        #expect(try stored(cluster) == expected)
        #expect(suite.storedValues == expected)
        try suite.remove(expecting: expected, origin: origin)
        #expect(try stored(cluster) == [:])
    }

    @Test("leave nothing behind where others make the same while they are being made")
    func disturbedMaking() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try suite(behind: proxy)
        let other = try SettingsSuite.separate("App", in: cluster)
        let found = Recorder<Int>()
        proxy.atRequest(with: Self.spellingOfValue) {
            found.note(other.storedValues.count)
            storeForSure("key19", in: other)
            // It is there already, and theirs from then on.
            storeForSure("key10", in: other)
        }
        #expect(throws: SettingsError.conflict(current: ["key10": "theirs", "key19": "theirs"])) {
            try suite.make(Self.large, like: nil, origin: origin)
        }
        #expect(found.all == [5])
        #expect(try stored(cluster) == ["key10": "theirs", "key19": "theirs"])
    }

    @Test("leave nothing behind where a key is not this user's to write")
    func refused() throws {
        let server = try EtcdServer()
        try server.start()
        try server.wait()
        for words in [
            ["user", "add", "root:top"], ["user", "grant-role", "root", "root"], ["user", "add", "app:key"],
            ["role", "add", "most"],
            ["role", "grant-permission", "most", "readwrite", "/pdefaults/App/", "/pdefaults/App/key19"],
            ["role", "grant-permission", "--prefix=true", "most", "read", "/pdefaults/App/"],
            ["user", "grant-role", "app", "most"], ["auth", "enable"],
        ] { try server.control(options: words) }
        var cluster = SettingsCluster.etcd(server.url, user: "app", password: "key")
        cluster.copies = .none
        let suite = try SettingsSuite.separate("App", in: cluster)
        let error = #expect(throws: SettingsError.self) {
            try suite.make(Self.large, like: nil, origin: origin)
        }
        #expect("\(try #require(error))".contains("has no right to this"))
        #expect(try stored(cluster) == [:])
        try suite.store(1, forKey: "key10")
        #expect(try stored(cluster) == ["key10": 1])
    }

    @Test("that no server answers in the middle is told with what was done")
    func outage() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: .plain(proxy.url, prefix: cluster.prefix))
        proxy.atRequest(with: Self.spellingOfValue) { [weak proxy] in proxy?.cut() }
        let error = #expect(throws: SettingsError.self) {
            try suite.make(Self.large, like: nil, origin: origin)
        }
        #expect("\(try #require(error))".contains("5 of 10 keys were stored before, up to “key14”"))
        #expect(try stored(cluster).count == 5)
    }
}
#endif
