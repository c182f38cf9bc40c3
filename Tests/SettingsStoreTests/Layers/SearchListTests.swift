import Foundation
import Glibc
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Synchronization
import Testing

@testable import SettingsStore

@Suite("A suite's values come from the highest layer that has the key")
struct SearchListTests {
    let folders: LayerFolders

    init() throws { folders = try LayerFolders() }

    @Test("Each file hides those below it")
    func order() throws {
        for (index, file) in LayerFolders.files.enumerated() {
            try folders.write(["key": PropertyListValue(index)], to: file.path)
        }
        for (index, file) in LayerFolders.files.enumerated() {
            let suite = folders.suite()
            #expect(suite.value(forKey: "key") == PropertyListValue(index))
            let sources = suite.sources(forKey: "key")
            #expect(sources.map(\.layer) == LayerFolders.files[index...].map(\.layer))
            #expect(sources.map(\.location) == LayerFolders.files[index...].map { folders.path($0.path) })
            #expect(sources.map(\.isEffective) == sources.indices.map { $0 == 0 })
            #expect(sources.map(\.isLocking) == sources.map { $0.layer == .mandatory })
            try folders.folder.remove(file.path)
        }
        #expect(folders.suite().value(forKey: "key") == nil)
    }

    @Test("The folders of $XDG_CONFIG_DIRS count in their order, and each one once")
    func siteFolders() throws {
        var places = folders.places
        let standard = try #require(places.siteFolders.last)
        let (first, second) = (folders.path("first"), folders.path("second"))
        places.siteFolders = [first, second, first, standard]
        let files = places.files(of: try SuiteName("app")).filter { $0.layer == .site }.map(\.path)
        #expect(
            files == [
                first + "/app.plist", second + "/app.plist", standard + "/ByHost/app.plist",
                standard + "/app.plist",
            ]
        )
    }

    @Test("Files that do not exist cost one call each, and the mandatory one two")
    func cost() throws {
        final class CountingFileSystem: ForwardingFileSystem, @unchecked Sendable {
            let count = Atomic(0)

            override func before(_ call: String, _ descriptor: Int32?) { count.add(1, ordering: .relaxed) }
        }
        let files = CountingFileSystem()
        var storage = FileStorage(path: folders.path(), files: files)
        storage.layerPlaces = folders.places
        let suite = SettingsSuite(storage, scheduler: ManualScheduler())
        var alone = FileStorage(path: folders.path(), files: files)
        _ = try alone.read()
        let own = files.count.exchange(0, ordering: .relaxed)
        #expect(suite.value(forKey: "key") == nil)
        // Also a look at whether the suite's file is a link, and two for the right to write it.
        let layers = LayerFolders.files.count - 1
        #expect(files.count.load(ordering: .relaxed) <= own + layers + 1 + 1 + 8)
    }

    @Test("An argument of the process comes after the locks, and counts until the program sets the key")
    func arguments() throws {
        try folders.write(["locked": 1], to: LayerFolders.mandatory)
        try folders.write(["key": 2, "other": 2], to: LayerFolders.user)
        let suite = folders.suite()
        #expect(suite.value(forKey: "key") == 2)
        suite.core.adopt(arguments: ["locked": "argument", "key": "argument", "other": "argument"])
        #expect(suite.value(forKey: "locked") == 1)
        #expect(suite.value(forKey: "key") == "argument")
        #expect(suite.sources(forKey: "key").map(\.layer) == [.arguments, .user])
        let changes = Recorder<Change>()
        let (initial, observation) = suite.observe("key") { changes.note($0) }
        #expect(initial == "argument")
        suite.set(3, forKey: "key")
        #expect(suite.value(forKey: "key") == 3)
        #expect(changes.all.map(\.old) == ["argument"] && changes.all.map(\.new) == [3])
        suite.set(nil, forKey: "other")
        #expect(suite.value(forKey: "other") == nil)
        try suite.synchronize()
        withExtendedLifetime(observation) {}
    }

    @Test("Defaults of the program come last")
    func defaults() throws {
        try folders.write(["key": 1], to: LayerFolders.site)
        let suite = folders.suite()
        suite.register(["key": 2, "other": 3])
        #expect(suite.value(forKey: "key") == 1)
        #expect(suite.value(forKey: "other") == 3)
        #expect(suite.sources(forKey: "key").map(\.layer) == [.site, .registered])
    }

    @Test("Dictionaries are not merged")
    func dictionaries() throws {
        try folders.write(["window": ["width": 1]], to: LayerFolders.user)
        try folders.write(["window": ["width": 2, "height": 2]], to: LayerFolders.site)
        #expect(folders.suite().value(forKey: "window") == ["width": 1])
    }

    @Test("A set writes the user's layer only")
    func set() throws {
        try folders.write(["key": 1, "other": 1], to: LayerFolders.site)
        let suite = folders.suite()
        #expect(suite.storedValue(forKey: "key") == nil && suite.storedValues.isEmpty)
        suite.set(2, forKey: "key")
        try suite.synchronize()
        #expect(suite.value(forKey: "key") == 2)
        #expect(try folders.folder.values(at: folders.path()) == ["key": 2])
        #expect(try folders.folder.values(at: folders.path(LayerFolders.site)) == ["key": 1, "other": 1])
        suite.set(nil, forKey: "key")
        #expect(suite.value(forKey: "key") == 1)
    }

    @Test("A suite in another folder has only its own file")
    func elsewhere() throws {
        for (_, path) in LayerFolders.files { try folders.write(["key": 1], to: path) }
        let suite = folders.suite("home/app.plist")
        #expect(suite.value(forKey: "key") == nil)
        suite.set(2, forKey: "key")
        try suite.synchronize()
        #expect(suite.value(forKey: "key") == 2)
    }

    @Test("A suite in the user's home has its locks, also if $XDG_CONFIG_HOME leads elsewhere")
    func otherEnvironment() throws {
        let folders = try LayerFolders()
        try folders.write(["locked": "mandatory"], to: LayerFolders.mandatory)
        try folders.write(["locked": "user"], to: LayerFolders.user)
        try folders.write(["site": "site"], to: LayerFolders.site)
        var storage = FileStorage(path: folders.path())
        storage.layerPlaces = .test(
            root: folders.folder.path,
            userFolder: folders.path("elsewhere"),
            homeFolders: [folders.path("home/.config")]
        )
        let suite = SettingsSuite(storage, scheduler: ManualScheduler())
        #expect(suite.value(forKey: "locked") == "mandatory")
        #expect(suite.lock(ofKey: "locked") == folders.path(LayerFolders.mandatory))
        #expect(suite.value(forKey: "site") == nil)
    }

    @Test("The suite for all suites has its own layers, each file once")
    func global() throws {
        for (index, file) in LayerFolders.files.enumerated() {
            try folders.write(["key": PropertyListValue(index)], to: file.path)
        }
        let suite = folders.suite("home/.config/.GlobalPreferences.plist")
        #expect(
            suite.sources(forKey: "key").map { $0.value.number } == [3, 4, 8, 9, 10]
        )
        #expect(suite.sources(forKey: "key").map(\.layer) == [.host, .user, .site, .site, .site])
    }

    // MARK: Paths and links

    @Test(
        "Another path to a suite's file has the suite's locks",
        arguments: ["home/link.plist", "home/folder/app.plist", "dotfiles/app.plist"]
    )
    func links(_ path: String) throws {
        try folders.write(["key": 1], to: LayerFolders.mandatory)
        try folders.folder.makeFolder("dotfiles")
        switch path {
        case "home/link.plist": try folders.folder.link(path, to: folders.path())
        case "home/folder/app.plist": try folders.folder.link("home/folder", to: folders.path("home/.config"))
        default:
            try folders.write(["key": 2], to: path)
            try folders.folder.link(LayerFolders.user, to: "../../dotfiles/app.plist")
        }
        #expect(folders.suite(path).lock(ofKey: "key") == folders.path(LayerFolders.mandatory))
        #expect(folders.suite().value(forKey: "key") == 1)
    }

    @Test("A link between two suites has the locks of both")
    func linkedSuites() throws {
        try folders.write(["key": 1], to: LayerFolders.mandatory)
        try folders.write(["other": 1], to: "etc/pdefaults/mandatory/second.plist")
        try folders.folder.link("home/.config/second.plist", to: "app.plist")
        let suite = folders.suite("home/.config/second.plist")
        #expect(suite.isLocked("key") && suite.isLocked("other"))
        #expect(!folders.suite().isLocked("other"))
    }

    @Test(
        "Declarations of a package are known before the program has run, and those beside the suite come first"
    )
    func packagedDeclarations() throws {
        let package = SuiteSchema([
            "volume": SettingDeclaration(.boolean), "balance": SettingDeclaration(.boolean),
        ])
        try folders.folder.makeFolder("usr/share/pdefaults/schemas")
        try package.text.write(
            to: URL(fileURLWithPath: folders.path("usr/share/pdefaults/schemas/app.schema.json"))
        )
        #expect(try folders.suite().readSchema() == package)
        let own = SuiteSchema(["volume": SettingDeclaration(.string())])
        try own.text.write(to: URL(fileURLWithPath: folders.path("home/.config/app.schema.json")))
        let both = try folders.suite().readSchema()
        #expect(both.declarations["volume"] == own.declarations["volume"])
        #expect(both.declarations["balance"] == package.declarations["balance"])
    }

    // MARK: Bad files

    @Test(
        "An unusable file is reported once with its path and does not hide the others",
        arguments: ["broken", "folder", "pipe", "dangling link"]
    )
    func unusable(_ kind: String) throws {
        try folders.write(["key": 1], to: "usr/local/etc/app.plist")
        let path = folders.path(LayerFolders.site)
        switch kind {
        case "broken": try folders.folder.write("broken", to: LayerFolders.site)
        case "folder": try folders.folder.makeFolder(LayerFolders.site)
        case "pipe": mkfifo(path, 0o644)
        default: try folders.folder.link(LayerFolders.site, to: "nowhere")
        }
        let suite = folders.suite()
        let failures = Recorder<SettingsError>()
        let observation = suite.observe { if case .failed(let error) = $0 { failures.note(error) } }
        #expect(suite.value(forKey: "key") == 1)
        suite.refresh()
        // A link without a target is a missing file, as in the user's folder.
        let isMissing = kind == "dangling link"
        #expect(suite.layerProblems.map(\.location) == (isMissing ? [] : [path]))
        #expect(suite.layerProblems.allSatisfy { $0.layer == .site && !$0.keepsLastValues })
        #expect(failures.all.count <= 1)
        try folders.folder.remove(LayerFolders.site)
        try folders.write(["key": 2], to: LayerFolders.site)
        suite.refresh()
        #expect(suite.value(forKey: "key") == 2)
        #expect(suite.layerProblems.isEmpty)
        withExtendedLifetime(observation) {}
    }

    @Test("A mandatory file that becomes unreadable keeps its locks while the process lives")
    func unreadableLock() throws {
        try folders.write(["key": 1], to: LayerFolders.mandatory)
        let suite = folders.suite()
        let failures = Recorder<SettingsError>()
        let observation = suite.observe { if case .failed(let error) = $0 { failures.note(error) } }
        #expect(suite.isLocked("key"))
        try folders.folder.write("broken", to: LayerFolders.mandatory)
        // A file that seems to be half-written is read again a moment later.
        #expect(
            eventually {
                suite.refresh()
                return suite.layerProblems.map(\.keepsLastValues) == [true]
            }
        )
        suite.refresh()
        #expect(suite.isLocked("key") && suite.value(forKey: "key") == 1)
        #expect(failures.all == suite.layerProblems.map { .unusableLayer($0) })
        #expect(!folders.suite().isLocked("key"))
        try folders.write(["other": 1], to: LayerFolders.mandatory)
        suite.refresh()
        #expect(!suite.isLocked("key") && suite.isLocked("other"))
        withExtendedLifetime(observation) {}
    }

    // MARK: Trust

    @Test(
        "A mandatory file counts only if nobody but root can change it or what leads to it",
        arguments: ["etc", "etc/pdefaults", "etc/pdefaults/mandatory", LayerFolders.mandatory]
    )
    func trust(_ place: String) throws {
        try folders.write(["key": 1], to: LayerFolders.mandatory)
        for mode: mode_t in [0o775, 0o757, 0o1777] {
            chmod(folders.path(place), mode)
            let suite = folders.suite()
            #expect(!suite.isLocked("key"))
            #expect(suite.layerProblems.map(\.location) == [folders.path(LayerFolders.mandatory)])
            #expect(suite.layerProblems.first?.reason.contains(folders.path(place)) == true)
        }
        chmod(folders.path(place), 0o755)
        #expect(folders.suite().isLocked("key"))
        guard geteuid() == 0 else { return }
        chown(folders.path(place), 4711, 0)
        #expect(!folders.suite().isLocked("key"))
    }

    @Test("A link to a mandatory file counts only if every step of it is trusted")
    func trustedLink() throws {
        try folders.folder.makeFolder("etc/safe")
        try folders.folder.makeFolder("etc/unsafe")
        chmod(folders.path("etc/unsafe"), 0o777)
        try folders.write(["key": 1], to: "etc/safe/file.plist")
        try folders.folder.link(LayerFolders.mandatory, to: "../../safe/file.plist")
        #expect(folders.suite().isLocked("key"))
        try folders.folder.remove(LayerFolders.mandatory)
        try folders.folder.link("etc/unsafe/step", to: folders.path("etc/safe/file.plist"))
        try folders.folder.link(LayerFolders.mandatory, to: folders.path("etc/unsafe/step"))
        let suite = folders.suite()
        #expect(!suite.isLocked("key"))
        #expect(suite.layerProblems.first?.reason.contains("etc/unsafe") == true)
    }

    @Test("The environment does not move the mandatory files")
    func environment() {
        let places = LayerPlaces.current
        #expect(places.mandatoryFolder == "/etc/pdefaults/mandatory")
        #expect(places.siteFolders.last == "/usr/local/etc")
    }
}
