import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Writers wait for each other with a lock on the folder")
struct LockTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Gives the folder another time, as a write in the folder does, even within one tick of the clock.
    private func touchFolder(_ seconds: Int) {
        let time = timeval(tv_sec: seconds, tv_usec: 0)
        #expect(utimes(folder.path, [time, time]) == 0)
    }

    @Test("A write does not use a folder that was exchanged while the write waited for its lock")
    func folderExchanged() throws {
        try folder.makeFolder("sub")
        let path = folder.file("sub/suite.plist")
        let files = InterferingFileSystem()
        let suite = makeSuite(path, files: files)
        _ = suite.storedValues
        suite.set(1, forKey: "a")
        files.interfere(before: .flock) { [folder] in
            try? folder.rename("sub", to: "away")
            try? folder.makeFolder("sub")
        }
        try suite.synchronize()
        #expect(try folder.values(at: path) == ["a": 1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("away")).isEmpty)
    }

    @Test(
        "On file systems without locks on folders, writers lock a permanent file",
        arguments: [EOPNOTSUPP, ENOLCK, EINVAL, EBADF, ENOSYS]
    )
    func lockFile(_ refusal: Int32) throws {
        let files = InterferingFileSystem(refusingToLockFolders: refusal)
        for number in 1...2 {
            let suite = makeSuite(folder.suitePath, files: files)
            suite.set(PropertyListValue(number), forKey: "a")
            try suite.synchronize()
            #expect(try folder.names == [".pdefaults.lock", "suite.plist"])
        }
        let holder = open(folder.file(".pdefaults.lock"), O_RDWR)
        #expect(flock(holder, LOCK_EX) == 0)
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(3, forKey: "a")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(error?.description.contains("locked") == true)
        #expect(try folder.values() == ["a": 2])
        close(holder)
        try suite.synchronize()
        #expect(try folder.values() == ["a": 3])
    }

    @Test("If the lock fails for another reason, the write fails")
    func failingLock() throws {
        let suite = makeSuite(folder.suitePath, files: InterferingFileSystem(refusingToLockFolders: EIO))
        suite.set(1, forKey: "a")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(try folder.names.isEmpty)
        suite.set(nil, forKey: "a")
    }

    @Test("The error names the process that has the lock, and pending changes are stored when that ends")
    func named() throws {
        let holder = try RunningProgram(builtProgram(named: "StoreWriter"), ["hold", folder.path])
        #expect(eventually { (try? holder.output) == "locked\n" })
        let scheduler = ManualScheduler()
        let suite = SettingsSuite(
            FileStorage(path: folder.suitePath, files: InterferingFileSystem()),
            scheduler: scheduler
        )
        let failures = Recorder<String>()
        let observation = suite.observe { if case .failed(let error) = $0 { failures.note("\(error)") } }
        let name = "process \(holder.id) (StoreWriter) has kept its folder locked for more than 10 seconds"
        suite.set(1, forKey: "a")
        scheduler.advance()
        #expect(failures.all.count == 1 && failures.all[0].contains(name), "\(failures.all)")
        #expect(suite.status.storingError?.contains(name) == true)
        #expect(suite.status.pendingKeys == 1)
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(error?.description.contains(name) == true)

        holder.send(SIGSTOP)
        #expect(
            eventually {
                _ = try? suite.synchronize()
                return suite.status.storingError?.contains("“kill -CONT \(holder.id)”") == true
            }
        )
        holder.send(SIGKILL)
        _ = try holder.end()
        scheduler.advance(by: 60)
        #expect(suite.status.storingError == nil)
        #expect(suite.status.pendingKeys == 0)
        #expect(try folder.values() == ["a": 1])
        observation.cancel()
    }

    @Test(
        "While the process that has the lock works, a write waits ten times as long",
        arguments: [true, false]
    )
    func working(_ ends: Bool) throws {
        let holder = try RunningProgram(builtProgram(named: "StoreWriter"), ["hold", folder.path, "work"])
        #expect(eventually { (try? holder.output) == "locked\n" })
        let (files, process) = (InterferingFileSystem(), holder.id)
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(1, forKey: "a")
        @Sendable func endLater() {
            files.interfere(before: .flock) {
                if files.paused < 30 { endLater() } else { kill(process, SIGKILL) }
            }
        }
        if ends {
            endLater()
            try suite.synchronize()
            #expect(try folder.values() == ["a": 1])
        } else {
            let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
            #expect(error?.description.contains("process \(process) (StoreWriter)") == true)
            suite.set(nil, forKey: "a")
        }
        kill(process, SIGKILL)
        _ = try holder.end()
        #expect((ends ? 30..<45 : 90..<150).contains(files.paused), "\(files.paused)")
    }

    @Test("After a wait has failed, the next one is short until a process writes in the folder")
    func waitedBefore() throws {
        let holder = open(folder.path, O_RDONLY | O_DIRECTORY)
        #expect(flock(holder, LOCK_EX) == 0)
        defer { close(holder) }
        func attempts(_ name: String) throws -> Int {
            let files = InterferingFileSystem(stopsClock: false)
            let count = Mutex(0)
            @Sendable func interfere() {
                files.interfere(before: .flock) {
                    count.withLock { $0 += 1 }
                    interfere()
                }
            }
            interfere()
            let suite = makeSuite(folder.file(name), files: files)
            suite.set(1, forKey: "a")
            #expect(throws: SettingsError.self) { try suite.synchronize() }
            suite.set(nil, forKey: "a")
            return count.withLock(\.self)
        }
        let first = try attempts("first.plist")
        #expect(try attempts("second.plist") < first / 4)
        touchFolder(1)
        #expect(try attempts("third.plist") > first / 2)
    }

    @Test("A write waits for the lock as long as other processes write in the folder")
    func others() throws {
        let holder = open(folder.path, O_RDONLY | O_DIRECTORY)
        #expect(flock(holder, LOCK_EX) == 0)
        defer { close(holder) }
        let files = InterferingFileSystem(stopsClock: false)
        let count = Mutex(0)
        @Sendable func interfere() {
            files.interfere(before: .flock) {
                let attempt = count.withLock {
                    $0 += 1
                    return $0
                }
                // A write changes the folder's time. The clock of files may have steps of some milliseconds.
                let times = Array(repeating: timespec(tv_sec: attempt / 100, tv_nsec: 0), count: 2)
                futimens(holder, times)
                // Pauses of two hundred seconds.
                if attempt == 20_000 { flock(holder, LOCK_UN) } else { interfere() }
            }
        }
        interfere()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(1, forKey: "a")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 1])
        #expect(count.withLock(\.self) == 20_000)
    }

    @Test(
        "A process ends and reports its pending changes while another process keeps the lock",
        .enabled(if: isLong, "takes some ten seconds")
    )
    func end() throws {
        let holder = open(folder.path, O_RDONLY | O_DIRECTORY)
        #expect(flock(holder, LOCK_EX) == 0)
        defer { close(holder) }
        let names = (1...8).map { folder.file("\($0).plist") }
        let writer = try RunningProgram(builtProgram(named: "StoreWriter"), ["set-each", "a"] + names)
        let result = try writer.end()
        for name in names {
            let words = "\(name): process \(getpid()) ("
            #expect(result.errors.contains("Settings were not stored: \(words)"), "\(result.errors)")
        }
        #expect(try folder.names.isEmpty)
    }

    @Test("If no private name can be cleared, the error names one of them")
    func obstacle() throws {
        try folder.write(["a": 1])
        let names = [".pdefaults.new"] + (2...8).map { ".pdefaults.new-\($0)" }
        for name in names { try folder.makeFolder("\(name)/more") }
        let suite = makeSuite(folder.suitePath)
        suite.set(2, forKey: "a")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(
            error?.description
                == "\(folder.suitePath): \(folder.file(".pdefaults.new")) blocks every write in this folder, "
                + "and can't be removed: Is a directory"
        )
        #expect(suite.status.pendingKeys == 1)
        #expect(try folder.values() == ["a": 1])
        for name in names { try folder.remove(name) }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
        #expect(try folder.names == ["suite.plist"])
    }

    @Test("The timeout restarts while other processes write in the folder")
    func queue() throws {
        try folder.write(["a": 1])
        let holder = open(folder.path, O_RDONLY | O_DIRECTORY)
        #expect(flock(holder, LOCK_EX) == 0)
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        let attempts = Mutex(0)
        @Sendable func interfere() {
            files.interfere(before: .flock) { [self] in
                let attempt = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                if attempt == 3_000 { close(holder) }
                if attempt >= 3_000 { return }
                if attempt.isMultiple(of: 500) { touchFolder(attempt) }
                interfere()
            }
        }
        interfere()
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
        #expect(attempts.withLock(\.self) == 3_000)
    }
}
