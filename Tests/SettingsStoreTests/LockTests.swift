import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("Writers wait for each other by a lock on what stays")
struct LockTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A folder that is exchanged while its lock is waited for is not written to")
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
        "Where folders can't be locked, a file that stays is",
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

    @Test("A lock that fails for another reason is an error, and nothing is written without it")
    func failingLock() throws {
        let suite = makeSuite(folder.suitePath, files: InterferingFileSystem(refusingToLockFolders: EIO))
        suite.set(1, forKey: "a")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(try folder.names.isEmpty)
        suite.set(nil, forKey: "a")
    }

    @Test("A lock that is never given back is an error after a while, and nothing is lost")
    func stuckLock() throws {
        try folder.write(["a": 1])
        let holder = open(folder.path, O_RDONLY | O_DIRECTORY)
        #expect(flock(holder, LOCK_EX) == 0)
        let suite = makeSuite(folder.suitePath, files: InterferingFileSystem())
        suite.set(2, forKey: "a")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(error?.description.contains("locked") == true)
        close(holder)
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
    }

    @Test("A queue is waited in for longer, as long as somebody writes there")
    func queue() throws {
        try folder.write(["a": 1])
        let holder = open(folder.path, O_RDONLY | O_DIRECTORY)
        #expect(flock(holder, LOCK_EX) == 0)
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set(2, forKey: "a")
        let attempts = Mutex(0)
        @Sendable func interfere() {
            files.interfere(before: .flock) { [folder] in
                let attempt = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                if attempt == 3_000 { close(holder) }
                if attempt >= 3_000 { return }
                if attempt.isMultiple(of: 500) { _ = utimes(folder.path, nil) }
                interfere()
            }
        }
        interfere()
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
        #expect(attempts.withLock(\.self) == 3_000)
    }
}
