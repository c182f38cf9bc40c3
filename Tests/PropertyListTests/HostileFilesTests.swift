import Foundation
import PropertyList
import Testing

@Suite("Files that are made to cost more than their size warrants")
struct HostileFilesTests {
    /// Whether all that takes its time is tested as well.
    static let isLong = ProcessInfo.processInfo.environment["PDEFAULTS_TESTS"] == "long"

    @Test(
        "Each is read or refused before it costs much",
        .timeLimit(.minutes(10)),
        arguments: HostileFile.all
    )
    func outcome(_ file: HostileFile) {
        #expect(file.handle(file.bytes(1_000)) == file.outcome)
    }

    @Test(
        "Four times the file costs four times the time, or little more",
        .enabled(if: isLong, "The long form of the tests has it"),
        .serialized,
        arguments: HostileFile.all
    )
    func time(_ file: HostileFile) {
        // As many parts as take long enough to be measured.
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

    /// The time of the processor that this thread takes.
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
    /// Reads the file, changes a key, takes the change over and writes it, as far as that goes.
    ///
    /// - Returns: Why it was refused; nil if it was read.
    func handle(_ bytes: [UInt8]) -> PropertyListError.Reason? {
        do {
            if isJSON {
                let document = try JSONDocument(parsing: Data(bytes))
                _ = try? document.inserting("1", at: ValuePath([.index(0)]))
                return nil
            }
            let (value, _) = try PropertyListValue.read(bytes)
            guard case .dictionary = value else { return nil }
            var (document, _) = try PropertyListDocument.read(bytes)
            _ = document.placesInSeveralForms
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
