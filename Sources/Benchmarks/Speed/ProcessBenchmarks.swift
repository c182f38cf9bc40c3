import Foundation
import PropertyList
import SettingsStore

/// From one process to another.
func registerProcessBenchmarks(keys: Int) {
    // From before the write in this process to the value in the other one. Foundation's never arrives.
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
        let bareFile = try folder.file(of: .bare, keys: keys)
        var bare = try BareFile(bareFile)
        let bareObserver = try SecondProcess(.observeBare, bareFile)
        var number = 100_000
        return [
            (
                .ours,
                {
                    number += 1
                    let start = now()
                    suite.set(.integer(PropertyListInteger(number)), forKey: Sample.integerKey)
                    let arrival = try waitFor(number, from: ourObserver)
                    // What the commit does after the rename is not to weigh on the next contender.
                    try suite.synchronize()
                    return arrival - start
                }
            ),
            (
                .bare,
                {
                    number += 1
                    let start = now()
                    try bare.replace(number: number, syncingFolder: false)
                    return try waitFor(number, from: bareObserver) - start
                }
            ),
        ]
    }
    // From the first of a thousand sets in this process to the last value in the other one, which has
    // to arrive, and nothing after it.
    compare("burst of 1000 to another process, \(keys) keys", [.ours], rounds: 20, seconds: 3) { folder in
        let file = try folder.file(of: .ours, keys: keys)
        let suite = try readSuite(file)
        let observer = try SecondProcess(.observeOurs, file)
        // Whoever stores something half a second after a program without the lock, as which this one made the file,
        // looks for a while what becomes of it.
        Thread.sleep(forTimeInterval: 0.6)
        var number = 100_000
        return [
            (
                .ours,
                {
                    let start = now()
                    for _ in 0..<1000 {
                        number += 1
                        suite.set(.integer(PropertyListInteger(number)), forKey: Sample.integerKey)
                    }
                    return try waitFor(number, from: observer) - start
                }
            )
        ]
    }
}

/// Waits until another process has seen a number, and returns when that was. Numbers arrive in order.
private func waitFor(_ number: Int, from process: SecondProcess) throws -> Int {
    while true {
        let report = try process.receive()
        if report.number == number { return report.time }
        if report.number > number {
            throw BenchmarkFailure("\(report.number) arrived after \(number) had been set")
        }
    }
}

/// What 50,000 keys add to the memory of a process, once they are read and while they are.
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
                (.ours, try growth(.ours, .holdOurs)),
                (.foundation, try growth(.foundation, .holdFoundation)),
            ]
        }
    }
}
