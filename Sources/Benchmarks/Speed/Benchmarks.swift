import Foundation

/// The entry point, which the runner calls in every process that it starts.
let benchmarks: @Sendable () -> Void = {
    do {
        try BenchmarkFolder.choose()
        try SecondProcess.runIfAsked()
    } catch {
        FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
        exit(1)
    }
    for keys in [10, 1000, 50000] {
        registerFormatBenchmarks(keys: keys)
        registerReadBenchmarks(keys: keys)
        registerSetBenchmarks(keys: keys)
        registerDurableBenchmarks(keys: keys)
        registerProcessBenchmarks(keys: keys)
    }
    registerMemoryBenchmarks()
    registerEditorBenchmarks()
}
