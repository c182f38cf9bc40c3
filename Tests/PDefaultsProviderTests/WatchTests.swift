#if Configuration
import Configuration
import Foundation
import PDefaultsProvider
import ProgramHarness
import SettingsStoreTesting
import Testing

#if Cluster
import EtcdHarness
#endif

@Suite("Watching a suite through swift-configuration", .timeLimit(.minutes(60)))
struct WatchTests {
    @Test("A watch gives the current value, and then each new one")
    func values() async throws {
        let suite = SettingsSuite.inMemory(["http": ["port": 1]])
        try await PDefaultsProvider(suite: suite).watchValue(forKey: "http.port", type: .int) { updates in
            var updates = updates.makeAsyncIterator()
            #expect(try await updates.next()?.content == .int(1))
            suite.set(["port": 2], forKey: "http")
            #expect(try await updates.next()?.content == .int(2))
            suite.set(3, forKey: "http.port")
            #expect(try await updates.next()?.content == .int(3))
            suite.set("text", forKey: "http.port")
            let failure = try await updates.next()
            #expect(throws: PDefaultsProviderError.self) { try failure?.get() }
            suite.set(nil, forKey: "http.port")
            #expect(try await updates.next()?.content == .int(2))
        }
    }

    @Test("A change of another key, or to the same value, gives nothing")
    func otherKeys() async throws {
        let suite = SettingsSuite.inMemory(["volume": 1])
        try await PDefaultsProvider(suite: suite).watchValue(forKey: "volume", type: .int) { updates in
            var updates = updates.makeAsyncIterator()
            let first = try await updates.next()
            #expect(first?.content == .int(1))
            suite.set(5, forKey: "other")
            suite.set(1, forKey: "volume")
            suite.set(2, forKey: "volume")
            let second = try await updates.next()
            #expect(second?.content == .int(2))
        }
    }

    @Test("A change by another process arrives")
    func otherProcess() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("App.plist")
        let reader = ConfigReader(provider: PDefaultsProvider(suite: SettingsSuite(file: path)))
        try await reader.watchInt(forKey: "volume", default: 0) { updates in
            var updates = updates.makeAsyncIterator()
            #expect(try await updates.next() == 0)
            for number in 1...5 {
                try otherProcessStores(number, forKey: "volume", in: path)
                #expect(try await updates.next() == number)
            }
        }
    }

    #if Cluster
    @Test(
        "A change on a cluster arrives",
        .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
    )
    func cluster() async throws {
        let cluster = try SettingsCluster.ofItsOwn()
        // It shares nothing with the suite of the reader, like one of another machine.
        let other = SettingsSuite(ClusterStorage(try SuiteName("org.example.App"), in: cluster))
        let suite = try SettingsSuite(named: "org.example.App", in: cluster)
        let reader = ConfigReader(provider: PDefaultsProvider(suite: suite))
        try await reader.watchInt(forKey: "volume", default: 0) { updates in
            var updates = updates.makeAsyncIterator()
            let first = try await updates.next()
            #expect(first == 0)
            for number in 1...5 {
                other.set(.integer(PropertyListInteger(number)), forKey: "volume")
                let next = try await updates.next()
                #expect(next == number)
            }
        }
    }
    #endif

    @Test("A slow task gets the latest value")
    func latest() async throws {
        let suite = SettingsSuite.inMemory(["volume": 0])
        try await PDefaultsProvider(suite: suite).watchValue(forKey: "volume", type: .int) { updates in
            var updates = updates.makeAsyncIterator()
            _ = try await updates.next()
            for number in 1...1000 { suite.set(.integer(PropertyListInteger(number)), forKey: "volume") }
            #expect(try await updates.next()?.content == .int(1000))
        }
    }

    @Test("A snapshot has all values of one moment")
    func snapshots() async throws {
        let rounds = isLong ? 100_000 : 5_000
        let suite = SettingsSuite.inMemory(["a": 0, "b": 0])
        let provider = PDefaultsProvider(suite: suite)
        let old = provider.snapshot()
        async let setting: Void = Task.detached {
            for number in 1...rounds {
                let value = PropertyListValue.integer(PropertyListInteger(number))
                suite.set(["a": value, "b": value])
            }
        }.value
        try await provider.watchSnapshot { updates in
            for await snapshot in updates {
                let a = try snapshot.content("a", .int)
                #expect(try snapshot.content("b", .int) == a)
                if a == .int(rounds) { break }
            }
        }
        await setting
        #expect(try old.content("a", .int) == .int(0))
    }

    @Test("Keys that are set in one transaction give one snapshot")
    func transaction() async throws {
        let suite = SettingsSuite.inMemory()
        try await PDefaultsProvider(suite: suite).watchSnapshot { updates in
            var updates = updates.makeAsyncIterator()
            _ = try await updates.next()
            suite.set(["a": 1, "b": 1])
            #expect(try await updates.next()?.content("b", .int) == .int(1))
            suite.set(["a": 2])
            #expect(try await updates.next()?.content("a", .int) == .int(2))
        }
    }

    @Test("Keys that another process stores in one transaction change in one snapshot")
    func foreignTransactions() async throws {
        let rounds = isLong ? 2_000 : 100
        let folder = try TemporaryFolder()
        let path = folder.file("App.plist")
        // It shares nothing with the suite of the provider, like one of another process.
        let other = SettingsSuite(FileStorage(path: path))
        let provider = PDefaultsProvider(suite: SettingsSuite(file: path))
        async let setting: Void = Task.detached {
            for number in 1...rounds {
                let value = PropertyListValue.integer(PropertyListInteger(number))
                other.set(["a": value, "b": value])
                try other.synchronize()
            }
        }.value
        try await provider.watchSnapshot { updates in
            for await snapshot in updates {
                let a = try snapshot.content("a", .int)
                #expect(try snapshot.content("b", .int) == a)
                if a == .int(rounds) { break }
            }
        }
        try await setting
    }

    @Test("A watch ends with its task")
    func cancelling() async throws {
        let provider = PDefaultsProvider(suite: .inMemory(["volume": 1]))
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await provider.watchValue(forKey: "volume", type: .int) { updates in
                var count = 0
                for await _ in updates {
                    count += 1
                    continuation.yield()
                }
                return count
            }
        }
        for await _ in begun { break }
        task.cancel()
        #expect(try await task.value == 1)
    }

    @Test("The provider is released with its last user, and then observes nothing")
    func release() async throws {
        let suite = SettingsSuite.inMemory()
        weak var released: PDefaultsProvider?
        do {
            let provider = PDefaultsProvider(suite: suite)
            released = provider
            try await provider.watchSnapshot { for await _ in $0 { break } }
        }
        // The end of the watch may still be under way on another thread.
        #expect(eventually { released == nil })
    }
}

extension Result<LookupResult, any Error> {
    fileprivate var content: ConfigContent? { (try? get())?.value?.content }
}
#endif
