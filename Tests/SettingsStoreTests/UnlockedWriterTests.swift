import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Synchronization
import Testing

/// A program like those with Foundation's `UserDefaults`: for each of its sets it reads the file, opens it
/// truncated, writes all of it, and reads it once more: where it finds something else, it rests for 50 ms and writes
/// the same again. It takes no lock, and goes on by single calls between those of others, in an order of chance.
private final class UnlockedWriter: Sendable {
    private struct State {
        var random: SeededGenerator
        /// What it does next.
        var next = Step.read
        /// How many keys it has stored.
        var count = 0
        /// How many calls of others are to come before its next step.
        var nap = 0
        /// The calls of others since its last step.
        var rest = 0
    }

    private enum Step {
        case read
        case open([String: PropertyListValue])
        case write([String: PropertyListValue], Int32)
        case compare([String: PropertyListValue])
    }

    private let folder: TemporaryFolder
    private let state: Mutex<State>

    init(_ folder: TemporaryFolder, seed: UInt64) {
        self.folder = folder
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    static func key(_ number: Int) -> String { "theirs \(number)" }

    /// The keys that it has stored.
    var stored: [String] { state.withLock { $0.count < 1 ? [] : (1...$0.count).map(Self.key) } }

    func random(in range: ClosedRange<Int>) -> Int {
        state.withLock { .random(in: range, using: &$0.random) }
    }

    /// In most cases nothing, now and then a step or several, and one at the least in a while.
    func goOn() {
        state.withLock { state in
            if state.nap > 0 {
                state.nap -= 1
                return
            }
            let isDue = state.rest == 40 || Int.random(in: 0...30, using: &state.random) == 0
            state.rest = isDue ? 0 : state.rest + 1
            let steps = isDue ? Int.random(in: 1...6, using: &state.random) : 0
            for _ in 0..<steps where state.nap == 0 { step(&state) }
        }
    }

    func step() {
        state.withLock { state in
            state.nap = 0
            step(&state)
        }
    }

    /// Ends its current set.
    func finish() {
        state.withLock { state in
            step(&state)
            while true {
                if case .read = state.next { return }
                step(&state)
            }
        }
    }

    private func step(_ state: inout State) {
        switch state.next {
        case .read where state.count == 150: break
        case .read:
            // A file that can't be read has no keys for it; between two calls of ours each one can.
            guard var values = try? folder.values() else { return }
            values[Self.key(state.count + 1)] = 1
            state.next = .open(values)
        case .open(let values):
            state.next = .write(values, Glibc.open(folder.suitePath, O_WRONLY | O_TRUNC | O_CLOEXEC))
        case .write(let values, let descriptor):
            write(values, to: descriptor)
            state.next = .compare(values)
        case .compare(let values):
            if (try? folder.values()) == values {
                state.count += 1
                state.next = .read
            } else {
                state.next = .open(values)
                state.nap = 100
            }
        }
    }
}

/// Writes all of a file that is open and empty, and closes it.
private func write(_ values: [String: PropertyListValue], to descriptor: Int32) {
    let bytes = (try? PropertyListValue.dictionary(values).encoded(as: .xml)) ?? []
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    // By chance a time of one in a thousand is that of a file of ours.
    while let info = try? LiveFileSystem().fstat(descriptor, ""), FileMark(of: info) != nil {
        futimens(descriptor, nil)
    }
    close(descriptor)
}

@Suite("A program that takes no lock and never pauses")
struct UnlockedWriterTests {
    enum Ours: CaseIterable {
        /// Each change is a process of its own.
        case processes, processesWithoutSuites
        case oneProcess
    }

    private static let isSet = [true, false, true, false]

    @Test(
        "None of its keys is lost beside ours, and none of ours",
        arguments: Ours.allCases,
        0..<(isLong ? 3_000 : 150)
    )
    func bothLast(_ ours: Ours, _ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        try folder.write(["ours 1": 1, "ours 3": 1])
        let writer = UnlockedWriter(folder, seed: seed)
        let files = InterferingFileSystem.withStoppedClock()
        files.interfere(beforeEachCall: writer.goOn)
        let suite = makeSuite(folder.suitePath, files: files)
        for (number, isSet) in Self.isSet.enumerated() {
            for _ in 0..<writer.random(in: 0...20) { writer.step() }
            let (key, value) = ("ours \(number)", isSet ? 1 : nil as PropertyListValue?)
            switch ours {
            case .processes, .oneProcess:
                let suite = ours == .oneProcess ? suite : makeSuite(folder.suitePath, files: files)
                suite.set(value, forKey: key)
                try suite.synchronize()
            case .processesWithoutSuites:
                var storage = FileStorage(path: folder.suitePath, files: files)
                try storage.updateAlone { _, _ in StorageWrite(changes: [key: value]) }
            }
        }
        writer.finish()
        let kept = try folder.values()
        #expect(writer.stored.filter { kept[$0] == nil } == [])
        #expect(Self.isSet.indices.map { kept["ours \($0)"] != nil } == Self.isSet)
    }

    /// Writes the file in place, as it is without ours.
    private static func undo(_ number: Int, in folder: TemporaryFolder) {
        let file = open(folder.suitePath, O_WRONLY | O_TRUNC | O_CLOEXEC)
        write(["theirs": .integer(PropertyListInteger(number))], to: file)
    }

    @Test("What it undoes each time is written again for two seconds and no longer; who has no suite is told")
    func undoneEachTime() throws {
        for hasSuite in [true, false] {
            let folder = try TemporaryFolder()
            try folder.write(["theirs": 0])
            let files = InterferingFileSystem.withStoppedClock()
            let pauses = Atomic(0)
            let isAtRest = Atomic(false)
            // In each tenth of a second.
            @Sendable func goOn() {
                if isAtRest.load(ordering: .relaxed) { return }
                files.pass(seconds: 0.02)
                let number = pauses.add(1, ordering: .relaxed).newValue
                if number % 5 == 0 { Self.undo(number, in: folder) }
                files.interfere(before: .pause, goOn)
            }
            files.interfere(before: .pause, goOn)
            if hasSuite {
                let suite = makeSuite(folder.suitePath, files: files)
                suite.set(1, forKey: "ours")
                try suite.synchronize()
                isAtRest.store(true, ordering: .relaxed)
                try suite.synchronize()
                #expect(try folder.values()["ours"] == 1)
            } else {
                var storage = FileStorage(path: folder.suitePath, files: files)
                #expect(throws: SettingsError.overwritten(path: folder.suitePath)) {
                    try storage.updateAlone { _, _ in StorageWrite(changes: ["ours": 1]) }
                }
                #expect(try folder.values()["ours"] == nil)
            }
            #expect((100...115).contains(pauses.load(ordering: .relaxed)))
        }
    }

    @Test("What it writes again 50 ms later undoes nothing that another of ours has stored meanwhile")
    func undoneBySecond() throws {
        let folder = try TemporaryFolder()
        try folder.write(["theirs": 0])
        let files = InterferingFileSystem.withStoppedClock()
        Self.undo(1, in: folder)
        var first = FileStorage(path: folder.suitePath, files: files)
        try first.update { _ in StorageWrite(changes: ["first": 1]) }
        files.pass(seconds: 0.02)
        let isDue = Atomic(true)
        @Sendable func writeAgain() {
            if isDue.exchange(false, ordering: .relaxed) { Self.undo(1, in: folder) }
        }
        let milliseconds = Atomic(0)
        @Sendable func pass() {
            files.pass(seconds: 0.001)
            if milliseconds.add(1, ordering: .relaxed).newValue == 30 { writeAgain() }
            files.interfere(before: .pause, pass)
        }
        files.interfere(before: .pause, pass)
        var second = FileStorage(path: folder.suitePath, files: files)
        try second.updateAlone { _, _ in StorageWrite(changes: ["second": 1]) }
        writeAgain()
        #expect(try folder.values()["second"] == 1)
    }
}
