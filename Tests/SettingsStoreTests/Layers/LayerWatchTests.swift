import Foundation
import Glibc
import ProgramHarness
import PropertyList
import SettingsStoreTesting
import Testing

@testable import SettingsStore

@Suite("Changes of every layer are published as they happen")
struct LayerWatchTests {
    let folders: LayerFolders
    let changes = Recorder<Change>()

    init() throws { folders = try LayerFolders() }

    /// Waits for the next change of `key`.
    private func expect(_ number: Int, _ value: PropertyListValue?, _ layer: SettingsLayer) {
        #expect(eventually { changes.all.count >= number }, "\(number)")
        #expect(changes.all.count == number && changes.all.last?.new == value, "\(changes.all)")
        #expect(changes.all.last?.layer == layer)
    }

    @Test("A file is made, replaced, written in place and removed", arguments: LayerFolders.files.map(\.path))
    func life(_ path: String) throws {
        let layer = try #require(LayerFolders.files.first { $0.path == path }).layer
        let suite = folders.suite(scheduler: LiveWorkScheduler())
        let (initial, observation) = suite.observe("key") { changes.note($0) }
        #expect(initial == nil)
        try folders.write(["key": 1], to: path)
        expect(1, 1, layer)
        try folders.write(["key": 2], to: path)
        expect(2, 2, layer)
        try folders.folder.write(["key": 3], to: folders.path(path))
        expect(3, 3, layer)
        #expect(suite.value(forKey: "key") == 3)
        try folders.folder.remove(path)
        expect(4, nil, layer)
        withExtendedLifetime(observation) {}
    }

    @Test("A file in a folder that did not exist is found", arguments: ["etc/pdefaults", "etc/xdg", "usr"])
    func newFolder(_ top: String) throws {
        let file = try #require(LayerFolders.files.first { $0.path.hasPrefix(top) })
        try folders.folder.remove(top)
        let suite = folders.suite(scheduler: LiveWorkScheduler())
        let observation = suite.observe("key") { changes.note($0) }.observation
        try folders.folder.makeFolder(splitFolder(file.path))
        try folders.write(["key": 1], to: file.path)
        expect(1, 1, file.layer)
        withExtendedLifetime(observation) {}
    }

    @Test("Nothing more is waiting for an observer of all keys after the last change")
    func lastChange() throws {
        try folders.write(["other": 1], to: LayerFolders.site)
        try folders.write(["key": 0], to: LayerFolders.user)
        let suite = folders.suite(scheduler: LiveWorkScheduler())
        let isLast = Recorder<Bool>()
        let observation = suite.observe { [suite] event in
            if case .change = event { isLast.note(!suite.hasMoreToTell) }
        }
        try folders.write(["key": 1], to: LayerFolders.user)
        #expect(eventually { isLast.all == [true] })
        suite.set(2, forKey: "key")
        #expect(isLast.all == [true, true])
        observation.cancel()
    }

    @Test("A hidden change is not published, and a removal publishes the value underneath")
    func hidden() throws {
        try folders.write(["key": 1], to: LayerFolders.user)
        let suite = folders.suite(scheduler: LiveWorkScheduler())
        let events = Recorder<String>()
        let all = suite.observe { event in
            switch event {
            case .layersChanged: events.note("layers")
            case .change(let change): events.note("\(change.key)")
            case .failed, .status: break
            }
        }
        let observation = suite.observe("key") { changes.note($0) }.observation
        try folders.write(["key": 2], to: LayerFolders.site)
        #expect(eventually { events.all == ["layers"] })
        #expect(changes.all.isEmpty)
        suite.set(nil, forKey: "key")
        expect(1, 2, .site)
        #expect(events.all == ["layers", "key"])
        withExtendedLifetime((all, observation)) {}
    }

    @Test("An equal value of another layer is not published, and the sources name it")
    func equalValue() throws {
        try folders.write(["key": 1], to: LayerFolders.user)
        let suite = folders.suite()
        let observation = suite.observe("key") { changes.note($0) }.observation
        let moves = Recorder<Change>()
        let lazy = suite.observeLazily("key") { moves.note($0) }.observation
        try folders.write(["key": 1], to: LayerFolders.mandatory)
        suite.refresh()
        #expect(changes.all.isEmpty)
        #expect(suite.sources(forKey: "key").map(\.layer) == [.mandatory, .user])
        #expect(moves.all.map(\.layer) == [.mandatory] && moves.all.allSatisfy(\.isOnlyOfLayer))
        try folders.write(["key": 2], to: LayerFolders.mandatory)
        suite.refresh()
        expect(1, 2, .mandatory)
        #expect(changes.all.map(\.sequence) == [1])
        withExtendedLifetime((observation, lazy)) {}
    }

    @Test("Declarations of a package are watched, also if no package has brought any before")
    func packagedDeclarations() throws {
        let suite = folders.suite()
        let notes = Recorder<SuiteSchema>()
        let watch = try #require(suite.schemaPlace).watch {
            notes.note((try? suite.readSchema()) ?? SuiteSchema())
        }
        func expect(_ keys: [String]) {
            #expect(eventually { notes.all.last?.declarations.keys.sorted() == keys }, "\(keys)")
        }
        let name = "usr/share/pdefaults/schemas/app.schema.json"
        try folders.folder.makeFolder(splitFolder(name))
        for keys in [["volume"], ["balance", "volume"]] {
            let declarations = keys.map { ($0, SettingDeclaration(.boolean)) }
            let schema = SuiteSchema(Dictionary(uniqueKeysWithValues: declarations))
            try schema.text.write(to: URL(fileURLWithPath: folders.path(name)), options: .atomic)
            expect(keys)
        }
        try folders.folder.remove(name)
        expect([])
        withExtendedLifetime(watch) {}
    }

    @Test("A set that a higher layer hides is reported with the value that shows")
    func hiddenSet() throws {
        try folders.write(["key": 1], to: "home/.config/ByHost/app..plist")
        let suite = folders.suite()
        let observation = suite.observe("key") { changes.note($0) }.observation
        suite.set(2, forKey: "key")
        expect(1, 1, .host)
        try suite.synchronize()
        #expect(suite.value(forKey: "key") == 1 && suite.storedValue(forKey: "key") == 2)
        withExtendedLifetime(observation) {}
    }

    @Test("A set of an argument's key publishes the new value, and a lock over it the lock's")
    func argument() throws {
        let suite = folders.suite(scheduler: LiveWorkScheduler())
        #expect(suite.value(forKey: "key") == nil)
        suite.core.adopt(arguments: ["key": "argument"])
        let (initial, observation) = suite.observe("key") { changes.note($0) }
        #expect(initial == "argument")
        try folders.write(["key": 1], to: LayerFolders.user)
        try folders.write(["key": 2], to: LayerFolders.mandatory)
        expect(1, 2, .mandatory)
        try folders.folder.remove(LayerFolders.mandatory)
        expect(2, "argument", .arguments)
        suite.set(3, forKey: "key")
        expect(3, 3, .user)
        withExtendedLifetime(observation) {}
    }

    @Test("A suite that is not watched finds changes when it is synchronized")
    func unwatched() throws {
        let suite = folders.suite()
        #expect(suite.value(forKey: "key") == nil)
        try folders.write(["key": 1], to: LayerFolders.site)
        try suite.synchronize()
        #expect(suite.value(forKey: "key") == 1)
    }
}
