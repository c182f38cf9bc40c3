import Benchmark
import Foundation
import PDefaults
import PropertyList
import SettingsStore
import Synchronization

/// Reads, sets and durable writes of a suite in one process.
func registerStoreBenchmarks(keys: Int) {
    registerReadBenchmarks(keys: keys)
    registerSetBenchmarks(keys: keys)
    registerDurableBenchmarks(keys: keys)
}

private func registerReadBenchmarks(keys: Int) {
    // A key of every type.
    let names = (0..<16).filter { $0 < keys }.map(Sample.key)
    compareReads("1000 values by key", keys: keys) { suite in
        { readThousand(of: names) { blackHole(suite.value(forKey: $0)) } }
    } foundation: { defaults in
        { readThousand(of: names) { blackHole(defaults.object(forKey: $0)) } }
    }
    compareReads("1000 values of a property", keys: keys) { suite in
        let settings = Settings(suite)
        return { for _ in 0..<1000 { blackHole(settings.text) } }
    } foundation: { defaults in
        { for _ in 0..<1000 { blackHole(defaults.string(forKey: Sample.stringKey)) } }
    }
    guard keys == 1000 else { return }
    compareReads("1000 values of an Int property", keys: keys) { suite in
        let settings = Settings(suite)
        return { for _ in 0..<1000 { blackHole(settings.number) } }
    } foundation: { defaults in
        { for _ in 0..<1000 { blackHole(defaults.object(forKey: Sample.integerKey)) } }
    }
    // Foundation's is the data alone.
    compareReads("1000 values of a Codable property", keys: keys) { suite in
        let settings = Settings(suite)
        settings.window = Window(title: "window \(keys) of the program")
        return { for _ in 0..<1000 { blackHole(settings.window) } }
    } foundation: { defaults in
        defaults.set(try? JSONEncoder().encode(Window()), forKey: "window")
        return { for _ in 0..<1000 { blackHole(defaults.object(forKey: "window")) } }
    }
}

private struct Window: Codable {
    var width = 80
    var height = 24
    var title = "window"
}

private final class Settings {
    @PDefaults var text: String
    @PDefaults var number: Int
    @PDefaults var window: Window

    init(_ suite: SettingsSuite) {
        _text = PDefaults(wrappedValue: "", SettingsKey(Sample.stringKey), suite: suite)
        _number = PDefaults(wrappedValue: 0, SettingsKey(Sample.integerKey), suite: suite)
        _window = PDefaults(wrappedValue: Window(), "window", suite: suite)
    }
}

/// Registers reads twice: alone, and while we commit. Foundation's are alone in both: what one takes
/// during a write is no yardstick.
private func compareReads(
    _ work: String,
    keys: Int,
    ours: @escaping (SettingsSuite) -> () -> Void,
    foundation: @escaping (UserDefaults) -> () -> Void
) {
    compare("\(work), \(keys) keys", [.ours, .foundation]) { folder in
        let readOurs = ours(try folder.suite(keys: keys))
        let readFoundation = foundation(try folder.userDefaults(keys: keys))
        return [(.ours, { time(readOurs) }), (.foundation, { time(readFoundation) })]
    }
    compare("\(work) during commits, \(keys) keys", [.ours, .foundation]) { folder in
        let suite = try folder.suite(keys: keys)
        let readOurs = ours(suite)
        let readFoundation = foundation(try folder.userDefaults(keys: keys))
        return [
            (.ours, { try timeDuringCommits(of: suite, readOurs) }),
            (.foundation, { time(readFoundation) }),
        ]
    }
}

private func readThousand(of names: [String], _ read: (String) -> Void) {
    var index = 0
    for _ in 0..<1000 {
        read(names[index])
        index = index + 1 == names.count ? 0 : index + 1
    }
}

/// How long the work takes while another thread sets and synchronizes without a pause.
private func timeDuringCommits(of suite: SettingsSuite, _ work: () -> Void) throws -> Int {
    let committer = Committer()
    Thread.detachNewThread { committer.run(suite) }
    committer.hasBegun.wait()
    let cost = time(work)
    committer.isOver.store(true, ordering: .relaxed)
    committer.hasEnded.wait()
    if let error = committer.error.withLock({ $0 }) { throw error }
    return cost
}

private final class Committer: Sendable {
    let hasBegun = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    let isOver = Atomic(false)
    let error = Mutex<SettingsError?>(nil)

    func run(_ suite: SettingsSuite) {
        var number = 0
        repeat {
            number += 1
            suite.set(.integer(PropertyListInteger(number)), forKey: Sample.integerKey)
            if number == 1 { hasBegun.signal() }
            do throws(SettingsError) {
                try suite.synchronize()
            } catch {
                self.error.withLock { $0 = error }
            }
        } while !isOver.load(ordering: .relaxed)
        hasEnded.signal()
    }
}

private func registerSetBenchmarks(keys: Int) {
    // A set that follows others, which are being stored meanwhile.
    compare("1000 sets, \(keys) keys", [.ours, .foundation], rounds: 200) { folder in
        let suite = try folder.suite(keys: keys)
        let defaults = try folder.userDefaults(keys: keys)
        return [
            (
                .ours,
                {
                    let cost = time { setThousand(suite) }
                    try suite.synchronize()
                    return cost
                }
            ),
            (.foundation, { time { setThousand(defaults) } }),
        ]
    }
    // What sets through a property with one subscriber take beyond the store's own, which nobody observes.
    compare("1000 sets with a subscriber, \(keys) keys", [.ours], rounds: 200) { folder in
        let suite = try folder.suite(keys: keys)
        let settings = Settings(suite)
        let subscription = settings.$number.sink { blackHole($0) }
        return [
            (
                .ours,
                {
                    let storesOwn = time { setThousand(suite, key: Sample.key(8)) }
                    try suite.synchronize()
                    let cost = time { for number in 0..<1000 { settings.number = number } }
                    try suite.synchronize()
                    return withExtendedLifetime(subscription) { max(0, cost - storesOwn) }
                }
            )
        ]
    }
    // A set after which nothing happens for a while, as most are: this one has to have itself stored.
    compare("a lone set, \(keys) keys", [.ours, .foundation], rounds: 1000) { folder in
        let suite = try folder.suite(keys: keys)
        let defaults = try folder.userDefaults(keys: keys)
        return [
            (
                .ours,
                {
                    let cost = time { suite.set("lone", forKey: Sample.stringKey) }
                    try suite.synchronize()
                    return cost
                }
            ),
            (.foundation, { time { defaults.set("lone", forKey: Sample.stringKey) } }),
        ]
    }
}

private func setThousand(_ suite: SettingsSuite, key: String = Sample.integerKey) {
    for number in 0..<1000 { suite.set(.integer(PropertyListInteger(number)), forKey: key) }
}

private func setThousand(_ defaults: UserDefaults) {
    for number in 0..<1000 { defaults.set(number, forKey: Sample.integerKey) }
}

private func registerDurableBenchmarks(keys: Int) {
    compare("a durable write, \(keys) keys", [.ours, .foundation, .bare], rounds: 500, seconds: 4) { folder in
        let suite = try folder.suite(keys: keys)
        let defaults = try folder.userDefaults(keys: keys)
        var bare = try BareFile(folder.file(of: .bare, keys: keys))
        var number = 0
        return [
            (
                .ours,
                {
                    number += 1
                    return try time {
                        suite.set(.string("written \(number)"), forKey: Sample.stringKey)
                        try suite.synchronize()
                    }
                }
            ),
            (
                .foundation,
                {
                    number += 1
                    return try time {
                        defaults.set("written \(number)", forKey: Sample.stringKey)
                        try synchronize(defaults)
                    }
                }
            ),
            (
                .bare,
                {
                    number += 1
                    return try time { try bare.replace(number: number, syncingFolder: true) }
                }
            ),
        ]
    }
    guard keys == 1000 else { return }
    compare("1000 sets then synchronized, \(keys) keys", [.ours, .foundation], rounds: 20, seconds: 8) {
        folder in
        let suite = try folder.suite(keys: keys)
        let defaults = try folder.userDefaults(keys: keys)
        return [
            (
                .ours,
                {
                    try time {
                        setThousand(suite)
                        try suite.synchronize()
                    }
                }
            ),
            (
                .foundation,
                {
                    try time {
                        setThousand(defaults)
                        try synchronize(defaults)
                    }
                }
            ),
        ]
    }
    compare("1000 sets each synchronized, \(keys) keys", [.foundation], rounds: 3, seconds: 8) { folder in
        let defaults = try folder.userDefaults(keys: keys)
        return [
            (
                .foundation,
                {
                    try time {
                        for number in 0..<1000 {
                            defaults.set(number, forKey: Sample.integerKey)
                            try synchronize(defaults)
                        }
                    }
                }
            )
        ]
    }
}

private func synchronize(_ defaults: UserDefaults) throws {
    if !defaults.synchronize() { throw BenchmarkFailure("Foundation could not store its values") }
}
