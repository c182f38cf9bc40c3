import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Transactions of several processes")
struct TransactionTests {
    let folder: TemporaryFolder
    let writer: String

    init() throws {
        folder = try TemporaryFolder()
        writer = try builtProgram(named: "StoreWriter")
        try folder.write(["from": 1_000_000, "to": 0])
    }

    /// The stored values at one moment.
    private func balance() throws -> (from: Int, to: Int) {
        let values = try folder.values()
        return (try #require(values["from"]?.number), try #require(values["to"]?.number))
    }

    @Test("Each transaction is stored once and completely, beside other writers and readers")
    func transfers() throws {
        let count = isLong ? 500 : 25
        let processes = try (0..<4).map { _ in
            try RunningProgram(writer, ["transfer", folder.suitePath, "\(count)"])
        }
        while try processes.contains(where: { try $0.linesWritten < count }) {
            let (from, to) = try balance()
            #expect(from + to == 1_000_000)
            if try processes.contains(where: { try $0.hasEnded && $0.linesWritten < count }) { break }
        }
        for process in processes {
            let result = try process.end()
            #expect(result.ending == .exit(0), "\(result.errors)")
        }
        #expect(try balance() == (1_000_000 - 4 * count, 4 * count))
    }

    @Test("A process that is killed leaves no partial transaction")
    func killed() throws {
        for round in 0..<(isLong ? 100 : 5) {
            try folder.write(["from": 1_000_000, "to": 0])
            let processes = try (0..<3).map { _ in
                try RunningProgram(writer, ["transfer", folder.suitePath, "1000000"])
            }
            try kill(processes, inRound: round)
            for process in processes { _ = try process.end() }
            let told = try processes.map { try $0.linesWritten }.reduce(0, +)
            let (from, to) = try balance()
            #expect(from + to == 1_000_000, "in round \(round)")
            // The last transaction of each process may be stored without its success having been printed.
            #expect(told...(told + 3) ~= to, "in round \(round): \(told) told")
        }
    }
}
