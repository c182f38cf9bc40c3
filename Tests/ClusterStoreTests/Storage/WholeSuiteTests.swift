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

/// Texts in the request of the second step and of a removal.
private let second = Data(repeating: 15, count: 60).base64EncodedString()
private let removal = "request_delete_range"

@Suite(
    "Creating and removing whole suites",
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

    @Test("A creation that is interrupted says how many keys were stored")
    func interrupted() throws {
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: place(behind: proxy))
        proxy.atRequest(with: second) { [weak proxy] in proxy?.cut() }
        let error = #expect(throws: SettingsError.self) {
            try suite.make(large, like: nil, origin: origin)
        }
        #expect("\(try #require(error))".contains("5 of 13 keys were stored before, up to “key14”"))
        #expect(try stored() == large.filter { $0.key <= "key14" })
    }

    @Test(
        "A suite is created or removed once if the answer to a step is lost",
        arguments: [
            (WholeSample.small, "request_put"), (.large, removal), (.small, removal),
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
}
#endif
