import Foundation
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Synchronization
import Testing

@testable import SettingsStore

@Suite("Removing a suite never destroys an unread file")
struct RemovalTests {
    /// A way to remove a suite.
    enum Way: CaseIterable { case file, declaredKeys, link, linkToOtherFolder, schema }

    private static let held: [String: PropertyListValue] = ["a": 1]
    private static let theirs: [String: PropertyListValue] = ["theirs": 2]
    private static let schema = Data("{\"title\": \"one\"}".utf8)
    private static let otherSchema = Data("{\"title\": \"two\"}".utf8)

    /// A suite that a test removes.
    private struct Place {
        let folder: TemporaryFolder
        let way: Way
        /// The file or the link that the removal removes.
        var name: String { way == .schema ? "suite.schema.json" : "suite.plist" }

        init(_ way: Way) throws {
            folder = try TemporaryFolder()
            self.way = way
            if way == .linkToOtherFolder { try folder.makeFolder("real") }
            switch way {
            case .file, .declaredKeys: try folder.write(held)
            case .link:
                try folder.write(held, to: folder.file("target.plist"))
                try folder.link("suite.plist", to: "target.plist")
            case .linkToOtherFolder:
                try folder.write(held, to: folder.file("real/target.plist"))
                try folder.link("suite.plist", to: "real/target.plist")
            case .schema: try schema.write(to: URL(fileURLWithPath: folder.file("suite.schema.json")))
            }
        }

        /// Whether the suite was removed.
        func remove(_ files: any FileSystem) throws -> Bool {
            switch way {
            case .file:
                var storage = FileStorage(path: folder.suitePath, files: files)
                return try storage.remove()
            case .declaredKeys, .link, .linkToOtherFolder:
                let suite = makeSuite(folder.suitePath, files: files)
                try suite.remove(expecting: held, origin: .set(by: nil))
                return true
            case .schema:
                return try SchemaFile(besideSuite: folder.suitePath, files: files).remove(
                    StoredSchema(schema)
                )
            }
        }

        /// Puts another program's file in the suite's place in one step, as a rename does.
        func replace() {
            let new = folder.file("new")
            if way == .schema {
                try? otherSchema.write(to: URL(fileURLWithPath: new))
            } else {
                try? folder.write(theirs, to: new)
            }
            try? folder.rename("new", to: name)
        }

        /// The names of the files with the other program's bytes.
        func others() throws -> [String] {
            try folder.names.filter { name in
                if way == .schema { return try folder.bytes(of: name) == otherSchema }
                return name != "real" && (try? folder.values(at: folder.file(name))) == theirs
            }
        }

        /// The names of the files or links that the removal should remove.
        func own() throws -> [String] {
            try folder.names.filter { name in
                switch way {
                case .file, .declaredKeys: (try? folder.values(at: folder.file(name))) == held
                case .link: folder.target(ofLink: name) == "target.plist"
                case .linkToOtherFolder: folder.target(ofLink: name) == "real/target.plist"
                case .schema: try folder.bytes(of: name) == schema
                }
            }
        }
    }

    @Test("Another program replaces the file before the n-th call, for every n", arguments: Way.allCases)
    func replaced(_ way: Way) throws {
        var call = 1
        var losses = 0
        while true {
            let place = try Place(way)
            let files = CallCountingFileSystem(callAt: call) { place.replace() }
            let isRemoved = (try? place.remove(files)) ?? false
            guard files.hasCalled else { break }
            let others = try place.others()
            // remove() was asked to remove the values that it had read.
            if others.isEmpty, !(way == .file && isRemoved && files.readBytes.contains("theirs")) {
                losses += 1
            }
            #expect(others.allSatisfy { !$0.hasPrefix(".") }, "call \(call): \(others)")
            call += 1
        }
        #expect(losses == 0)
        #expect(call > 8)
    }

    @Test("If system calls fail, the file is removed, or still there as a whole", arguments: Way.allCases)
    func failing(_ way: Way) throws {
        for isOnce in [true, false] {
            var call = 1
            while true {
                let place = try Place(way)
                let files = FaultyFileSystem()
                let fault: FaultyFileSystem.Fault = isOnce ? .once(call: call, EIO) : .from(call: call, EIO)
                files.inject(fault)
                let result = Result { try place.remove(files) }
                let hasFailed = files.hasFailed
                files.inject(nil)
                let own = try place.own()
                switch result {
                case .success(true): #expect(own.isEmpty, "\(fault)")
                // Only the last step, fsync, may fail after the removal.
                case .success(false), .failure: #expect(own.count <= 1, "\(fault)")
                }
                if own.isEmpty { #expect(files.openDescriptors.isEmpty) }
                if case .failure = result, !own.isEmpty, isOnce {
                    #expect(own == [place.name], "\(fault): \(own)")
                }
                #expect(files.openDescriptors.isEmpty, "\(fault)")
                if !hasFailed { break }
                call += 1
            }
            #expect(call > 5)
        }
    }

    @Test("A file that appears while the old one is examined keeps its name, and both files stay")
    func both() throws {
        let place = try Place(.declaredKeys)
        let files = InterferingFileSystem()
        let folder = place.folder
        // One time is just before the file is moved, and the other one just after.
        files.interfere(before: .rename) { place.replace() }
        files.interfere(after: .rename) {
            try? folder.write(["third": 3], to: folder.file("new"))
            try? folder.rename("new", to: "suite.plist")
        }
        #expect(throws: SettingsError.self) { _ = try place.remove(files) }
        #expect(try folder.values() == ["third": 3])
        let others = try place.others()
        #expect(others.count == 1 && others[0].hasPrefix("pdefaults-rescued-"), "\(others)")
    }

    @Test("A file that is written in place just before stays, although it keeps size and modification time")
    func keptTime() throws {
        let place = try Place(.declaredKeys)
        // So much later that the times alone prove that the file was unchanged when it was read.
        let files = InterferingFileSystem.aWhileLater()
        files.interfere(before: .rename) { try? place.folder.writeKeepingTime(["a": 2]) }
        #expect(throws: SettingsError.self) { _ = try place.remove(files) }
        #expect(try place.folder.values() == ["a": 2])
    }

    @Test("A removal leaves no file behind")
    func gone() throws {
        for way in Way.allCases {
            let place = try Place(way)
            #expect(try place.remove(LiveFileSystem()))
            #expect(try place.folder.names.filter { $0 != "real" && $0 != "target.plist" } == [])
        }
    }

    @Test("An unreadable file that changes while it is set aside stays in place")
    func settingAside() throws {
        let folder = try TemporaryFolder()
        try folder.write("broken", to: "suite.plist")
        let files = InterferingFileSystem()
        files.pass(seconds: 5)
        var storage = FileStorage(path: folder.suitePath, files: files)
        files.interfere(before: .rename) {
            try? folder.write(["theirs": 2], to: folder.file("new"))
            try? folder.rename("new", to: "suite.plist")
        }
        #expect(try storage.recover(with: StorageWrite(changes: [:])) == nil)
        #expect(try folder.values() == ["theirs": 2])
        #expect(try folder.names == ["suite.plist"])
    }
}

/// The system's file system, which runs an action before a certain call.
private final class CallCountingFileSystem: ForwardingFileSystem, @unchecked Sendable {
    private let state = Mutex((count: 0, hasCalled: false, read: ""))
    private let call: Int
    private let work: @Sendable () -> Void

    init(callAt call: Int, _ work: @escaping @Sendable () -> Void) {
        self.call = call
        self.work = work
        super.init()
    }

    var hasCalled: Bool { state.withLock(\.hasCalled) }
    /// The content of the file after the call, as text.
    var readBytes: String { state.withLock(\.read) }

    override func before(_ call: String, _ descriptor: Int32?) {
        let isDue = state.withLock { state in
            state.count += 1
            if state.count == self.call { state.hasCalled = true }
            return state.count == self.call
        }
        if isDue { work() }
    }

    override func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        let count = try super.read(descriptor, into: buffer)
        state.withLock { $0.read += String(decoding: buffer[..<count], as: UTF8.self) }
        return count
    }
}
