import Benchmark
import Foundation
import PDefaults
import PropertyList
import SettingsStore
import Synchronization

/// Measures reading values that are in memory, by key and through properties.
func registerReadBenchmarks(keys: Int) {
    // One key of every type.
    let names = (0..<16).filter { $0 < keys }.map(Sample.key)
    compareReads("1000 values by key", keys: keys) { suite in
        { readThousand(of: names) { blackHole(suite.value(forKey: $0)) } }
    } foundation: { defaults in
        { readThousand(of: names) { blackHole(defaults.object(forKey: $0)) } }
    }
    compareReads("1600 values of properties", keys: keys) { suite in
        let settings = MixedSettings(suite)
        // The file has only ten keys.
        if keys == 10 { return { for _ in 0..<160 { settings.readTen() } } }
        return {
            for _ in 0..<100 {
                settings.readTen()
                settings.readSix()
            }
        }
    } foundation: { defaults in
        {
            for _ in 0..<(1600 / names.count) {
                for name in names { blackHole(defaults.object(forKey: name)) }
            }
        }
    }
    if keys == 10 {
        compareReads("1600 values of properties of a class", keys: keys) { suite in
            let settings = SettingsObject(suite)
            return { for _ in 0..<400 { settings.readFour() } }
        } foundation: { defaults in
            { for _ in 0..<160 { for name in names { blackHole(defaults.object(forKey: name)) } } }
        }
    }
    guard keys == 1000 else { return }
    compareReads("1000 values of a String property", keys: keys) { suite in
        let settings = Settings(suite)
        return { for _ in 0..<1000 { blackHole(settings.text) } }
    } foundation: { defaults in
        { for _ in 0..<1000 { blackHole(defaults.string(forKey: Sample.stringKey)) } }
    }
    compareReads("1000 values of an Int property", keys: keys) { suite in
        let settings = Settings(suite)
        return { for _ in 0..<1000 { blackHole(settings.number) } }
    } foundation: { defaults in
        { for _ in 0..<1000 { blackHole(defaults.object(forKey: Sample.integerKey)) } }
    }
    // Foundation returns only the data, without decoding it.
    compareReads("1000 values of a Codable property", keys: keys) { suite in
        let settings = Settings(suite)
        settings.window = Window(title: "window \(keys) of the program")
        return { for _ in 0..<1000 { blackHole(settings.window) } }
    } foundation: { defaults in
        defaults.set(try? JSONEncoder().encode(Window()), forKey: "window")
        return { for _ in 0..<1000 { blackHole(defaults.object(forKey: "window")) } }
    }
}

/// Registers a read benchmark twice: alone, and while we commit changes. Foundation reads without commits in
/// both, because its own commits are no useful comparison.
private func compareReads(
    _ work: String,
    keys: Int,
    ours: @escaping (SettingsSuite) -> () -> Void,
    foundation: @escaping (UserDefaults) -> () -> Void
) {
    compare("\(work), \(keys) keys", [.ours, .foundation]) { folder in
        let readOurs = ours(try folder.suite(keys: keys))
        let readFoundation = foundation(try folder.userDefaults(keys: keys))
        return [.ours { time(readOurs) }, .foundation { time(readFoundation) }]
    }
    compare("\(work) during commits, \(keys) keys", [.ours, .foundation]) { folder in
        let suite = try folder.suite(keys: keys)
        let readOurs = ours(suite)
        let readFoundation = foundation(try folder.userDefaults(keys: keys))
        return [
            .ours { try timeDuringCommits(of: suite, readOurs) },
            .foundation { time(readFoundation) },
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

/// Returns the duration of the work while another thread sets and synchronizes without a pause.
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

struct Window: Codable {
    var width = 80
    var height = 24
    var title = "window"
}

/// Three properties of a suite.
struct Settings {
    @PDefaults var text: String
    @PDefaults var number: Int
    @PDefaults var window: Window

    init(_ suite: SettingsSuite) {
        _text = PDefaults(wrappedValue: "", Sample.stringKey, suite: suite)
        _number = PDefaults(wrappedValue: 0, Sample.integerKey, suite: suite)
        _window = PDefaults(wrappedValue: Window(), "window", suite: suite)
    }
}

/// A property for each of the first sixteen sample keys, with the type of its value.
private struct MixedSettings {
    @PDefaults var value0: Int
    @PDefaults var value1: Bool
    @PDefaults var value2: String
    @PDefaults var value3: String
    @PDefaults var value4: Int
    @PDefaults var value5: Bool
    @PDefaults var value6: String
    @PDefaults var value7: String
    @PDefaults var value8: Int
    @PDefaults var value9: Bool
    @PDefaults var value10: Double
    @PDefaults var value11: Date
    @PDefaults var value12: Int
    @PDefaults var value13: Bool
    @PDefaults var value14: Data
    @PDefaults var value15: [String: PropertyListValue]

    init(_ suite: SettingsSuite) {
        _value0 = PDefaults(wrappedValue: -1, sample(0), suite: suite)
        _value1 = PDefaults(wrappedValue: false, sample(1), suite: suite)
        _value2 = PDefaults(wrappedValue: "", sample(2), suite: suite)
        _value3 = PDefaults(wrappedValue: "", sample(3), suite: suite)
        _value4 = PDefaults(wrappedValue: -1, sample(4), suite: suite)
        _value5 = PDefaults(wrappedValue: false, sample(5), suite: suite)
        _value6 = PDefaults(wrappedValue: "", sample(6), suite: suite)
        _value7 = PDefaults(wrappedValue: "", sample(7), suite: suite)
        _value8 = PDefaults(wrappedValue: -1, sample(8), suite: suite)
        _value9 = PDefaults(wrappedValue: false, sample(9), suite: suite)
        _value10 = PDefaults(wrappedValue: 0, sample(10), suite: suite)
        _value11 = PDefaults(wrappedValue: .distantPast, sample(11), suite: suite)
        _value12 = PDefaults(wrappedValue: -1, sample(12), suite: suite)
        _value13 = PDefaults(wrappedValue: false, sample(13), suite: suite)
        _value14 = PDefaults(wrappedValue: Data(), sample(14), suite: suite)
        _value15 = PDefaults(wrappedValue: [:], sample(15), suite: suite)
    }

    func readTen() {
        blackHole(value0)
        blackHole(value1)
        blackHole(value2)
        blackHole(value3)
        blackHole(value4)
        blackHole(value5)
        blackHole(value6)
        blackHole(value7)
        blackHole(value8)
        blackHole(value9)
    }

    func readSix() {
        blackHole(value10)
        blackHole(value11)
        blackHole(value12)
        blackHole(value13)
        blackHole(value14)
        blackHole(value15)
    }
}

/// Four of the properties in a class. They could be replaced during a read, so each read must retain what it reads.
private final class SettingsObject {
    @PDefaults var value0: Int
    @PDefaults var value1: Bool
    @PDefaults var value2: String
    @PDefaults var value3: String

    init(_ suite: SettingsSuite) {
        _value0 = PDefaults(wrappedValue: -1, sample(0), suite: suite)
        _value1 = PDefaults(wrappedValue: false, sample(1), suite: suite)
        _value2 = PDefaults(wrappedValue: "", sample(2), suite: suite)
        _value3 = PDefaults(wrappedValue: "", sample(3), suite: suite)
    }

    func readFour() {
        blackHole(value0)
        blackHole(value1)
        blackHole(value2)
        blackHole(value3)
    }
}

private func sample(_ index: Int) -> SettingsKey { Sample.key(index) }
