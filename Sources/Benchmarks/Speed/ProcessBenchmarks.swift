import Foundation
import PropertyList
import SettingsStore

/// Measures the way of a change to another process.
func registerProcessBenchmarks(keys: Int) {
    // From before the write in this process until the value is in the other one. Foundation does not notify
    // other processes.
    compare(
        "to another process, \(keys) keys",
        [.ours, .bare],
        rounds: 1000,
        seconds: 5,
        settlesDisk: true
    ) { folder in
        let ourFile = try folder.file(of: .ours, keys: keys)
        let suite = try readSuite(ourFile)
        let ourObserver = try SecondProcess(.observeOurs, ourFile)
        try waitUntilOld(ourFile)
        let bareFile = try folder.file(of: .bare, keys: keys)
        var bare = try BareFile(bareFile)
        let bareObserver = try SecondProcess(.observeBare, bareFile)
        var number = 100_000
        return [
            .ours {
                number += 1
                let start = now()
                suite.set(.integer(PropertyListInteger(number)), forKey: Sample.integerKey)
                let arrival = try waitFor(number, from: ourObserver)
                // The rest of the commit must not slow down the next contender.
                try suite.synchronize()
                return arrival - start
            },
            .bare {
                number += 1
                let start = now()
                try bare.replace(number: number, syncingFolder: false)
                return try waitFor(number, from: bareObserver) - start
            },
        ]
    }
    // From the first of a thousand sets in this process until the other one has the last value. No older
    // value may arrive after it.
    compare("burst of 1000 to another process, \(keys) keys", [.ours], rounds: 20, seconds: 3) { folder in
        let file = try folder.file(of: .ours, keys: keys)
        let suite = try readSuite(file)
        let observer = try SecondProcess(.observeOurs, file)
        try waitUntilOld(file)
        var number = 100_000
        return [
            .ours {
                let start = now()
                for _ in 0..<1000 {
                    number += 1
                    suite.set(.integer(PropertyListInteger(number)), forKey: Sample.integerKey)
                }
                return try waitFor(number, from: observer) - start
            }
        ]
    }
}

/// Waits until the other process has seen a number, and returns the time when it did. Numbers must arrive in
/// order.
private func waitFor(_ number: Int, from process: SecondProcess) throws -> Int {
    while true {
        let report = try process.receive()
        if report.number == number { return report.time }
        if report.number > number {
            throw BenchmarkFailure("\(report.number) arrived after \(number) had been set")
        }
    }
}

/// Measures the memory for 50,000 keys, after and during reading.
func registerMemoryBenchmarks() {
    for (work, report) in [("memory of 50000 keys", 1), ("memory at most of 50000 keys", 2)] {
        compare(work, [.ours, .foundation], rounds: 10) { folder in
            func growth(_ contender: Contender, _ part: SecondProcess.Part) throws -> () throws -> Int {
                let small = URL(fileURLWithPath: try folder.file(of: contender, keys: 10))
                _ = try folder.file(of: contender, keys: 50000)
                return {
                    let process = try SecondProcess(part, small.deletingLastPathComponent().path)
                    return try (0..<report).map { _ in try process.receive() }[report - 1].number
                }
            }
            return [
                .ours(try growth(.ours, .holdOurs)),
                .foundation(try growth(.foundation, .holdFoundation)),
            ]
        }
    }
}
