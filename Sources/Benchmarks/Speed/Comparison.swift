import Benchmark
import Foundation

/// The implementations that are compared.
enum Contender: String {
    case ours, foundation
    /// The system calls alone.
    case bare

    var metric: BenchmarkMetric { .custom(rawValue) }
}

/// A contender and a closure that does the work once and returns its cost, usually in nanoseconds.
struct Measured {
    let contender: Contender
    let cost: () throws -> Int

    static func ours(_ cost: @escaping () throws -> Int) -> Measured {
        Measured(contender: .ours, cost: cost)
    }

    static func foundation(_ cost: @escaping () throws -> Int) -> Measured {
        Measured(contender: .foundation, cost: cost)
    }

    static func bare(_ cost: @escaping () throws -> Int) -> Measured {
        Measured(contender: .bare, cost: cost)
    }
}

/// Registers a benchmark in which contenders do the same work in turns.
///
/// All contenders run in every round, so that other load on the machine affects each of them. Every second
/// round uses the reverse order, because a disk is busy for a while with the previous contender's file.
/// Nothing is prepared before the benchmark runs in its own process.
///
/// - Parameters:
///   - rounds: The largest number of rounds.
///   - seconds: The time after which no new round starts.
///   - settlesDisk: Whether to wait before each turn until the disk has written everything. Foundation leaves
///     its files in the page cache, and the next contender would otherwise wait for them.
///   - prepare: Prepares the work in a folder that is removed afterwards.
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
            for one in isReversed ? measured.reversed() : measured {
                if settlesDisk { sync() }
                benchmark.measurement(one.contender.metric, try one.cost())
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

/// Returns the time in nanoseconds, usually of the clock that all processes share.
func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Returns the duration of the work in nanoseconds.
func time(_ work: () throws -> Void) rethrows -> Int {
    let start = now()
    try work()
    return now() - start
}

/// Returns the processor time of this thread for the work, in nanoseconds. On an idle machine it equals the
/// duration.
func processorTime(_ work: () -> Void) -> Int {
    let start = now(CLOCK_THREAD_CPUTIME_ID)
    work()
    return now(CLOCK_THREAD_CPUTIME_ID) - start
}

/// The reason why a benchmark cannot continue.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
