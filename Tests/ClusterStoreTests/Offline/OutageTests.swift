#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "A cluster that can't be reached",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct OutageTests {
    let server: EtcdServer
    /// Connects other clients to the server directly.
    let cluster: SettingsCluster
    /// The proxy between this program and the server.
    let proxy: Proxy
    let folder: TemporaryFolder
    /// A client of the same cluster that connects through the proxy.
    var behind: SettingsCluster

    init() throws {
        server = try EtcdServer.shared.get()
        cluster = try .ofItsOwn()
        proxy = try Proxy(to: server.url)
        folder = try TemporaryFolder()
        behind = .plain(proxy.url, prefix: cluster.prefix)
    }

    @Test("After a cut the stream continues without missing or repeated changes")
    func cutStream() throws {
        defer { proxy.end() }
        let changes = Recorder<Change>()
        let suite = try SettingsSuite.separate("App", in: behind)
        let observation = suite.observe("count") { changes.note($0) }
        let writer = try SettingsSuite.separate("App", in: cluster)
        for round in 1...40 {
            try writer.store(.integer(PropertyListInteger(round)), forKey: "count")
            if round.isMultiple(of: 4) { proxy.interrupt() }
        }
        #expect(eventually { suite.storedValues["count"] == 40 })
        #expect(eventually { changes.all.last?.new == 40 })
        // Changes during a cut may be merged into one, but never go backwards.
        let numbers = changes.all.map { $0.new?.number ?? 0 }
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == numbers.count)
        withExtendedLifetime(observation) {}
    }

    @Test("Changes during a cut are reported afterwards, even if they were compacted")
    func compactedMeanwhile() throws {
        defer { proxy.end() }
        let changes = Recorder<[PropertyListValue?]>()
        let suite = try SettingsSuite.separate("App", in: behind)
        let writer = try SettingsSuite.separate("App", in: cluster)
        writer.set(["changed": 1, "removed": 1, "kept": 1])
        try writer.synchronize()
        let observation = suite.observe { event in
            if case .change(let change) = event {
                changes.note([.string(change.key), change.old, change.new])
            }
        }
        try writer.store(1, forKey: "seen")
        #expect(eventually { changes.all.count == 1 })
        proxy.cut()
        #expect(eventually { suite.isStale })
        #expect(suite.storedValue(forKey: "kept") == 1)
        for round in 2...5 { try writer.store(.integer(PropertyListInteger(round)), forKey: "changed") }
        try writer.store(nil, forKey: "removed")
        try writer.store(1, forKey: "new")
        try server.compact()
        proxy.mend()
        #expect(eventually { !suite.isStale && suite.storedValues == writer.storedValues })
        #expect(eventually { changes.all.count == 4 })
        #expect(Set(changes.all.dropFirst()) == [["changed", 1, 5], ["new", nil, 1], ["removed", 1, nil]])
        // The stream delivers new changes too.
        try writer.store(2, forKey: "new")
        #expect(eventually { suite.storedValue(forKey: "new") == 2 })
        withExtendedLifetime(observation) {}
    }

    @Test("A set during an outage stays pending, and is stored afterwards")
    func pending() throws {
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: behind)
        let observation = suite.observe { _ in }
        try suite.store(1, forKey: "a")
        proxy.cut()
        #expect(eventually { suite.isStale })
        suite.set(2, forKey: "a")
        suite.set(3, forKey: "b")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(suite.status.pendingKeys == 2)
        #expect(suite.storedValues == ["a": 2, "b": 3])
        proxy.mend()
        #expect(eventually { suite.status.pendingKeys == 0 })
        #expect(try SettingsSuite.separate("App", in: cluster).storedValues == ["a": 2, "b": 3])
        withExtendedLifetime(observation) {}
    }

    @Test("A pending set does not overwrite a foreign change: it is undone and reported")
    func conflict() throws {
        defer { proxy.end() }
        let events = Recorder<Change>()
        let suite = try SettingsSuite.separate("App", in: behind)
        let observation = suite.observe { event in if case .change(let change) = event { events.note(change) }
        }
        try suite.store(1, forKey: "a")
        proxy.cut()
        #expect(eventually { suite.isStale })
        suite.set("mine", forKey: "a")
        suite.set("mine", forKey: "b")
        try SettingsSuite.separate("App", in: cluster).store("theirs", forKey: "a")
        proxy.mend()
        #expect(eventually { suite.status.pendingKeys == 0 && !suite.isStale })
        #expect(throws: SettingsError.conflict(current: ["a": "theirs"])) { try suite.synchronize() }
        #expect(suite.storedValues == ["a": "theirs", "b": "mine"])
        #expect(try SettingsSuite.separate("App", in: cluster).storedValues == suite.storedValues)
        #expect(events.all.contains { $0.key == "a" && $0.new == "theirs" && $0.origin == .refused })
        withExtendedLifetime(observation) {}
    }

    @Test("A pending set does not restore a suite that was renamed meanwhile")
    func renamed() throws {
        defer { proxy.end() }
        let suite = try SettingsSuite.separate("App", in: behind)
        let observation = suite.observe { _ in }
        try suite.store(1, forKey: "a")
        proxy.cut()
        #expect(eventually { suite.isStale })
        suite.set(2, forKey: "a")
        let old = try SettingsSuite.separate("App", in: cluster)
        let new = try SettingsSuite.separate("New", in: cluster)
        let origin = ChangeOrigin.set(by: WriterID())
        try new.make(["a": 1], like: nil, origin: origin)
        try old.remove(expecting: ["a": 1], origin: origin)
        proxy.mend()
        #expect(eventually { suite.status.pendingKeys == 0 && !suite.isStale })
        #expect(throws: SettingsError.conflict(current: ["a": nil])) { try suite.synchronize() }
        #expect(suite.storedValues == [:])
        #expect(try cluster.suiteNames() == [try SuiteName("New")])
        #expect(try SettingsSuite.separate("New", in: cluster).storedValues == ["a": 1])
        withExtendedLifetime(observation) {}
    }

    @Test("A suite with .refuse undoes a set during an outage at once")
    func refusal() throws {
        defer { proxy.end() }
        var refusing = behind
        refusing.whileUnreachable = .refuse
        let suite = try SettingsSuite.separate("App", in: refusing)
        let observation = suite.observe { _ in }
        try suite.store(1, forKey: "a")
        proxy.cut()
        #expect(eventually { suite.isStale })
        suite.set(2, forKey: "a")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(suite.storedValues == ["a": 1])
        #expect(suite.status.pendingKeys == 0)
        proxy.mend()
        #expect(eventually { !suite.isStale })
        try suite.store(3, forKey: "a")
        #expect(try SettingsSuite.separate("App", in: cluster).storedValues == ["a": 3])
        withExtendedLifetime(observation) {}
    }

    @Test("A set that was undone in the background is reported, and does not fail a later one")
    func refusalInTheBackground() throws {
        defer { proxy.end() }
        var refusing = behind
        refusing.whileUnreachable = .refuse
        let events = Recorder<SuiteEvent>()
        let suite = try SettingsSuite.separate("App", in: refusing)
        let observation = suite.observe { events.note($0) }
        try suite.store(1, forKey: "a")
        proxy.cut()
        #expect(eventually { suite.isStale })
        suite.set(2, forKey: "a")
        #expect(eventually { suite.status.pendingKeys == 0 })
        #expect(suite.storedValues == ["a": 1])
        #expect(
            eventually {
                events.all.contains { event in
                    if case .change(let change) = event { change.origin == .refused } else { false }
                }
            }
        )
        proxy.mend()
        #expect(eventually { !suite.isStale })
        try suite.store(3, forKey: "b")
        #expect(try SettingsSuite.separate("App", in: cluster).storedValues == ["a": 1, "b": 3])
        withExtendedLifetime(observation) {}
    }

    @Test("A program starts with cached values during an outage, and reports changes afterwards")
    func copy() throws {
        defer { proxy.end() }
        var copying = behind
        copying.copies = .kept(SettingsFolder(path: folder.path))
        let values: [String: PropertyListValue] = [
            "a": 1, "date": .date(Date(timeIntervalSinceReferenceDate: 0.5)),
        ]
        do {
            let suite = try SettingsSuite.separate("App", in: copying)
            suite.set(values)
            try suite.synchronize()
            let file = SettingsSuite(file: folder.file("App.plist"))
            let watch = file.observe { _ in }
            #expect(eventually { file.storedValues == values })
            withExtendedLifetime(watch) {}
        }
        proxy.cut()
        let changes = Recorder<Change>()
        let suite = try SettingsSuite.separate("App", in: copying)
        let observation = suite.observe("a") { changes.note($0) }
        #expect(suite.isStale)
        #expect(suite.storedValues == values)
        try SettingsSuite.separate("App", in: cluster).store(2, forKey: "a")
        proxy.mend()
        #expect(eventually { !suite.isStale })
        #expect(eventually { changes.all.map(\.new) == [2] })
        #expect(suite.storedValues["date"] == values["date"])
        withExtendedLifetime(observation) {}
    }

    @Test("Without a cache a program starts with its defaults, and gets the values later")
    func noCopy() throws {
        defer { proxy.end() }
        try SettingsSuite.separate("App", in: cluster).store(1, forKey: "a")
        proxy.cut()
        let suite = try SettingsSuite.separate("App", in: behind)
        suite.register(["a": "default"])
        #expect(suite.value(forKey: "a") == "default")
        let observation = suite.observe { _ in }
        #expect(suite.isStale)
        proxy.mend()
        #expect(eventually { suite.value(forKey: "a") == 1 })
        withExtendedLifetime(observation) {}
    }

    @Test("A change that the stream has lost is found by the regular check")
    func checking() throws {
        defer { proxy.end() }
        var checking = behind
        checking.secondsBetweenChecks = 0.2
        checking.patience = 1
        let suite = try SettingsSuite.separate("App", in: checking)
        let changes = Recorder<Change>()
        let observation = suite.observe("a") { changes.note($0) }
        let writer = try SettingsSuite.separate("App", in: cluster)
        try writer.store(1, forKey: "a")
        #expect(eventually { changes.all.map(\.new) == [1] })
        proxy.stall()
        try writer.store(2, forKey: "a")
        #expect(eventually { changes.all.map(\.new) == [1, 2] })
        withExtendedLifetime(observation) {}
    }

    @Test("The stream leaves a server that hangs")
    func hangingServer() throws {
        defer { proxy.end() }
        var both = SettingsCluster.plain("\(proxy.url),\(server.url)", prefix: cluster.prefix)
        both.secondsBetweenSigns = 0.2
        both.secondsBetweenChecks = 3600
        let suite = try SettingsSuite.separate("App", in: both)
        let changes = Recorder<Change>()
        let observation = suite.observe("a") { changes.note($0) }
        let writer = try SettingsSuite.separate("App", in: cluster)
        try writer.store(1, forKey: "a")
        #expect(eventually { changes.all.map(\.new) == [1] })
        proxy.freeze()
        try writer.store(2, forKey: "a")
        #expect(eventually { changes.all.map(\.new) == [1, 2] })
        #expect(eventually { !suite.isStale })
        withExtendedLifetime(observation) {}
    }

    @Test(
        "A cluster that was set up again is read as it is, although its revisions begin at 1"
    )
    func setUpAnew() throws {
        let server = try EtcdServer.started()
        let suite = try SettingsSuite.separate("App", in: .plain(server.url))
        let observation = suite.observe { _ in }
        for round in 0..<20 { try suite.store(.integer(PropertyListInteger(round)), forKey: "a") }
        try server.kill()
        #expect(eventually { suite.isStale })
        try server.wipe()
        try server.start()
        #expect(eventually { !suite.isStale && suite.storedValues.isEmpty })
        try server.control("put", "/pdefaults/App/new", "x")
        #expect(eventually { suite.storedValues == ["new": "x"] })
        try suite.store(1, forKey: "a")
        try server.control("put", "/pdefaults/App/new", "y")
        #expect(eventually { suite.storedValues == ["new": "y", "a": 1] })
        withExtendedLifetime(observation) {}
    }

    @Test("A cluster that was restored from a backup is read as it is")
    func restored() throws {
        let server = try EtcdServer.started()
        let proxy = try Proxy(to: server.url)
        defer { proxy.end() }
        let other = try SettingsSuite.separate("App", in: .plain(server.url))
        for key in ["a", "b", "c"] { try other.store("base", forKey: key) }
        let copy = try server.saveSnapshot()
        let suite = try SettingsSuite.separate("App", in: .plain(proxy.url))
        let observation = suite.observe { _ in }
        for key in ["a", "b", "c", "d"] { try other.store("lost", forKey: key) }
        #expect(eventually { suite.storedValues["d"] == "lost" })
        proxy.cut()
        #expect(eventually { suite.isStale })
        try server.kill()
        try server.restore(copy)
        try server.start()
        try server.wait()
        try server.control("put", "/pdefaults/App/a", "new")
        // The server's revision is now above all that the suite has seen.
        for round in 0..<10 { try server.control("put", "/pdefaults/Other/x", "\(round)") }
        proxy.mend()
        let now: [String: PropertyListValue] = ["a": "new", "b": "base", "c": "base"]
        #expect(eventually { suite.storedValues == now })
        #expect(eventually { !suite.isStale })
        withExtendedLifetime(observation) {}
    }

    @Test("A pending set does not overwrite a change in the moment of the reconnection")
    func conflictAtTheReturn() throws {
        defer { proxy.end() }
        let other = try SettingsSuite.separate("App", in: cluster)
        let suite = try SettingsSuite.separate("App", in: behind)
        let observation = suite.observe { _ in }
        try suite.store(1, forKey: "a")
        proxy.cut()
        #expect(eventually { suite.isStale })
        suite.set(["a": "mine", "b": "mine"])
        // Runs between the reading that the decision is based on and the write.
        proxy.atRequest(with: "request_put") {
            other.set("theirs", forKey: "a")
            // A busy machine may take longer than the request may.
            while (try? other.synchronize()) == nil {}
        }
        proxy.mend()
        #expect(eventually { suite.status.pendingKeys == 0 && !suite.isStale })
        #expect(suite.storedValues == ["a": "theirs", "b": "mine"])
        #expect(throws: SettingsError.conflict(current: ["a": "theirs"])) { try suite.synchronize() }
        try other.synchronize()
        #expect(other.storedValues == suite.storedValues)
        withExtendedLifetime(observation) {}
    }

    @Test("A large pending write is stored in several transactions, except for keys with a conflict")
    func muchPending() throws {
        defer { proxy.end() }
        let other = try SettingsSuite.separate("App", in: cluster)
        let suite = try SettingsSuite.separate("App", in: behind)
        let observation = suite.observe { _ in }
        let count = isLong ? 10_000 : 200
        for number in 0..<count { suite.set(1, forKey: "key \(number)") }
        try suite.synchronize()
        proxy.cut()
        #expect(eventually { suite.isStale })
        let large = PropertyListValue.data(Data(count: 1_500_000 / count))
        for number in 0..<count { suite.set(large, forKey: "key \(number)") }
        try other.store("theirs", forKey: "key 7")
        proxy.mend()
        #expect(eventually { suite.status.pendingKeys == 0 && !suite.isStale })
        try other.synchronize()
        #expect(other.storedValues.count == count)
        #expect(other.storedValues["key 7"] == "theirs")
        #expect(other.storedValues == suite.storedValues)
        withExtendedLifetime(observation) {}
    }

    @Test("Different clusters and prefixes have different folders for their copies")
    func copiesOfOthers() {
        let long = String(repeating: "a", count: 300)
        let places = [
            "/team/a/", "/team_a/", "/team%2fa/", "/team-a/", "/日本/", "/中国/", "/\(long)b/", "/c\(long)b/",
        ]
        let folders = places.map { prefix in
            SettingsCluster.etcd("http://a:2379", prefix: prefix).copies(below: folder.path).path
        }
        #expect(Set(folders).count == places.count)
        func copies(_ servers: String) -> String {
            SettingsCluster.etcd(servers, prefix: "/p/").copies(below: folder.path).path
        }
        #expect(copies("http://a:2379,http://b:2379") == copies("http://b:2379,http://a:2379"))
        #expect(copies("http://b:2379") != copies("http://b:23790"))
        #expect(folders.allSatisfy { $0.split(separator: "/").last?.utf8.count ?? 0 < 256 })
    }

    @Test("The first cache of a suite has all values, and later ones too")
    func firstCopy() throws {
        let others = try SettingsSuite.separate("App", in: cluster)
        let values: [String: PropertyListValue] = ["a": 1, "b": 1, "c": 1]
        others.set(values)
        try others.synchronize()
        var copying = cluster
        // The folder does not exist yet.
        copying.copies = .kept(SettingsFolder(path: folder.file("new/copies")))
        let suite = try SettingsSuite.separate("App", in: copying)
        let observation = suite.observe { _ in }
        #expect(suite.storedValues == values)
        func copied() -> [String: PropertyListValue] {
            SettingsSuite(file: folder.file("new/copies/App.plist")).storedValues
        }
        #expect(eventually { copied() == values })
        try others.store(2, forKey: "b")
        #expect(eventually { copied() == ["a": 1, "b": 2, "c": 1] })
        withExtendedLifetime(observation) {}
    }

    @Test("A damaged cache is reported and replaced")
    func damagedCopy() throws {
        defer { proxy.end() }
        var copying = behind
        copying.copies = .kept(SettingsFolder(path: folder.path))
        try SettingsSuite.separate("App", in: cluster).store(1, forKey: "a")
        try folder.write("junk", to: "App.plist")
        let suite = try SettingsSuite.separate("App", in: copying)
        #expect(suite.storedValues == ["a": 1])
        let path = folder.file("App.plist")
        #expect(
            eventually {
                var file = FileStorage(path: path)
                guard let reading = try? file.read(), case .all(let all) = reading.difference else {
                    return false
                }
                return [String: PropertyListValue](all) == ["a": 1]
            }
        )
    }

    @Test("A wrong address is reported with a reason, and without a password in it")
    func wrongAddresses() throws {
        let urls = [
            "ftp://127.0.0.1", "http://root:hunter2@127.0.0.1:1", "http://no such host",
            "http://127.0.0.1:99999",
            "http://127.0.0.1:0", "http://[::1]:99999",
        ]
        for url in urls {
            let cluster = SettingsCluster.plain(url)
            do {
                _ = try cluster.suiteNames()
                Issue.record("\(url) answers")
            } catch {
                guard case .unreachable(_, let reason) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(!reason.isEmpty)
                #expect(!"\(error)\(cluster)".contains("hunter2"))
            }
        }
    }
}

extension PropertyListValue {
    var number: Int? { if case .integer(let number) = self { Int(exactly: number) } else { nil } }
}
#endif
