import Foundation
import PDefaults
import ProgramHarness
import SettingsStore
import Testing

/// The layers of the suite `app`, in a root of their own.
private struct Layers {
    let folder: TemporaryFolder
    private let places: LayerPlaces
    /// Its work is done on threads of the store.
    let suite: SettingsSuite

    static let paths: [SettingsLayer: String] = [
        .mandatory: "etc/pdefaults/mandatory/app.plist", .host: "home/ByHost/app..plist",
        .user: "home/app.plist", .global: "home/.GlobalPreferences.plist", .site: "etc/xdg/app.plist",
        .siteGlobal: "usr/local/etc/.GlobalPreferences.plist",
    ]

    init(_ values: [SettingsLayer: [String: PropertyListValue]] = [:]) throws {
        folder = try TemporaryFolder()
        places = .test(root: folder.path, userFolder: folder.file("home"))
        for (layer, values) in values { try Self.write(values, to: layer, in: folder) }
        var storage = FileStorage(path: folder.file("home/app.plist"))
        storage.layerPlaces = places
        suite = SettingsSuite(storage)
    }

    func write(_ values: [String: PropertyListValue]?, to layer: SettingsLayer) throws {
        try Self.write(values, to: layer, in: folder)
    }

    func path(of layer: SettingsLayer) -> String { folder.file(Self.paths[layer] ?? "") }

    /// Replaces the file, or removes it.
    private static func write(
        _ values: [String: PropertyListValue]?,
        to layer: SettingsLayer,
        in folder: TemporaryFolder
    ) throws {
        let url = URL(fileURLWithPath: folder.file(paths[layer] ?? ""))
        guard let values else { return try FileManager.default.removeItem(at: url) }
        let bytes = try PropertyListValue.dictionary(values).encoded(as: .xml)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url, options: .atomic)
        chmod(url.path, 0o644)
    }

    func values(of layer: SettingsLayer) throws -> [String: PropertyListValue] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path(of: layer)))
        return [String: PropertyListValue](try PropertyListDocument.read(Array(bytes)).values)
    }
}

@Suite("A property shows the value of the highest layer")
struct LayerTests {
    @Test(
        "Each layer counts, and the property names it",
        arguments: [
            SettingsLayer.mandatory, .host, .user, .global, .site, .siteGlobal,
        ]
    )
    func layer(_ layer: SettingsLayer) throws {
        let layers = try Layers([layer: ["volume": 7]])
        @PDefaults("volume", suite: layers.suite) var volume = 1
        #expect(volume == 7)
        #expect(_volume.current.layer == layer)
        #expect(_volume.current.state == .stored)
    }

    @Test("Without a value in any layer, a property shows its own default")
    func ownDefault() throws {
        let layers = try Layers([.site: ["other": 7]])
        @PDefaults("volume", suite: layers.suite) var first = 1
        @PDefaults("volume", suite: layers.suite) var second = 2
        #expect(first == 1 && second == 2)
        #expect(_second.current.layer == .declared)
        layers.suite.register(["balance": 3])
        @PDefaults("balance", suite: layers.suite) var balance = 0
        #expect(balance == 3 && _balance.current.layer == .registered)
    }

    @Test("A change of any layer is published with the layer, if it shows")
    func published() async throws {
        let layers = try Layers([.site: ["volume": 1]])
        @PDefaults("volume", suite: layers.suite) var volume = 0
        let updates = Record<String>()
        let subscription = _volume.onUpdate { updates.add("\($0.value) \($0.layer) \($0.origin)") }
        try layers.write(["volume": 2], to: .siteGlobal)
        try layers.write(["volume": 3], to: .global)
        await updates.wait { $0.count == 2 }
        volume = 4
        try layers.write(["volume": 5], to: .mandatory)
        await updates.wait { $0.count == 4 }
        try layers.write(nil, to: .mandatory)
        await updates.wait { $0.count == 5 }
        _volume.reset()
        await updates.wait { $0.count == 6 }
        #expect(
            updates.entries == [
                "1 site initial", "3 global otherProcess", "4 user thisProperty", "5 mandatory otherProcess",
                "4 user otherProcess", "3 global reset",
            ]
        )
        #expect(volume == 3)
        withExtendedLifetime(subscription) {}
    }

    @Test("A set below the host's value is stored and does not show")
    func hiddenSet() throws {
        let layers = try Layers([.host: ["volume": 1]])
        @PDefaults("volume", suite: layers.suite) var volume = 0
        volume = 5
        #expect(volume == 1 && _volume.current.layer == .host)
        try layers.suite.synchronize()
        #expect(try layers.values(of: .user) == ["volume": 5])
    }

    @Test("A value that can't be read names the file of its layer")
    func undecodable() throws {
        let layers = try Layers([.site: ["volume": "loud"]])
        @PDefaults("volume", suite: layers.suite) var volume = 1
        let error = #expect(throws: PDefaultsError.self) { try _volume.get() }
        #expect(error?.location == layers.path(of: .site))
        #expect(volume == 1 && _volume.current.layer == .declared)
    }

    // MARK: Locks

    /// The error of each way to change a locked property.
    @Test("A locked property can't be set, and reports the same error as it throws")
    func locked() async throws {
        let layers = try Layers([.mandatory: ["volume": 7], .user: ["volume": 1]])
        @PDefaults("volume", suite: layers.suite) var volume = 0
        let lock = layers.path(of: .mandatory)
        let errors = PDefaultsConfiguration.errors
        let thrown = #expect(throws: PDefaultsError.self) { try _volume.set(2) }
        #expect(thrown?.problem == .locked(by: lock))
        volume = 2
        layers.suite.set(2 as Int, forKey: "volume")
        layers.suite.set(encoding: 2, forKey: "volume")
        var reported: [PDefaultsError] = []
        for await error in errors where error.location == layers.suite.location {
            reported.append(error)
            if reported.count == 3 { break }
        }
        #expect(reported.allSatisfy { $0 == thrown })
        #expect(volume == 7)
        try layers.suite.synchronize()
        #expect(try layers.values(of: .user) == ["volume": 1])
        #expect(layers.suite.objectIsForced(forKey: "volume"))
        #expect(!layers.suite.objectIsForced(forKey: "balance"))
        #expect(layers.suite.integer(forKey: "volume") == 7)
        #expect(layers.suite.dictionaryRepresentation()["volume"] as? Int == 7)
    }

    @Test("A reset removes the user's hidden value, and the lock still shows")
    func reset() throws {
        let layers = try Layers([.mandatory: ["volume": 7], .user: ["volume": 1]])
        @PDefaults("volume", suite: layers.suite) var volume = 0
        _volume.reset()
        #expect(volume == 7 && _volume.current.layer == .mandatory)
        try layers.suite.synchronize()
        #expect(layers.suite.storedValue(forKey: "volume") == nil)
    }

    @Test("An optional that is set to nil shows the value underneath")
    func optional() throws {
        let layers = try Layers([.site: ["volume": 7]])
        @PDefaults("volume", suite: layers.suite) var volume: Int?
        volume = 1
        volume = nil
        #expect(volume == 7)
    }

    @Test("A value is not migrated to or from a locked setting", arguments: ["old", "new"])
    func migration(_ lockedKey: String) throws {
        let layers = try Layers([.mandatory: [lockedKey: 7], .user: ["old": 1]])
        @PDefaults("old", suite: layers.suite) var old = 0
        @PDefaults("new", suite: layers.suite) var new = 0
        guard case .failed(let error as PDefaultsError) = _old.migrate(to: _new) else {
            Issue.record("migrated")
            return
        }
        #expect(error.problem == .locked(by: layers.path(of: .mandatory)))
        try layers.suite.synchronize()
        #expect(try layers.values(of: .user) == ["old": 1])
    }

    @Test("The value of an old key stays while either key is locked", arguments: ["old", "new"])
    func formerly(_ lockedKey: String) throws {
        let layers = try Layers([.mandatory: [lockedKey: 7], .user: ["old": 1]])
        @PDefaults("new", .formerly("old"), suite: layers.suite) var new = 0
        #expect(new == (lockedKey == "new" ? 7 : 0))
        try layers.suite.synchronize()
        #expect(try layers.values(of: .user) == ["old": 1])
    }

    @Test("The value of an old key comes before the site's value of the new one")
    func formerlyAboveSite() throws {
        let layers = try Layers([.site: ["new": 7], .user: ["old": 1]])
        @PDefaults("new", .formerly("old"), suite: layers.suite) var new = 0
        #expect(new == 1)
        try layers.suite.synchronize()
        #expect(try layers.values(of: .user) == ["new": 1])
    }
}
