import Foundation
import PDefaults
import ProgramHarness
import SettingsStore
import Testing

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

    @Test("A lock shows in the interface of UserDefaults")
    func forced() throws {
        let layers = try Layers([.mandatory: ["volume": 7], .user: ["volume": 1]])
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

    // MARK: Equal values

    @Test(
        "The current layer is right if another one gives an equal value, and nothing is published",
        arguments: [PDefaultsBehavior.didSet, .willSet]
    )
    func equalValues(_ behavior: PDefaultsBehavior) async throws {
        let layers = try Layers([.site: ["volume": 1]])
        @PDefaults("volume", suite: layers.suite, behavior: behavior) var volume = 0
        let updates = Record<String>()
        let subscription = _volume.onUpdate { updates.add("\($0.value) \($0.layer)") }
        for layer in [SettingsLayer.global, .user, .host, .mandatory] {
            try layers.write(["volume": 1], to: layer)
            #expect(await _volume.hasLayer(layer))
        }
        for (layer, next) in [
            (SettingsLayer.host, SettingsLayer.mandatory), (.mandatory, .user), (.user, .global),
        ] {
            try layers.write(nil, to: layer)
            #expect(await _volume.hasLayer(next))
        }
        // The program's own set is published even if the value is equal.
        volume = 1
        #expect(_volume.current.layer == .user)
        _volume.reset()
        #expect(_volume.current.layer == .global && _volume.current.state == .stored)
        try layers.write(["volume": 2], to: .global)
        await updates.wait { $0.last == "2 global" }
        #expect(updates.entries == ["1 site", "1 user", "1 global", "2 global"])
        withExtendedLifetime(subscription) {}
    }

    // MARK: Problems

    @Test("A broken file for all programs is reported once, however many suites read it")
    func brokenGlobalFile() async throws {
        // This makes the folder.
        let layers = try Layers([.user: ["volume": 1]])
        try layers.folder.write("broken", to: "home/.GlobalPreferences.plist")
        let errors = PDefaultsConfiguration.errors
        let suites = ["one", "two", "three"].map { name in
            var storage = FileStorage(path: layers.folder.file("home/\(name).plist"))
            storage.layerPlaces = layers.places
            return SettingsSuite(storage)
        }
        for suite in suites { #expect(suite.integer(forKey: "volume") == 0) }
        // The end of the reports that are to be counted.
        suites[2].set(NSObject() as Any?, forKey: "volume")
        var reports = 0
        for await error in errors where suites.contains(where: { $0.location == error.location }) {
            if error.key != nil { break }
            #expect(error.reason.contains("home/.GlobalPreferences.plist"))
            reports += 1
        }
        #expect(reports == 1)
        #expect(suites.allSatisfy { $0.layerProblems.count == 1 })
    }
}

extension PDefaults {
    /// Whether the value comes from the layer, now or soon.
    fileprivate func hasLayer(_ layer: SettingsLayer) async -> Bool {
        let deadline = ContinuousClock.now + waitLimit
        while current.layer != layer, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(5))
        }
        return current.layer == layer
    }
}
