#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

/// The values of a suite.
enum WholeSample: Sendable {
    case small
    /// Takes three transactions to create.
    case large
    /// More keys than operations in one transaction, if each key were one.
    case many

    var values: [String: PropertyListValue] {
        switch self {
        case .small: ["a": 1, "b": "two", "c": true]
        case .large: Self.largeValues
        case .many: Self.manyValues
        }
    }

    private static let largeValues: [String: PropertyListValue] = Dictionary(
        uniqueKeysWithValues: (10..<23).map {
            ("key\($0)", .data(Data(repeating: UInt8($0), count: 200_000)))
        }
    )
    private static let manyValues: [String: PropertyListValue] = Dictionary(
        uniqueKeysWithValues: (10_000..<14_100).map { ("key\($0)", .integer(PropertyListInteger($0))) }
    )
}

private let small = WholeSample.small.values
private let large = WholeSample.large.values
private let many = WholeSample.many.values

/// Texts in the request of the second step, of the third and last step, and of a removal.
private let second = Data(repeating: 15, count: 60).base64EncodedString()
private let last = Data(repeating: 22, count: 60).base64EncodedString()
private let removal = "request_delete_range"

@Suite(
    "Creating, removing and renaming whole suites",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct WholeSuiteTests {
    let server: EtcdServer
    let cluster: SettingsCluster
    private let origin = ChangeOrigin.set(by: WriterID())

    init() throws {
        server = try EtcdServer.shared.get()
        cluster = try .ofItsOwn()
    }

    private func stored(_ name: String = "App") throws -> [String: PropertyListValue] {
        try SettingsSuite.separate(name, in: cluster).storedValues
    }

    /// Connects through the proxy, which may hold a request for a long time.
    private func place(behind proxy: Proxy, perseverance: Double = 0) -> SettingsCluster {
        var place = SettingsCluster.plain(proxy.url, prefix: cluster.prefix)
        place.patience = 60
        place.perseverance = perseverance
        return place
    }

    /// Another client stores a text, or removes the key.
    private func put(_ text: String?, _ key: String, of suite: String = "App") {
        let place = "\(cluster.prefix)\(suite)/\(key)"
        do {
            if let text { try server.control("put", place, text) } else { try server.control("del", place) }
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test(
        "A suite is created only if it does not exist, and removed only if it is as expected",
        arguments: [WholeSample.large, .small, .many]
    )
    func whole(sample: WholeSample) throws {
        let values = sample.values
        let suite = try SettingsSuite.separate("App", in: cluster)
        let observation = suite.observe { _ in }
        for _ in 0..<2 {
            try suite.make(values, like: nil, origin: origin)
            #expect(try stored() == values)
            #expect(throws: SettingsError.self) { try suite.make(values, like: nil, origin: origin) }
            var others = values
            others[values.keys.min() ?? ""] = 77
            #expect(throws: SettingsError.self) { try suite.remove(expecting: others, origin: origin) }
            #expect(try stored() == values)
            try suite.remove(expecting: values, origin: origin)
            #expect(try stored() == [:])
        }
        withExtendedLifetime(observation) {}
    }

    @Test(
        "A suite stays complete if another client changes or adds a key during its removal",
        arguments: [false, true]
    )
    func disturbedRemoval(isNew: Bool) throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: place(behind: proxy))
        try suite.make(many, like: nil, origin: origin)
        let key = isNew ? "new" : "key12345"
        proxy.atRequest(with: removal) { put("theirs", key) }
        #expect(throws: SettingsError.conflict(current: [key: "theirs"])) {
            try suite.remove(expecting: many, origin: origin)
        }
        let expected = many.merging([key: "theirs"]) { $1 }
        #expect(try stored() == expected)
        #expect(suite.storedValues == expected)
        try suite.remove(expecting: expected, origin: origin)
        #expect(try stored() == [:])
    }

    @Test("A creation is rolled back if another client creates the same suite, whose keys stay")
    func disturbedMaking() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: place(behind: proxy))
        proxy.atRequest(with: second) {
            put("theirs", "key22")
            // This key exists already. It belongs to the other client from now on.
            put("theirs", "key10")
        }
        #expect(throws: SettingsError.conflict(current: ["key10": "theirs", "key22": "theirs"])) {
            try suite.make(large, like: nil, origin: origin)
        }
        #expect(try stored() == ["key10": "theirs", "key22": "theirs"])
    }

    @Test(
        "A creation is rolled back if another client removes one of its keys",
        arguments: [
            (WholeSample.large, second, "key10"), (.large, last, "key12"), (.many, "keys_only", "key10000"),
        ]
    )
    func removedKey(sample: WholeSample, request: String, key: String) throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: place(behind: proxy))
        proxy.atRequest(with: request) { put(nil, key) }
        let error = #expect(throws: SettingsError.self) {
            try suite.make(sample.values, like: nil, origin: origin)
        }
        #expect("\(try #require(error))".contains("another program removed “\(key)” during the creation"))
        #expect(try cluster.suiteNames() == [])
        // The rollback left nothing that blocks a new creation.
        try suite.make(sample.values, like: nil, origin: origin)
        #expect(try stored() == sample.values)
    }

    @Test("A creation is rolled back if the user lacks the permission for one key")
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
            try suite.make(large, like: nil, origin: origin)
        }
        #expect("\(try #require(error))".contains("has no right to this"))
        #expect(suite.storedValues == [:])
        try suite.store(1, forKey: "key10")
        #expect(suite.storedValues == ["key10": 1])
    }

    // MARK: - Creation in several steps

    @Test("A suite is absent for other programs until its creation has ended")
    func hidden() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let watching = try SettingsSuite.separate("App", in: cluster)
        let counts = Recorder<Int>()
        let observation = watching.observe { _ in counts.note(watching.storedValues.count)
        }
        #expect(eventually { watching.status.watching == .events })
        let suite = try SettingsSuite.separate("App", in: place(behind: proxy))
        let place = cluster
        proxy.atRequest(with: second) {
            #expect(eventually { if case .unfinished = watching.status.content { true } else { false } })
            do {
                var storage = place.storage(of: try SuiteName("App"))
                let error = #expect(throws: SettingsError.self) { try storage.read() }
                #expect("\(try #require(error))".contains("5 of 13 keys are there, and do not count"))
                let name = try SuiteName("App")
                #expect(try place.suiteNames() == [name])
                var inAll = place.readAtOnce().storage(of: name)
                #expect(throws: SettingsError.self) { try inAll.read() }
            } catch {
                Issue.record("\(error)")
            }
            // The set stays pending until the creation has ended.
            watching.set("mine", forKey: "zzz")
        }
        try suite.make(large, like: nil, origin: origin)
        let all = large.merging(["zzz": "mine"]) { $1 }
        #expect(try eventually { try stored() == all })
        #expect(eventually { watching.storedValues == all && watching.status.content == .stored })
        #expect(counts.all.allSatisfy { $0 == 0 || $0 == 1 || $0 >= large.count })
        withExtendedLifetime(observation) {}
    }

    @Test("A creation continues after the server was killed between two steps", arguments: [second, last])
    func killedServer(at step: String) throws {
        let server = try EtcdServer()
        try server.start()
        try server.wait()
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        var place = SettingsCluster.plain(proxy.url)
        place.perseverance = .infinity
        let suite = try SettingsSuite.separate("App", in: place)
        let killed = Recorder<Bool>()
        proxy.atRequest(with: step) {
            do {
                try server.kill()
                proxy.interrupt()
                killed.note(true)
            } catch {
                Issue.record("\(error)")
            }
        }
        let ended = Recorder<Result<Void, SettingsError>>()
        let (values, origin) = (large, origin)
        Thread {
            do throws(SettingsError) {
                try suite.make(values, like: nil, origin: origin)
                ended.note(.success(()))
            } catch {
                ended.note(.failure(error))
            }
        }.start()
        #expect(eventually { !killed.all.isEmpty })
        try server.start()
        #expect(eventually { !ended.all.isEmpty })
        #expect(throws: Never.self) { try ended.all.first?.get() }
        #expect(try SettingsSuite.separate("App", in: .plain(server.url)).storedValues == large)
        #expect(suite.storedValues == large)
        try suite.remove(expecting: large, origin: origin)
    }

    @Test("An abandoned creation is reported, and one command removes it")
    func given() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: place(behind: proxy))
        proxy.atRequest(with: second) { [weak proxy] in proxy?.cut() }
        let error = #expect(throws: SettingsError.self) {
            try suite.make(large, like: nil, origin: origin)
        }
        #expect("\(try #require(error))".contains("5 of 13 keys are there, and do not count"))
        let name = try SuiteName("App")
        var storage = try #require(cluster.storage(of: name) as? any MovesSuites)
        #expect(throws: SettingsError.self) { try storage.read() }
        #expect(throws: SettingsError.self) {
            try SettingsSuite.separate("App", in: cluster).make(small, like: nil, origin: origin)
        }
        #expect(try storage.removeAll(onlyUnfinished: true))
        #expect(try cluster.suiteNames() == [])
        // A complete suite is not a part.
        try SettingsSuite.separate("App", in: cluster).make(small, like: nil, origin: origin)
        #expect(try storage.removeAll(onlyUnfinished: true) == false)
        #expect(try stored() == small)
    }

    @Test(
        "A creation fails if another client removes what it has stored so far",
        arguments: [second, "keys_only", last]
    )
    func takenAway(before request: String) throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: place(behind: proxy))
        let cluster = cluster
        proxy.atRequest(with: request) {
            do {
                var storage = try #require(
                    cluster.storage(of: try SuiteName("App")) as? any MovesSuites
                )
                #expect(try storage.removeAll(onlyUnfinished: true))
            } catch {
                Issue.record("\(error)")
            }
        }
        let error = #expect(throws: SettingsError.self) {
            try suite.make(large, like: nil, origin: origin)
        }
        #expect("\(try #require(error))".contains("another program removed"))
        #expect(try cluster.suiteNames() == [])
    }

    @Test(
        "A suite is created or removed once if the answer to a step is lost",
        arguments: [
            (WholeSample.large, second), (.large, last), (.small, "request_put"), (.large, removal),
            (.small, removal),
        ]
    )
    func lostAnswer(sample: WholeSample, request: String) throws {
        let values = sample.values
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: place(behind: proxy))
        let isRemoval = request == removal && sample == .small
        if isRemoval { try suite.make(values, like: nil, origin: origin) }
        let revision = try server.revision()
        proxy.stall(atRequestWith: request)
        let (ended, origin) = (Recorder<Result<Void, SettingsError>>(), origin)
        Thread {
            do throws(SettingsError) {
                if isRemoval {
                    try suite.remove(expecting: values, origin: origin)
                } else {
                    try suite.make(values, like: nil, origin: origin)
                    if request == removal { try suite.remove(expecting: values, origin: origin) }
                }
                ended.note(.success(()))
            } catch {
                ended.note(.failure(error))
            }
        }.start()
        // Now the request has been carried out.
        #expect(eventually { proxy.holdsBack })
        proxy.interrupt()
        #expect(eventually { !ended.all.isEmpty })
        #expect(throws: Never.self) { try ended.all.first?.get() }
        let expected = request == removal ? [:] : values
        #expect(try stored() == expected)
        #expect(suite.storedValues == expected)
        #expect(try server.revision() > revision)
    }

    // MARK: - Renaming

    @Test("A suite replaces another one in one step", arguments: [WholeSample.large, .small, .many])
    func moved(sample: WholeSample) throws {
        let values = sample.values
        let old = try SettingsSuite.separate("Old", in: cluster)
        let suite = try SettingsSuite.separate("App", in: cluster)
        try old.make(values, like: nil, origin: origin)
        #expect(try suite.make(values, inPlaceOf: old, origin: origin) == .moved)
        #expect(old.storedValues == [:])
        #expect(suite.storedValues == values)
        #expect(try cluster.suiteNames() == [SuiteName("App")])
        #expect(try stored() == values)
        // And back again.
        #expect(try old.make(values, inPlaceOf: suite, origin: origin) == .moved)
        #expect(try cluster.suiteNames() == [SuiteName("Old")])
        #expect(try stored("Old") == values)
        #expect(suite.storedValues == [:])
    }

    @Test(
        "A suite does not replace one that another client changes meanwhile",
        arguments: [WholeSample.large, .small]
    )
    func disturbedMove(sample: WholeSample) throws {
        let values = sample.values
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let place = place(behind: proxy)
        let old = try SettingsSuite.separate("Old", in: place)
        let suite = try SettingsSuite.separate("App", in: place)
        try old.make(values, like: nil, origin: origin)
        for key in [values.keys.min() ?? "", "new"] {
            let now = old.storedValues
            proxy.atRequest(with: removal) { put("theirs", key, of: "Old") }
            let error = #expect(throws: SettingsError.self) {
                try suite.make(now, inPlaceOf: old, origin: origin)
            }
            #expect("\(try #require(error))".contains("another process has changed “\(key)”"))
            #expect(try cluster.suiteNames() == [SuiteName("Old")])
            #expect(try stored("Old") == now.merging([key: "theirs"]) { $1 })
        }
    }

    @Test(
        "A renamed suite lacks the keys that another client removed from the old one meanwhile",
        arguments: [WholeSample.large, .small]
    )
    func removedMeanwhile(sample: WholeSample) throws {
        let values = sample.values
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let place = place(behind: proxy)
        let old = try SettingsSuite.separate("Old", in: place)
        let suite = try SettingsSuite.separate("App", in: place)
        try old.make(values, like: nil, origin: origin)
        let key = try #require(values.keys.min())
        proxy.atRequest(with: removal) { put(nil, key, of: "Old") }
        _ = try suite.make(values, inPlaceOf: old, origin: origin)
        #expect(try stored() == values.filter { $0.key != key })
        #expect(try cluster.suiteNames() == [SuiteName("App")])
    }

    @Test(
        "A rename happens once if its answer is lost",
        arguments: [WholeSample.large, .small]
    )
    func lostMove(sample: WholeSample) throws {
        let values = sample.values
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let place = place(behind: proxy)
        let old = try SettingsSuite.separate("Old", in: place)
        let suite = try SettingsSuite.separate("App", in: place)
        try old.make(values, like: nil, origin: origin)
        proxy.stall(atRequestWith: removal)
        let (ended, origin) = (Recorder<Result<Void, SettingsError>>(), origin)
        Thread {
            do throws(SettingsError) {
                _ = try suite.make(values, inPlaceOf: old, origin: origin)
                ended.note(.success(()))
            } catch {
                ended.note(.failure(error))
            }
        }.start()
        #expect(try eventually { try cluster.suiteNames() == [SuiteName("App")] })
        proxy.interrupt()
        #expect(eventually { !ended.all.isEmpty })
        #expect(throws: Never.self) { try ended.all.first?.get() }
        #expect(try stored() == values)
        #expect(suite.storedValues == values)
        #expect(old.storedValues == [:])
    }
}
#endif
