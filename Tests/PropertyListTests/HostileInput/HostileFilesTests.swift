import Foundation
import PropertyList
import Testing

@Suite("Files that should cost more than their size justifies")
struct HostileFilesTests {
    /// Whether the slow tests run too.
    static let isLong = ProcessInfo.processInfo.environment["PDEFAULTS_TESTS"] == "long"

    @Test(
        "Each file is read or refused at a low cost",
        .timeLimit(.minutes(60)),
        arguments: HostileFile.all
    )
    func eachFileIsReadOrRefusedAtALowCost(_ file: HostileFile) {
        #expect(file.handle(file.bytes(1_000)) == file.outcome)
    }

    @Test(
        "A file of four times the size takes about four times as long",
        .enabled(if: isLong, "The long form of the tests has it"),
        .serialized,
        arguments: HostileFile.all
    )
    func fileOfFourTimesTheSizeTakesAboutFourTimesAsLong(_ file: HostileFile) {
        // Use enough parts for a measurable time.
        var parts = 1_000
        var small = seconds { _ = file.handle(file.bytes(parts)) }
        while small < 0.05, parts < 256_000 {
            parts *= 2
            small = seconds { _ = file.handle(file.bytes(parts)) }
        }
        let large = seconds { _ = file.handle(file.bytes(4 * parts)) }
        print("\(file.name): \(parts) parts \(small) s, four times as many \(large / small) times that")
        #expect(large < 8 * small + 0.05)
    }

    /// The processor time that this thread takes.
    private func seconds(_ work: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        work()
        return now() - start
    }
}

extension HostileFile {
    /// Reads the file, changes a key, takes the change over as an update, and writes the value, as far
    /// as that succeeds.
    ///
    /// - Returns: Why the file was refused, or nil if it was read.
    func handle(_ bytes: [UInt8]) -> PropertyListError.Reason? {
        do {
            if isJSON {
                let document = try JSONDocument(parsing: Data(bytes))
                _ = try? document.editing(.insert(.json("1")), at: ValuePath([.index(0)]))
                return nil
            }
            let (value, _) = try PropertyListValue.read(bytes)
            guard case .dictionary = value else { return nil }
            var (document, _) = try PropertyListDocument.read(bytes)
            let old = document
            try? document.apply(["a": 1, "b": "c"])
            var follower = old
            _ = try follower.update(to: document.bytes)
            _ = try follower.update(to: bytes)
            _ = try? value.encoded(as: .xml)
            return nil
        } catch {
            return error.reason
        }
    }
}
