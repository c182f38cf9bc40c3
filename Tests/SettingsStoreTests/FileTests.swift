import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

private let isRoot = geteuid() == 0

/// A suite without threads of its own, so that a test says when it stores.
private func makeSuite(_ path: String, files: any FileSystem = LiveFileSystem()) -> SettingsSuite {
    SettingsSuite(FileStorage(path: path, files: files), scheduler: ManualScheduler())
}

private func status(_ path: String) -> stat {
    var info = stat()
    lstat(path, &info)
    return info
}

@Suite("A file keeps what nobody set")
struct FileDressTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(["a": 1])
    }

    private func change() throws {
        let suite = makeSuite(folder.suitePath)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2])
    }

    @Test("Its mode", arguments: [0o600, 0o640, 0o644, 0o660, 0o604] as [mode_t])
    func mode(_ mode: mode_t) throws {
        chmod(folder.suitePath, mode)
        try change()
        #expect(status(folder.suitePath).st_mode & 0o7777 == mode)
    }

    @Test("A new one is its owner's alone, and so is a new folder")
    func newFile() throws {
        let suite = makeSuite(folder.file("x/y/new.plist"))
        suite.set(1, forKey: "a")
        try suite.synchronize()
        #expect(status(folder.file("x/y/new.plist")).st_mode & 0o7777 == 0o600)
        #expect(status(folder.file("x/y")).st_mode & 0o7777 == 0o700)
        #expect(status(folder.file("x")).st_mode & 0o7777 == 0o700)
    }

    @Test("Its owner and group, when the superuser writes", .enabled(if: isRoot, "needs root"))
    func owner() throws {
        chown(folder.suitePath, 65_534, 65_534)
        try change()
        #expect(status(folder.suitePath).st_uid == 65_534)
        #expect(status(folder.suitePath).st_gid == 65_534)
    }

    @Test("Its extended attributes")
    func attributes() throws {
        let files = LiveFileSystem()
        let attributes = [
            ExtendedAttribute("user.note", Array("kept".utf8)), ExtendedAttribute("user.empty", []),
            ExtendedAttribute("user.large", [UInt8](repeating: 7, count: 2_000)),
        ]
        let old = try files.open(folder.suitePath, flags: O_RDONLY)
        for attribute in attributes { try files.setExtendedAttribute(old, attribute) }
        files.close(old)
        try change()
        let new = try files.open(folder.suitePath, flags: O_RDONLY)
        defer { files.close(new) }
        #expect(Set(try files.extendedAttributes(new)) == Set(attributes))
    }

    @Test("Its format", arguments: [PropertyListFormat.xml, .binary])
    func format(_ format: PropertyListFormat) throws {
        try folder.write(bytes: PropertyListValue.dictionary(["a": 1, "b": "x"]).encoded(as: format))
        let suite = makeSuite(folder.suitePath)
        suite.set(2, forKey: "a")
        try suite.synchronize()
        let data = try folder.bytes(of: "suite.plist")
        #expect(try PropertyListDocument.read(Array(data)).document.format == format)
        #expect(try folder.values() == ["a": 2, "b": "x"])
    }

    @Test(
        "A link to it, a link to its folder, and a chain of them",
        arguments: [
            ["real.plist"], ["sub/real.plist"], ["link2", "sub/real.plist"], ["sub/link3", "../real.plist"],
        ]
    )
    func links(_ chain: [String]) throws {
        try folder.makeFolder("sub")
        try folder.remove("suite.plist")
        var name = "suite.plist"
        for target in chain {
            try folder.link(name, to: target)
            name = ((name as NSString).deletingLastPathComponent as NSString).appendingPathComponent(target)
        }
        // First there is nothing behind the links, then there is.
        for number in 1...2 {
            let suite = makeSuite(folder.suitePath)
            suite.set(PropertyListValue(number), forKey: "a")
            try suite.synchronize()
            #expect(folder.target(ofLink: "suite.plist") == chain[0])
            #expect(status(folder.file(name)).st_mode & S_IFMT == S_IFREG)
            #expect(try folder.values(at: folder.file(name)) == ["a": PropertyListValue(number)])
        }
    }

    @Test("A link that leads in a circle is an error, and stays")
    func circle() throws {
        try folder.link("round.plist", to: "round.plist")
        let suite = makeSuite(folder.file("round.plist"))
        suite.set(1, forKey: "a")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(folder.target(ofLink: "round.plist") == "round.plist")
        #expect(suite.status.pendingKeys == 1)
        try folder.remove("round.plist")
        try suite.synchronize()
    }
}

@Suite("What can't be read is neither taken for empty nor replaced")
struct UnreadableTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "A file that does not parse",
        arguments: ["", " \n", "<plist", "hello", "<plist><array/></plist>", "bplist00", "{ a = 1;"]
    )
    func unparsable(_ text: String) throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath)
        #expect(suite.value(forKey: "a") == 1)
        try folder.write(text, to: "suite.plist")
        suite.set(2, forKey: "b")
        let error = #expect(throws: SettingsError.self) { try suite.synchronize() }
        guard case .unreadable(folder.suitePath, _)? = error else {
            Issue.record("threw \(String(describing: error))")
            return
        }
        #expect(suite.storedValues == ["a": 1, "b": 2])
        #expect(suite.status.pendingKeys == 1)
        #expect(suite.contentError == error)
        #expect(try folder.bytes(of: "suite.plist") == Data(text.utf8))

        // Read for the first time, it is no different.
        let other = makeSuite(folder.suitePath)
        #expect(other.storedValues == [:])
        #expect(other.contentError == error)
        other.set(3, forKey: "c")
        #expect(throws: SettingsError.self) { try other.synchronize() }
        #expect(try folder.bytes(of: "suite.plist") == Data(text.utf8))

        // Nothing of what was set is lost.
        try folder.remove("suite.plist")
        try suite.synchronize()
        try other.synchronize()
        #expect(try folder.values() == ["b": 2, "c": 3])
    }

    enum Obstacle: CaseIterable { case pipe, folder, linkToDevice }

    @Test("Something that is no file", arguments: Obstacle.allCases)
    func noFile(_ obstacle: Obstacle) throws {
        switch obstacle {
        case .pipe: #expect(mkfifo(folder.suitePath, 0o600) == 0)
        case .folder: try folder.makeFolder("suite.plist")
        case .linkToDevice: try folder.link("suite.plist", to: "/dev/full")
        }
        let suite = makeSuite(folder.suitePath)
        #expect(suite.contentError == .notAFile(path: folder.suitePath))
        suite.set(1, forKey: "a")
        #expect(throws: SettingsError.notAFile(path: folder.suitePath)) { try suite.synchronize() }
        #expect(suite.status.pendingKeys == 1)
        #expect(try folder.names == ["suite.plist"])
        try folder.remove("suite.plist")
        try suite.synchronize()
        #expect(try folder.values() == ["a": 1])
    }

    @Test("A file that is larger than what is read")
    func tooLarge() throws {
        try folder.write(["a": 1])
        // A hole: it takes no room.
        #expect(truncate(folder.suitePath, 1 << 40) == 0)
        let suite = makeSuite(folder.suitePath)
        #expect(suite.contentError?.description.contains("larger than") == true)
        suite.set(1, forKey: "b")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(status(folder.suitePath).st_size == 1 << 40)
        #expect(try suite.recover() != nil)
        #expect(try folder.values() == ["b": 1])
    }

    @Test("It is set aside on request alone, and the last good values are stored anew")
    func recover() throws {
        try folder.write(["a": 1, "b": 1])
        let suite = makeSuite(folder.suitePath)
        _ = suite.storedValues
        try folder.write("broken", to: "suite.plist")
        suite.set(2, forKey: "b")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        let place = try #require(try suite.recover())
        #expect(place.hasPrefix(folder.suitePath + ".broken-2"))
        #expect(place.hasSuffix("Z"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: place)) == Data("broken".utf8))
        #expect(try folder.values() == ["a": 1, "b": 2])
        #expect(suite.contentError == nil)
        #expect(suite.status.pendingKeys == 0)
        #expect(try suite.recover() == nil)
    }

    @Test("Several that are set aside in one second stand beside each other, under long names too")
    func recoverOften() throws {
        let name = String(repeating: "é", count: 124) + ".plist"
        for number in 1...3 {
            try folder.write("broken \(number)", to: name)
            let suite = makeSuite(folder.file(name))
            #expect(try suite.recover() != nil)
        }
        #expect(try folder.names.count == 3)
    }

    @Test("recover() on a file that can be read changes nothing and takes others' changes over")
    func recoverNothing() throws {
        try folder.write(["a": 1])
        let suite = makeSuite(folder.suitePath)
        _ = suite.storedValues
        try folder.write(["a": 2])
        #expect(try suite.recover() == nil)
        try suite.synchronize()
        #expect(suite.storedValues == ["a": 2])
    }

    @Test("Whichever call of recover() fails, both the unreadable file and the last good values are kept")
    func recoverFailing() throws {
        var call = 0
        var hasFailed = true
        while hasFailed {
            call += 1
            let folder = try TemporaryFolder()
            try folder.write(["a": 1])
            let system = InterferingFileSystem()
            // So the file is not taken for one that is being written.
            system.pass(seconds: 5)
            let files = FaultyFileSystem(system)
            let suite = makeSuite(folder.suitePath, files: files)
            _ = suite.storedValues
            try folder.write("broken", to: "suite.plist")
            #expect(throws: SettingsError.self) { try suite.synchronize() }
            files.inject(.once(call: call, EIO))
            _ = try? suite.recover()
            hasFailed = files.hasFailed
            files.inject(nil)
            _ = try suite.recover()
            try suite.synchronize()
            #expect(try folder.values() == ["a": 1], "after call \(call)")
            let aside = try #require(try folder.names.first { $0.contains(".broken-") })
            #expect(try folder.bytes(of: aside) == Data("broken".utf8))
            #expect(try folder.names.count == 2)
            #expect(files.openDescriptors.isEmpty)
        }
        #expect(call > 20)
    }
}

@Suite("What others do to the file and its folder")
struct FileLifeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A suite that somebody removes while a change is pending is made anew with that change alone")
    func removed() throws {
        try folder.write(["a": 1, "b": 1])
        let suite = makeSuite(folder.suitePath)
        _ = suite.storedValues
        suite.set(2, forKey: "b")
        try folder.remove("suite.plist")
        try suite.synchronize()
        #expect(try folder.values() == ["b": 2])
        #expect(suite.storedValues == ["b": 2])
    }

    @Test("A folder that is removed is made again when there is something to store")
    func folderRemoved() throws {
        let path = folder.file("sub/suite.plist")
        let suite = makeSuite(path)
        suite.set(1, forKey: "a")
        try suite.synchronize()
        try folder.remove("sub")
        try suite.synchronize()
        #expect(suite.storedValues == [:])
        #expect(suite.status.content == .absent)
        #expect(try folder.names == [])
        suite.set(2, forKey: "b")
        try suite.synchronize()
        #expect(try folder.values(at: path) == ["b": 2])
    }

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

    @Test("A file that is removed or replaced between being read and being written is heeded")
    func changedMeanwhile() throws {
        try folder.write(["a": 1, "b": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues

        suite.set(2, forKey: "a")
        files.interfere(before: .openToReplace) { [folder] in
            try? folder.write(["theirs": 1, "b": 2], to: folder.file("new"))
            try? folder.rename("new", to: "suite.plist")
        }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "theirs": 1, "b": 2])

        suite.set(3, forKey: "a")
        files.interfere(before: .openToReplace) { [folder] in try? folder.remove("suite.plist") }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 3])
        #expect(suite.storedValues == ["a": 3])
    }

    @Test("What a program wrote into the file that was just replaced is kept, its removals too")
    func lateWrite() throws {
        try folder.write(["a": 1, "b": 1, "c": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        suite.set(2, forKey: "a")
        let late = open(folder.suitePath, O_WRONLY)
        files.interfere(after: .rename) { [folder] in
            ftruncate(late, 0)
            let bytes = try? PropertyListValue.dictionary(["a": 1, "b": 2, "theirs": 1]).encoded(as: .xml)
            if let bytes { _ = write(late, bytes, bytes.count) }
            close(late)
            _ = folder
        }
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "b": 2, "theirs": 1])
        #expect(suite.storedValues == ["a": 2, "b": 2, "theirs": 1])
        #expect(Set(changes.all.map(\.key)) == ["a", "b", "c", "theirs"])
        #expect(changes.all.count == 4)
        withExtendedLifetime(observation) {}
    }

    @Test("A late write that breaks the condition of a conditional write undoes it")
    func lateConflict() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        let late = open(folder.suitePath, O_WRONLY)
        files.interfere(after: .rename) {
            ftruncate(late, 0)
            let bytes = try? PropertyListValue.dictionary(["a": 5]).encoded(as: .xml)
            if let bytes { _ = write(late, bytes, bytes.count) }
            close(late)
        }
        #expect(throws: SettingsError.conflict(current: ["a": 5])) {
            try suite.replace(["a": 2], expecting: ["a": 1])
        }
        #expect(try folder.values() == ["a": 5])
        #expect(suite.storedValues == ["a": 5])
    }

    @Test("What a program undoes because it had read the file before is written again, and not told")
    func undone() throws {
        try folder.write(["a": 1, "b": 1])
        let suite = makeSuite(folder.suitePath)
        let changes = Recorder<Change>()
        let observation = suite.observe { if case .change(let change) = $0 { changes.note(change) } }
        suite.set(2, forKey: "a")
        suite.set(2, forKey: "new")
        suite.set(nil, forKey: "b")
        try suite.synchronize()
        // All of it as it was read, and a key of theirs.
        try folder.write(["a": 1, "b": 1, "theirs": 1])
        try suite.synchronize()
        #expect(try folder.values() == ["a": 2, "new": 2, "theirs": 1])
        #expect(suite.storedValues == ["a": 2, "new": 2, "theirs": 1])
        #expect(changes.all.map(\.key) == ["a", "new", "b", "theirs"])
        withExtendedLifetime(observation) {}
    }

    @Test("What is set back later, or by a file of its own, is a change like any other")
    func setBack() throws {
        try folder.write(["a": 1])
        let files = InterferingFileSystem()
        let suite = makeSuite(folder.suitePath, files: files)
        _ = suite.storedValues
        suite.set(2, forKey: "a")
        try suite.synchronize()
        try folder.write(["a": 1], to: folder.file("new"))
        try folder.rename("new", to: "suite.plist")
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 1)

        suite.set(2, forKey: "a")
        try suite.synchronize()
        files.pass(seconds: 5)
        try folder.write(["a": 1])
        try suite.synchronize()
        #expect(suite.value(forKey: "a") == 1)
        #expect(try folder.values() == ["a": 1])
    }

    @Test("Two paths to one file behave like two processes")
    func twoPaths() throws {
        try folder.write(["a": 1])
        try folder.link("other.plist", to: "suite.plist")
        let first = SettingsSuite(file: folder.suitePath)
        let second = SettingsSuite(file: folder.file("other.plist"))
        #expect(first != second)
        #expect(first == SettingsSuite(file: folder.path + "/./suite.plist"))
        let changes = Recorder<PropertyListValue?>()
        let observation = second.observe("a") { changes.note($0.new) }.observation
        for number in 2...20 {
            first.set(PropertyListValue(number), forKey: "a")
            second.set(true, forKey: "\(number)")
            try first.synchronize()
        }
        try second.synchronize()
        #expect(try folder.values().count == 20)
        #expect(eventually { changes.all.last == 20 })
        observation.cancel()
    }

    @Test("A path with a NUL is not the path before it")
    func nul() throws {
        var storage = FileStorage(path: folder.suitePath + "\0.plist")
        #expect(throws: SettingsError.self) { try storage.update { _ in StorageWrite(changes: ["a": 1]) } }
        try folder.write(["a": 1])
        #expect(throws: SettingsError.self) { try storage.read() }
        #expect(try folder.values() == ["a": 1])
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
}
