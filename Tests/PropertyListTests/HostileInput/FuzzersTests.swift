import Foundation
import ProgramHarness
import Testing

/// Runs the script `Tests/Fuzzers/fuzz`, which also explains longer runs.
private struct Fuzzers {
    static let canRun = (try? run(["check"]).ending) == .exit(0)

    static func run(_ arguments: [String]) throws -> ProgramResult {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let script = tests.appendingPathComponent("Fuzzers/fuzz").path
        return try ProgramHarness.run(script, arguments)
    }
}

@Suite("The fuzzers", .enabled(if: Fuzzers.canRun, "This compiler has no runtime of libFuzzer"))
struct FuzzersTests {
    @Test("Each reader survives its corpus and some thousand variations")
    func eachReaderSurvivesItsCorpusAndSomeThousandVariations() throws {
        // One after another, because all use the program that the first one compiles.
        for reader in ["xml", "binary", "openstep", "json", "jsonfile", "update"] {
            let result = try Fuzzers.run(["test", reader, "-runs=4000", "-seed=1"])
            #expect(result.ending == .exit(0), "\(reader): \(result.errors.suffix(3_000))")
            #expect(result.errors.contains("Done 4000 runs"), "\(reader): \(result.errors.suffix(3_000))")
        }
    }
}
