import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("An unreadable file is set aside with a new file in its place, in one step")
struct RecoveryTests {
    enum Obstacle: CaseIterable { case file, folder, pipe }

    enum System: CaseIterable {
        case exchanges, exchangesNothing, namesFilesAtOnce

        /// Whether the file system can give a file two names at a time, or exchange names.
        func givesSecondName(to obstacle: Obstacle) -> Bool {
            switch self {
            case .exchanges: true
            case .exchangesNothing: obstacle != .folder
            case .namesFilesAtOnce: false
            }
        }

        var files: InterferingFileSystem {
            let files =
                switch self {
                case .exchanges: InterferingFileSystem()
                case .exchangesNothing: InterferingFileSystem(exchanges: false)
                case .namesFilesAtOnce:
                    InterferingFileSystem(exchanges: false, unnamedRefusal: EOPNOTSUPP, linkRefusal: EPERM)
                }
            // With an old time, the file is not taken for one that is being written.
            files.pass(seconds: 5)
            return files
        }
    }

    /// A suite that has read good values and set one of them, before something unreadable replaced its file.
    private struct Broken {
        let folder: TemporaryFolder
        let suite: SettingsSuite
        let obstacle: Obstacle
        let aside: [String: PropertyListValue] = ["a": 1, "b": 2]

        init(_ obstacle: Obstacle, _ files: any FileSystem) throws {
            folder = try TemporaryFolder()
            self.obstacle = obstacle
            try folder.write(["a": 1, "b": 1])
            suite = makeSuite(folder.suitePath, files: files)
            _ = suite.storedValues
            suite.set(2, forKey: "b")
        }

        func breakFile() throws {
            if obstacle != .file { try folder.remove("suite.plist") }
            switch obstacle {
            case .file: try folder.write("broken", to: "suite.plist")
            case .folder: try folder.makeFolder("suite.plist/inside")
            case .pipe: #expect(mkfifo(folder.suitePath, 0o600) == 0)
            }
        }

        /// Whether the unreadable file has this name.
        func isObstacle(_ name: String) throws -> Bool {
            var info = stat()
            guard lstat(folder.file(name), &info) == 0 else { return false }
            switch obstacle {
            case .file: return try folder.bytes(of: name) == Data("broken".utf8)
            case .folder: return FileManager.default.fileExists(atPath: folder.file(name) + "/inside")
            case .pipe: return info.st_mode & S_IFMT == S_IFIFO
            }
        }

        var names: [String] { get throws { try folder.names.filter { $0 != ".pdefaults.new" } } }
    }

    @Test("If system calls fail, the recovery is done completely or not at all")
    func failing() throws {
        for (obstacle, system) in Obstacle.allCases.flatMap({ one in System.allCases.map { (one, $0) } }) {
            for isOnce in [true, false] {
                var call = 1
                while try fail(obstacle, system, isOnce ? .once(call: call, EIO) : .from(call: call, ENOSPC))
                {
                    call += 1
                }
                #expect(call > 12, "\(obstacle), \(system)")
            }
        }
    }

    /// Whether the fault happened.
    private func fail(
        _ obstacle: Obstacle,
        _ system: System,
        _ fault: FaultyFileSystem.Fault
    ) throws -> Bool {
        let files = FaultyFileSystem(system.files)
        let broken = try Broken(obstacle, files)
        try broken.breakFile()
        files.inject(fault)
        var failure: SettingsError?
        do throws(SettingsError) { try broken.suite.recover() } catch { failure = error }
        let hasFailed = files.hasFailed
        files.inject(nil)
        let comment: Comment = "\(obstacle), \(system), \(fault): \(String(describing: failure))"
        let aside = try broken.folder.names.filter { $0.contains(".broken-") }
        if try broken.isObstacle("suite.plist") {
            #expect(failure != nil, comment)
            #expect(aside.isEmpty, comment)
            #expect(broken.suite.status.pendingKeys == 1, comment)
        } else if case .from = fault, !system.givesSecondName(to: obstacle),
            try !broken.names.contains("suite.plist")
        {
            // If nothing can be written any more, neither name can be given, and the old name can't be given
            // back either. Then only the values in memory are left, and other processes might have them too.
            #expect(failure != nil, comment)
            #expect(try aside.count == 1 && broken.isObstacle(aside[0]), comment)
            #expect(files.openDescriptors.isEmpty, comment)
            broken.suite.losePendingChanges()
            return hasFailed
        } else {
            if let failure { #expect("\(failure)".contains("change is in the file"), comment) }
            #expect(try broken.folder.values() == broken.aside, comment)
            #expect(try aside.count == 1 && broken.isObstacle(aside[0]), comment)
        }
        #expect(files.openDescriptors.isEmpty, comment)
        #expect(broken.suite.storedValues == broken.aside, comment)

        _ = try broken.suite.recover()
        try broken.suite.synchronize()
        #expect(try broken.folder.values() == broken.aside, comment)
        #expect(try broken.names.count == 2, comment)
        #expect(broken.suite.contentError == nil, comment)
        #expect(broken.suite.status.pendingKeys == 0, comment)
        return hasFailed
    }

    /// Another process, which reads the file whenever a name changes.
    private final class Onlooker: Sendable {
        let files: InterferingFileSystem
        let storage: Mutex<FileStorage>
        let seen = Recorder<String>()

        init(of path: String, in files: InterferingFileSystem) {
            self.files = files
            let own = InterferingFileSystem()
            own.pass(seconds: 5)
            storage = Mutex(FileStorage(path: path, files: own))
            look()
            lookBefore()
            lookAfter()
        }

        private func lookBefore() {
            files.interfere(before: .rename) { [weak self] in
                self?.look()
                self?.lookBefore()
            }
        }

        private func lookAfter() {
            files.interfere(after: .rename) { [weak self] in
                self?.look()
                self?.lookAfter()
            }
        }

        func look() {
            storage.withLock { storage in
                do throws(SettingsError) {
                    let reading = try storage.read()
                    if !reading.exists { seen.note("nothing") }
                    switch reading.difference {
                    case .none: break
                    case .all(let all): seen.note("\(all.count) values")
                    case .some(let changes):
                        let keys = changes.sorted { $0.key < $1.key }
                        seen.note(
                            keys.map { "\($0.key) \($0.value == nil ? "removed" : "changed")" }.joined()
                        )
                    }
                } catch {
                    if seen.all.last != "unreadable" { seen.note("unreadable") }
                }
            }
        }
    }

    @Test(
        "At every moment there is the unreadable file or the new one",
        arguments: [System.exchanges, .exchangesNothing]
    )
    func onlooker(_ system: System) throws {
        let files = system.files
        let broken = try Broken(.file, files)
        let onlooker = Onlooker(of: broken.folder.suitePath, in: files)
        try broken.breakFile()
        try broken.suite.recover()
        onlooker.look()
        #expect(onlooker.seen.all == ["2 values", "unreadable", "b changed"])
    }

    @Test("Observers are notified that the file can be read again, and of pending changes only")
    func observers() throws {
        let folder = try TemporaryFolder()
        try folder.write(["a": 1, "b": 1])
        let suites = (0..<2).map { _ in
            SettingsSuite(FileStorage(path: folder.suitePath), scheduler: LiveWorkScheduler())
        }
        let events = Recorder<String>()
        let observations = suites.enumerated().map { number, suite in
            suite.observe { event in
                switch event {
                case .change(let change): events.note("\(number): \(change.key)")
                case .status(let status) where status.content == .absent: events.note("\(number): absent")
                default: break
                }
            }
        }
        try folder.write("broken", to: "suite.plist")
        #expect(eventually { suites.allSatisfy { $0.contentError != nil } })
        suites[0].set(2, forKey: "b")
        #expect(try suites[0].recover() != nil)
        #expect(suites[0].status.content == .stored)
        #expect(eventually { suites[1].status.content == .stored })
        suites[0].set(3, forKey: "end")
        try suites[0].synchronize()
        #expect(eventually { events.all.contains("1: end") })
        #expect(events.all.filter { $0.hasPrefix("0") } == ["0: b", "0: end"])
        #expect(events.all.filter { $0.hasPrefix("1") } == ["1: b", "1: end"])
        withExtendedLifetime(observations) {}
    }

    @Test("A readable file that another program puts in place in that moment is not set aside")
    func goodAgain() throws {
        let files = System.exchanges.files
        let broken = try Broken(.file, files)
        try broken.breakFile()
        files.interfere(before: .rename) {
            try? broken.folder.write(["a": 1, "others": 1], to: broken.folder.file("new"))
            try? broken.folder.rename("new", to: "suite.plist")
        }
        #expect(try broken.suite.recover() == nil)
        try broken.suite.synchronize()
        #expect(try broken.folder.values() == ["a": 1, "b": 2, "others": 1])
        #expect(try broken.folder.names == ["suite.plist"])
    }

    @Test("A binary suite stays binary, with values that XML can't have")
    func binary() throws {
        let folder = try TemporaryFolder()
        let values: [String: PropertyListValue] = ["a": "\u{1b}"]
        try folder.write(bytes: PropertyListValue.dictionary(values).encoded(as: .binary))
        let suite = makeSuite(folder.suitePath)
        _ = suite.storedValues
        try folder.write("broken", to: "suite.plist")
        #expect(try suite.recover() != nil)
        #expect(try folder.values() == values)
    }

    @Test("A pending value that can't be stored is dropped, and the others are stored")
    func refused() throws {
        let files = System.exchanges.files
        let broken = try Broken(.file, files)
        try broken.breakFile()
        broken.suite.set("\u{1b}", forKey: "bad")
        #expect(try broken.suite.recover() != nil)
        #expect(try broken.folder.values() == broken.aside)
        #expect(broken.suite.storedValues == broken.aside)
    }
}
