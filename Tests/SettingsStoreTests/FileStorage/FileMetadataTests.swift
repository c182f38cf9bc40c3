import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

private let isRoot = geteuid() == 0

private func status(_ path: String) -> stat {
    var info = stat()
    lstat(path, &info)
    return info
}

/// Access control lists (acl(5)), as the system keeps them in an extended attribute.
private enum AccessList {
    static let isSupported: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        defer { withExtendedLifetime(folder) {} }
        let list = ExtendedAttribute("system.posix_acl_access", letting(65_534))
        return (try? set(list, on: folder.path)) != nil
    }()

    /// An access control list that lets the owner do everything, and the group and one more user read.
    static func letting(_ user: UInt32) -> [UInt8] {
        // The version (2), followed by kind, rights and user of each entry.
        let entries: [(kind: UInt16, rights: UInt16, id: UInt32)] = [
            (0x01, 7, .max), (0x02, 4, user), (0x04, 4, .max), (0x10, 4, .max), (0x20, 0, .max),
        ]
        func bytes(_ number: UInt32, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
        }
        return bytes(2, 4)
            + entries.flatMap { bytes(UInt32($0.kind), 2) + bytes(UInt32($0.rights), 2) + bytes($0.id, 4) }
    }

    static func set(_ list: ExtendedAttribute, on path: String) throws {
        let files = LiveFileSystem()
        let descriptor = try files.open(path, flags: O_RDONLY)
        defer { files.close(descriptor) }
        try files.setExtendedAttribute(descriptor, list)
    }

    static func of(_ path: String) throws -> [ExtendedAttribute] {
        let files = LiveFileSystem()
        let descriptor = try files.open(path, flags: O_RDONLY)
        defer { files.close(descriptor) }
        return try files.extendedAttributes(descriptor).filter { $0.name.hasPrefix("system.") }
    }
}

@Suite("A write keeps the file's metadata")
struct FileMetadataTests {
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

    @Test(
        "The new file never has more permissions than the old one",
        arguments: [0o600, 0o640, 0o644, 0o660, 0o604, 0o666] as [mode_t]
    )
    func firstMode(_ mode: mode_t) throws {
        chmod(folder.suitePath, mode)
        let modes = Recorder<mode_t>()
        let files = InterferingFileSystem(unnamedRefusal: EOPNOTSUPP)
        let newFile = folder.file(".pdefaults.new")
        files.interfere(after: .makeNewFile) { modes.note(status(newFile).st_mode & 0o777) }
        files.interfere(before: .rename) { modes.note(status(newFile).st_mode & 0o777) }
        let suite = makeSuite(folder.suitePath, files: files)
        suite.set("changed", forKey: "a")
        try suite.synchronize()
        #expect(modes.all.count == 2)
        #expect(modes.all.first.map { $0 & ~mode } == 0)
        #expect(modes.all.last == mode)
    }

    @Test("A write keeps the mode", arguments: [0o600, 0o640, 0o644, 0o660, 0o604] as [mode_t])
    func mode(_ mode: mode_t) throws {
        chmod(folder.suitePath, mode)
        try change()
        #expect(status(folder.suitePath).st_mode & 0o7777 == mode)
    }

    @Test("Only the owner can read a new file and a new folder")
    func newFile() throws {
        let suite = makeSuite(folder.file("x/y/new.plist"))
        suite.set(1, forKey: "a")
        try suite.synchronize()
        #expect(status(folder.file("x/y/new.plist")).st_mode & 0o7777 == 0o600)
        #expect(status(folder.file("x/y")).st_mode & 0o7777 == 0o700)
        #expect(status(folder.file("x")).st_mode & 0o7777 == 0o700)
    }

    @Test("A write by root keeps the owner and the group", .enabled(if: isRoot, "needs root"))
    func owner() throws {
        chown(folder.suitePath, 65_534, 65_534)
        try change()
        #expect(status(folder.suitePath).st_uid == 65_534)
        #expect(status(folder.suitePath).st_gid == 65_534)
    }

    @Test("A write keeps the extended attributes")
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
        // Each file has an attribute with a value of its own.
        let kept = try files.extendedAttributes(new).filter { $0.name != "user.pdefaults.mark" }
        #expect(Set(kept) == Set(attributes))
    }

    @Test(
        "A write keeps the access control list, and takes over none from the folder",
        .enabled(if: AccessList.isSupported, "needs lists")
    )
    func accessList() throws {
        let list = ExtendedAttribute("system.posix_acl_access", AccessList.letting(65_534))
        try AccessList.set(list, on: folder.suitePath)
        let mode = status(folder.suitePath).st_mode
        try change()
        #expect(try AccessList.of(folder.suitePath) == [list])
        #expect(status(folder.suitePath).st_mode == mode)

        // A folder's list for new files must not be given to the file that replaces an old one.
        try folder.remove("suite.plist")
        try folder.write(["a": 1])
        chmod(folder.suitePath, 0o640)
        let forNewFiles = ExtendedAttribute("system.posix_acl_default", AccessList.letting(65_534))
        try AccessList.set(forNewFiles, on: folder.path)
        try change()
        #expect(try AccessList.of(folder.suitePath) == [])
        #expect(status(folder.suitePath).st_mode & 0o7777 == 0o640)
    }

    @Test("A hard link still names the old file")
    func hardLink() throws {
        #expect(link(folder.suitePath, folder.file("other name")) == 0)
        try change()
        #expect(try folder.values(at: folder.file("other name")) == ["a": 1])
        #expect(status(folder.suitePath).st_nlink == 1)
    }

    @Test("A write keeps the format", arguments: [PropertyListFormat.xml, .binary])
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
        "A write keeps a link to the file, a link to its folder, and a chain of links",
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
        // At first the target of the links is missing, and later it exists.
        for number in 1...2 {
            let suite = makeSuite(folder.suitePath)
            suite.set(PropertyListValue(number), forKey: "a")
            try suite.synchronize()
            #expect(folder.target(ofLink: "suite.plist") == chain[0])
            #expect(status(folder.file(name)).st_mode & S_IFMT == S_IFREG)
            #expect(try folder.values(at: folder.file(name)) == ["a": PropertyListValue(number)])
        }
    }

    @Test("A write follows a link in the folder's place, whether the file exists or not")
    func linkedFolder() throws {
        try folder.makeFolder("real")
        try folder.link("linked", to: "real")
        for number in 1...2 {
            let suite = makeSuite(folder.file("linked/suite.plist"))
            suite.set(PropertyListValue(number), forKey: "a")
            try suite.synchronize()
            #expect(folder.target(ofLink: "linked") == "real")
            #expect(
                try folder.values(at: folder.file("real/suite.plist")) == ["a": PropertyListValue(number)]
            )
        }
    }

    @Test(
        "A link whose target is no UTF-8 is refused, and no other file is made",
        arguments: [true, false]
    )
    func unnameableLink(_ isFolder: Bool) throws {
        // In Latin-1.
        let name = Array("\(folder.path)/caf".utf8) + [0xE9, 0]
        let isMade = name.withUnsafeBytes { bytes in
            let path = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let path else { return false }
            return mkdir(path, 0o700) == 0 && symlink(path, folder.file("linked")) == 0
        }
        #expect(isMade)
        let before = try folder.names.count
        let suite = makeSuite(isFolder ? folder.file("linked/suite.plist") : folder.file("linked"))
        suite.set(2, forKey: "a")
        #expect(throws: SettingsError.self) { try suite.synchronize() }
        #expect(suite.status.pendingKeys == 1)
        #expect(try folder.names.count == before)
        try folder.remove("linked")
        try suite.synchronize()
    }

    @Test("A circular link is an error, and stays")
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
