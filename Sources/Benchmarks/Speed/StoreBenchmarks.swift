import Benchmark
import Foundation
import PDefaults
import PropertyList
import SettingsStore
import Synchronization

/// Measures sets of a suite in one process.
func registerSetBenchmarks(keys: Int) {
    // Sets in quick succession, while earlier ones are stored.
    compare("1000 sets, \(keys) keys", [.ours, .foundation], rounds: 200) { folder in
        let suite = try folder.suite(keys: keys)
        let defaults = try folder.userDefaults(keys: keys)
        return [
            .ours {
                let cost = time { setThousand(suite) }
                try suite.synchronize()
                return cost
            },
            .foundation { time { setThousand(defaults) } },
        ]
    }
    // The additional cost of a set through a property with one subscriber, compared with a set of the suite.
    compare("1000 sets with a subscriber, \(keys) keys", [.ours], rounds: 200) { folder in
        let suite = try folder.suite(keys: keys)
        let settings = Settings(suite)
        let subscription = settings.$number.sink { blackHole($0) }
        return [
            .ours {
                let storesOwn = time { setThousand(suite, key: Sample.key(8)) }
                try suite.synchronize()
                let cost = time { for number in 0..<1000 { settings.number = number } }
                try suite.synchronize()
                return withExtendedLifetime(subscription) { max(0, cost - storesOwn) }
            }
        ]
    }
    // A set without others before or after it, as most are. It must wake a sleeping thread that stores the
    // value. The bare contender only wakes such a thread.
    compare("a lone set, \(keys) keys", [.ours, .foundation, .bare], rounds: 1000) { folder in
        let sleeper = Sleeper()
        let suite = try folder.suite(keys: keys)
        let defaults = try folder.userDefaults(keys: keys)
        return [
            .ours {
                let cost = time { suite.set("lone", forKey: Sample.stringKey) }
                try suite.synchronize()
                return cost
            },
            .foundation { time { defaults.set("lone", forKey: Sample.stringKey) } },
            .bare {
                let cost = time { sleeper.wake() }
                sleeper.waitUntilItWorks()
                // The thread sleeps again before the next round, because the other contenders write
                // meanwhile.
                return cost
            },
        ]
    }
}

private func setThousand(_ suite: SettingsSuite, key: String = Sample.integerKey) {
    for number in 0..<1000 { suite.set(.integer(PropertyListInteger(number)), forKey: key) }
}

private func setThousand(_ defaults: UserDefaults) {
    for number in 0..<1000 { defaults.set(number, forKey: Sample.integerKey) }
}

/// Measures durable writes of a suite in one process.
func registerDurableBenchmarks(keys: Int) {
    registerDurableWrite("a durable write, \(keys) keys", [.ours, .foundation, .bare], keys: keys)
    if keys == 50000 {
        registerDurableWrite(
            "a durable write of JSON, \(keys) keys",
            [.ours, .bare],
            keys: keys,
            isJSON: true
        )
    }
    guard keys == 1000 else { return }
    compare("1000 sets then synchronized, \(keys) keys", [.ours, .foundation], rounds: 20, seconds: 8) {
        folder in
        let suite = try folder.suite(keys: keys)
        let defaults = try folder.userDefaults(keys: keys)
        return [
            .ours {
                try time {
                    setThousand(suite)
                    try suite.synchronize()
                }
            },
            .foundation {
                try time {
                    setThousand(defaults)
                    try synchronize(defaults)
                }
            },
        ]
    }
}

private func synchronize(_ defaults: UserDefaults) throws {
    if !defaults.synchronize() { throw BenchmarkFailure("Foundation could not store its values") }
}

private func registerDurableWrite(
    _ name: String,
    _ contenders: [Contender],
    keys: Int,
    isJSON: Bool = false
) {
    compare(name, contenders, rounds: 500, seconds: 6, settlesDisk: true) { folder in
        let suite = try folder.suite(keys: keys, isJSON: isJSON)
        let defaults = try folder.userDefaults(keys: keys)
        var bare = try BareFile(folder.file(of: .bare, keys: keys, isJSON: isJSON))
        var number = 0
        let all: [Measured] = [
            .ours {
                number += 1
                return try time {
                    suite.set(.string("written \(number)"), forKey: Sample.stringKey)
                    try suite.synchronize()
                }
            },
            .foundation {
                number += 1
                return try time {
                    defaults.set("written \(number)", forKey: Sample.stringKey)
                    try synchronize(defaults)
                }
            },
            .bare {
                number += 1
                return try time { try bare.replace(number: number, syncingFolder: true) }
            },
        ]
        return all.filter { contenders.contains($0.contender) }
    }
}
