import Benchmark
import Foundation

/// Who does the work that is measured.
enum Contender: String {
    case ours, foundation
    /// The system calls alone.
    case bare

    var metric: BenchmarkMetric { .custom(rawValue) }
}

/// One contender's way to do the work once, which returns what it cost: nanoseconds, if nothing else
/// is said.
typealias Measured = (contender: Contender, cost: () throws -> Int)

/// Registers a benchmark in which contenders do the same work side by side: one after the other, in
/// every round, so that whatever else the machine does meanwhile falls on each of them. In every second
/// round the other way about: a disk is busy for a while with the file that the one before replaced.
///
/// Nothing is prepared before the benchmark itself runs, in a process of its own.
///
/// - Parameters:
///   - rounds: at the most so many,
///   - seconds: or as many as fit in this time.
///   - settlesDisk: whether all that others have written is on the disk before each turn: Foundation leaves its
///     files to be written while the next one waits for its own.
///   - prepare: is given a folder that is removed afterwards.
func compare(
    _ work: String,
    _ contenders: [Contender],
    rounds: Int = 1000,
    seconds: Double = 2,
    settlesDisk: Bool = false,
    prepare: @escaping (BenchmarkFolder) throws -> [Measured]
) {
    let isQuick = ProcessInfo.processInfo.environment["PDEFAULTS_BENCHMARKS_QUICK"] != nil
    var folder: BenchmarkFolder?
    var measured: [Measured] = []
    var isReversed = false
    Benchmark(
        work,
        configuration: .init(
            metrics: contenders.map(\.metric),
            warmupIterations: 1,
            maxDuration: .milliseconds(Int(seconds * (isQuick ? 150 : 1000))),
            maxIterations: rounds
        ),
        closure: { benchmark in
            isReversed.toggle()
            for (contender, cost) in isReversed ? measured.reversed() : measured {
                if settlesDisk { sync() }
                benchmark.measurement(contender.metric, try cost())
            }
        },
        setup: {
            let made = try BenchmarkFolder()
            folder = made
            do {
                measured = try prepare(made)
            } catch {
                try made.remove()
                throw error
            }
        },
        teardown: {
            measured = []
            try folder?.remove()
        }
    )
}

/// Nanoseconds of the clock that all processes of the machine share.
func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// How long the work takes, in nanoseconds.
func time(_ work: () throws -> Void) rethrows -> Int {
    let start = now()
    try work()
    return now() - start
}

/// How long the work keeps this thread's processor, in nanoseconds: on a machine without other work that is
/// the time that it takes.
func processorTime(_ work: () -> Void) -> Int {
    func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    let start = now()
    work()
    return now() - start
}

/// Why a benchmark can't go on.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
