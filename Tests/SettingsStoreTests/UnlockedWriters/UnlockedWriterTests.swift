import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Synchronization
import Testing

/// A program like those with Foundation's `UserDefaults`: for each key it reads the file, opens it truncated, writes
/// all of it, changes its mode, and reads it again. If the file differs then, it sleeps for 50 ms and writes the same
/// again. It takes no lock. Its calls take place between the calls of the store, in a random order.
private final class UnlockedWriter: Sendable {
    private struct State {
        var random: SeededGenerator
        /// The next call.
        var next = Step.read
        /// The number of keys that it has stored.
        var count = 0
        /// The number of calls of the store before its next step.
        var nap = 0
        /// The number of calls of the store since its last step.
        var rest = 0
        /// Whether it has ended.
        var isOver = false
    }

    private enum Step {
        case read
        case open([String: PropertyListValue])
        /// The opening waits for the end of a lease. The descriptor is of the file that the path led to before.
        case waitToOpen([String: PropertyListValue], Int32)
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

    /// In most cases takes no step, sometimes one or several. After a number of calls it takes at least one.
    func goOn() {
        state.withLock { state in
            if state.isOver { return }
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

    /// Ends its current set, and begins no other one.
    func finish() {
        state.withLock { state in
            defer { state.isOver = true }
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
            // An unreadable file contains no keys for the program. Between two calls of ours, any file can be unreadable.
            guard var values = try? folder.values() else { return }
            values[Self.key(state.count + 1)] = 1
            state.next = .open(values)
        case .open(let values):
            let flags = O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK
            let descriptor = Glibc.open(folder.suitePath, flags)
            if descriptor < 0, errno == EWOULDBLOCK {
                state.next = .waitToOpen(values, Glibc.open(folder.suitePath, O_RDONLY | O_CLOEXEC))
            } else {
                state.next = .write(values, descriptor)
            }
        case .waitToOpen(let values, let file):
            let flags = O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK
            let descriptor = Glibc.open("/proc/self/fd/\(file)", flags)
            if descriptor < 0 { return #expect(errno == EWOULDBLOCK) }
            close(file)
            state.next = .write(values, descriptor)
        case .write(let values, let descriptor):
            write(values, to: descriptor)
            state.next = .compare(values)
        case .compare(let values):
            chmod(folder.suitePath, 0o600)
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
func write(_ values: [String: PropertyListValue], to descriptor: Int32) {
    let bytes = (try? PropertyListValue.dictionary(values).encoded(as: .xml)) ?? []
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
}

@Suite("An unlocked writer that never pauses")
struct UnlockedWriterTests {
    enum Ours: CaseIterable {
        /// Each change is made by a new process.
        case processes, processesWithoutSuites
        case oneProcess
    }

    private static let isSet = [true, false, true, false]

    @Test(
        "The program keeps all of its keys, and a process that goes on keeps its own",
        arguments: Ours.allCases
    )
    func theirsLast(_ ours: Ours) throws {
        let runs: UInt64 = isLong ? 3_000 : 20
        var lost: [UInt64: [String]] = [:]
        for seed in 0..<runs {
            let keys = try keysLost(beside: ours, seed)
            if !keys.isEmpty { lost[seed] = keys }
        }
        #expect(lost.isEmpty)
    }

    /// The lost keys of the program, and of a process of ours that keeps running.
    private func keysLost(beside ours: Ours, _ seed: UInt64) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write(["ours 1": 1, "ours 3": 1])
        let writer = UnlockedWriter(folder, seed: seed)
        let files = InterferingFileSystem.withStoppedClock()
        files.interfere(beforeEachCall: writer.goOn)
        // A suite whose scheduler has work left is never released, and neither is what it holds.
        defer { files.interfere(beforeEachCall: {}) }
        let suite = makeSuite(folder.suitePath, files: files)
        for (number, isSet) in Self.isSet.enumerated() {
            for _ in 0..<writer.random(in: 0...20) { writer.step() }
            let (key, value) = ("ours \(number)", isSet ? 1 : nil as PropertyListValue?)
            switch ours {
            case .processes, .oneProcess:
                let suite = ours == .oneProcess ? suite : makeSuite(folder.suitePath, files: files)
                suite.set(value, forKey: key)
                // May fail with `.overwritten`.
                try? suite.synchronize()
                if ours == .processes { suite.losePendingChanges() }
            case .processesWithoutSuites:
                var storage = FileStorage(path: folder.suitePath, files: files)
                try? storage.updateAlone { _, _ in StorageWrite(changes: [key: value]) }
            }
        }
        writer.finish()
        // Reads the file again, as a watching process does after another program has written.
        if ours == .oneProcess { try suite.synchronize() }
        suite.losePendingChanges()
        let kept = try folder.values()
        let wrong = Self.isSet.indices.filter { (kept["ours \($0)"] != nil) != Self.isSet[$0] }
        return writer.stored.filter { kept[$0] == nil }
            + (ours == .oneProcess ? wrong.map { "ours \($0)" } : [])
    }
}

/// A program that never reads and takes no lock: it writes the same file whenever a call of ours pauses.
private final class BlindWriter: Sendable {
    private let files: InterferingFileSystem
    private let path: String
    private let state: Mutex<(left: Int, written: Int)>

    init(_ files: InterferingFileSystem, _ folder: TemporaryFolder, times: Int = .max) {
        self.files = files
        path = folder.suitePath
        state = Mutex((times, 0))
        write()
        interfere()
    }

    var written: Int { state.withLock(\.written) }

    func rest() { state.withLock { $0.left = 0 } }

    private func write() {
        let isDue = state.withLock { state in
            if state.left == 0 { return false }
            state.left -= 1
            state.written += 1
            return true
        }
        if isDue {
            SettingsStoreTests.write(["a": 1, "theirs": 1], to: open(path, O_WRONLY | O_TRUNC | O_CLOEXEC))
        }
    }

    private func interfere() {
        files.interfere(before: .pause) {
            self.write()
            self.interfere()
        }
    }
}

@Suite("Success means that the value was in the file when it was last looked at")
struct OverwrittenTests {
    let folder: TemporaryFolder
    let files = InterferingFileSystem.withStoppedClock()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(["a": 1, "theirs": 1])
    }

    @Test(
        "synchronize() fails beside a program that never reads, and the value stays pending until that pauses"
    )
    func synchronize() throws {
        let suite = makeSuite(folder.suitePath, files: files)
        let errors = Recorder<SettingsError>()
        let changes = Recorder<Change>()
        let observation = suite.observe {
            switch $0 {
            case .failed(let error): errors.note(error)
            case .change(let change): changes.note(change)
            default: break
            }
        }
        let writer = BlindWriter(files, folder)
        suite.set(2, forKey: "a")
        suite.set(2, forKey: "new")
        for round in 1...5 {
            #expect(throws: SettingsError.overwritten(path: folder.suitePath)) { try suite.synchronize() }
            // Each of the two looks finds one write.
            #expect(writer.written == 1 + 2 * round)
            #expect(suite.storedValues == ["a": 2, "new": 2, "theirs": 1])
            #expect(suite.status.pendingKeys == 2)
            #expect(suite.status.storingError != nil)
        }
        #expect(errors.all.count == 5)
        #expect(changes.all.map(\.key) == ["a", "new"])
        #expect(try folder.values() == ["a": 1, "theirs": 1])
        writer.rest()
        try suite.synchronize()
        #expect(suite.status.pendingKeys == 0)
        #expect(try folder.values() == ["a": 2, "new": 2, "theirs": 1])
        withExtendedLifetime(observation) {}
    }

    @Test("A conditional write that is overwritten fails, and its changes are pending")
    func replace() throws {
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        let writer = BlindWriter(files, folder)
        #expect(throws: SettingsError.overwritten(path: folder.suitePath)) {
            try suite.replace(["a": 2], expecting: ["a": 1])
        }
        #expect(suite.storedValue(forKey: "a") == 2)
        #expect(suite.status.pendingKeys == 1)
        writer.rest()
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "theirs": 1])
    }

    @Test("A write without a suite, as commands do it, fails")
    func alone() throws {
        let writer = BlindWriter(files, folder)
        var storage = FileStorage(path: folder.suitePath, files: files)
        #expect(throws: SettingsError.overwritten(path: folder.suitePath)) {
            try storage.updateAlone { _, _ in StorageWrite(changes: ["a": 2]) }
        }
        #expect(writer.written == 3)
        #expect(files.paused < 0.06)
        #expect(try folder.values() == ["a": 1, "theirs": 1])
    }

    @Test("A value that is overwritten once is written once more, and lasts")
    func once() throws {
        // One write happens before the call, and one during the call.
        let writer = BlindWriter(files, folder, times: 2)
        var storage = FileStorage(path: folder.suitePath, files: files)
        try storage.updateAlone { _, _ in StorageWrite(changes: ["a": nil, "new": 1]) }
        #expect(writer.written == 2)
        #expect(try folder.values() == ["theirs": 1, "new": 1])
    }

    @Test("A value in a file that the program removes is written once more")
    func removed() throws {
        Self.touch(folder)
        files.interfere(before: .pause) { [folder] in try? folder.remove("suite.plist") }
        var storage = FileStorage(path: folder.suitePath, files: files)
        try storage.updateAlone { _, _ in StorageWrite(changes: ["new": 1]) }
        #expect(try folder.values() == ["new": 1])
    }

    @Test("A value that is written once more does not overwrite what another process has set meanwhile")
    func laterThanSecondWrite() throws {
        Self.touch(folder)
        files.interfere(before: .pause) { [files, folder] in
            Self.touch(folder)
            // The second write waits for the program, and the other process is faster.
            let program = open(folder.suitePath, O_WRONLY | O_CLOEXEC)
            files.interfere(before: .pause) {
                close(program)
                var other = FileStorage(path: folder.suitePath)
                try? other.update { _ in StorageWrite(changes: ["a": 3]) }
            }
        }
        var storage = FileStorage(path: folder.suitePath, files: files)
        try storage.updateAlone { _, _ in StorageWrite(changes: ["a": 2, "new": 1]) }
        #expect(try folder.values() == ["a": 3, "new": 1, "theirs": 1])
    }

    @Test("A value that is overwritten, and whose file the program removes then, is not reported as stored")
    func overwrittenThenRemoved() throws {
        Self.touch(folder)
        files.interfere(before: .pause) { [files, folder] in
            Self.touch(folder)
            files.interfere(before: .pause) { try? folder.remove("suite.plist") }
        }
        var storage = FileStorage(path: folder.suitePath, files: files)
        #expect(throws: SettingsError.overwritten(path: folder.suitePath)) {
            try storage.updateAlone { _, _ in StorageWrite(changes: ["new": 1]) }
        }
    }

    private static func touch(_ folder: TemporaryFolder) { try? folder.write(["a": 1, "theirs": 1]) }

    @Test("A value that another program sets within that time is a later change, and stays")
    func later() throws {
        Self.touch(folder)
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        files.interfere(before: .pause) { [folder] in try? folder.write(["a": 3, "theirs": 1]) }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 3, "theirs": 1])
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 3)
    }

    @Test("If no unlocked writer has written for half a second, a write does not look again")
    func atRest() throws {
        var storage = FileStorage(path: folder.suitePath, files: files)
        _ = try storage.read()
        files.pass(seconds: 0.6)
        try storage.update { _ in StorageWrite(changes: ["a": 2]) }
        #expect(files.paused == 0)
        // Another write of this library is no unlocked write.
        var other = FileStorage(path: folder.suitePath, files: files)
        try other.update { _ in StorageWrite(changes: ["a": 3]) }
        #expect(files.paused == 0)
    }

    @Test("A program that overwrites a key a thousand times has it in the end, and observers are notified")
    func givenUp() throws {
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        let writer = BlindWriter(files, folder)
        suite.set(2, forKey: "a")
        for _ in 0..<1_500 where suite.status.pendingKeys > 0 || writer.written == 1 {
            try? suite.synchronize()
        }
        #expect(suite.status.pendingKeys == 0)
        #expect(suite.value(forKey: "a") == 1)
        #expect(changes.all.map(\.new) == [2, 1])
        withExtendedLifetime(observation) {}
    }
}

@Suite("A file that a program holds open for writing")
struct HeldOpenTests {
    let folder: TemporaryFolder
    let files = InterferingFileSystem.withStoppedClock()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(["a": 1])
        _ = try files.stat(folder.suitePath)
        files.pass(seconds: 3)
    }

    private func isFree() -> Bool {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    @Test("The file delays a write by a twentieth of a second, without the folder's lock")
    func write() throws {
        let holder = open(folder.suitePath, O_WRONLY | O_CLOEXEC)
        defer { close(holder) }
        let isFree = Mutex<[Bool]>([])
        @Sendable func look() {
            isFree.withLock { $0.append(self.isFree()) }
            files.interfere(before: .pause, look)
        }
        files.interfere(before: .pause, look)
        var storage = FileStorage(path: folder.suitePath, files: files)
        try storage.update { _ in StorageWrite(changes: ["a": 2]) }
        #expect(try folder.values() == ["a": 2])
        #expect((0.02...0.06).contains(files.paused))
        let looks = isFree.withLock(\.self)
        #expect(!looks.isEmpty && looks.allSatisfy(\.self))
        // No process has the new file open.
        let paused = files.paused
        try storage.update { _ in StorageWrite(changes: ["a": 3]) }
        #expect(files.paused == paused)
    }

    @Test("The file delays a removal by a twentieth of a second")
    func removal() throws {
        let holder = open(folder.suitePath, O_WRONLY | O_CLOEXEC)
        defer { close(holder) }
        var storage = FileStorage(path: folder.suitePath, files: files)
        try storage.update { _ in
            var write = StorageWrite(changes: ["a": nil])
            write.suiteAction = .remove
            return write
        }
        #expect(try folder.names == [])
        #expect((0.02...0.06).contains(files.paused))
    }

    @Test("A half-written file is read again even if the first round has taken long")
    func halfWrittenAfterSlowRound() throws {
        files.interfere(before: .makeNewFile) { [files, folder] in
            files.pass(seconds: 0.2)
            try? folder.write(["a": 1, "theirs": 1])
            files.interfere(before: .flock) {
                try? folder.write(bytes: Array("<?xml".utf8))
                files.interfere(before: .pause) { try? folder.write(["a": 1, "theirs": 2]) }
            }
        }
        var storage = FileStorage(path: folder.suitePath, files: files)
        try storage.update { _ in StorageWrite(changes: ["a": 2]) }
        #expect(try folder.values() == ["a": 2, "theirs": 2])
    }

    @Test(
        "A half-written file is read again a moment later, and is an error then",
        arguments: [true, false]
    )
    func halfWritten(_ isCompleted: Bool) throws {
        try folder.write(bytes: Array("<?xml".utf8))
        if isCompleted {
            files.interfere(before: .pause) { [folder] in try? folder.write(["a": 2]) }
        }
        var storage = FileStorage(path: folder.suitePath, files: files)
        if isCompleted {
            try storage.update { _ in StorageWrite(changes: ["b": 1]) }
            #expect(try folder.values() == ["a": 2, "b": 1])
        } else {
            #expect(throws: SettingsError.self) {
                try storage.update { _ in StorageWrite(changes: ["b": 1]) }
            }
            #expect(files.paused <= 0.12)
            #expect(throws: SettingsError.self) { try storage.read() }
            #expect(files.paused <= 0.24)
            #expect(try folder.bytes(of: "suite.plist") == Data("<?xml".utf8))
        }
    }
}
