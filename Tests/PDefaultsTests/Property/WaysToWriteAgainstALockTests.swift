import Foundation
import PDefaults
import ProgramHarness
import SettingsStore
import Testing

// The ways of properties, and of the interface of UserDefaults, to write a locked key. SettingsStoreTests says which
// modules have such a table.

private final class Counter: ObservableObject, Codable {
    @Published var count = 0
}

private enum Level: Int {
    case low = 1
    case high = 2
}

/// A way to write 2 to the key `volume`, which is locked with the value 7. The user's own value of it is 1, and 2 is
/// stored under the key `old`.
struct WayToWrite: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Whether the refusal is reported. Otherwise it is thrown or returned, or the write is tried again later.
    let isReported: Bool
    /// Returns the error that is thrown or returned.
    let write: @Sendable (SettingsSuite) throws -> PDefaultsError?

    init(_ name: String, reported write: @escaping @Sendable (SettingsSuite) -> Void) {
        testDescription = name
        isReported = true
        self.write = {
            write($0)
            return nil
        }
    }

    init(_ name: String, _ write: @escaping @Sendable (SettingsSuite) throws -> PDefaultsError?) {
        testDescription = name
        isReported = false
        self.write = write
    }

    static let all = [
        WayToWrite(
            "assignment",
            reported: { suite in
                @PDefaults("volume", suite: suite) var volume = 0
                volume = 2
            }
        ),
        WayToWrite(
            "change in place",
            reported: { suite in
                @PDefaults("volume", suite: suite) var volume = 0
                volume -= 5
            }
        ),
        WayToWrite(
            "assignment to an optional",
            reported: { suite in
                @PDefaults("volume", suite: suite) var volume: Int?
                volume = 2
            }
        ),
        WayToWrite(
            "assignment of a value with another type",
            reported: { suite in
                @PDefaults("volume", suite: suite) var volume = Level.low
                volume = .high
            }
        ),
        WayToWrite(
            "assignment with .willSet",
            reported: { suite in
                @PDefaults("volume", suite: suite, behavior: .willSet) var volume = 0
                volume = 2
            }
        ),
        WayToWrite(
            "assignment to a property that does not follow others",
            reported: { suite in
                @PDefaults("volume", suite: suite, followsOthers: false) var volume = 0
                volume = 2
            }
        ),
        WayToWrite(
            "change of an object",
            reported: { suite in
                @PDefaults("volume", suite: suite) var counter = Counter()
                counter.count += 1
            }
        ),
        WayToWrite("set") { suite in
            @PDefaults("volume", suite: suite) var volume = 0
            return #expect(throws: PDefaultsError.self) { try _volume.set(2) }
        },
        WayToWrite("migration") { suite in
            @PDefaults("old", suite: suite) var old = 0
            @PDefaults("volume", suite: suite) var volume = 0
            guard case .failed(let error as PDefaultsError) = _old.migrate(to: _volume) else { return nil }
            return error
        },
        WayToWrite("migration from another suite") { suite in
            let other = SettingsSuite.inMemory(["old": 2])
            @PDefaults("old", suite: other) var old = 0
            @PDefaults("volume", suite: suite) var volume = 0
            guard case .failed(let error as PDefaultsError) = _old.migrate(to: _volume) else { return nil }
            #expect(other.storedValues == ["old": 2])
            return error
        },
        WayToWrite("migration with a conversion") { suite in
            @PDefaults("old", suite: suite) var old = 0
            @PDefaults("volume", suite: suite) var volume = ""
            guard case .failed(let error as PDefaultsError) = _old.migrate(to: _volume, { "\($0)" })
            else { return nil }
            return error
        },
        WayToWrite("set of a property list", reported: { $0.set(2 as PropertyListValue, forKey: "volume") }),
        WayToWrite("set of several", reported: { $0.set(["volume": 2, "free": 2]) }),
        WayToWrite("set of any object", reported: { $0.set(2 as Any?, forKey: "volume") }),
        WayToWrite("set of a raw value", reported: { $0.set(Level.high, forKey: "volume") }),
        WayToWrite("set of an encoded value", reported: { $0.set(encoding: 2, forKey: "volume") }),
    ]
}

@Suite("No property sets a locked key", .timeLimit(.minutes(60)))
struct WaysToWriteAgainstALockTests {
    @Test("is refused with the path of the file, and changes nothing", arguments: WayToWrite.all)
    func refused(_ way: WayToWrite) async throws {
        let layers = try Layers([.mandatory: ["volume": 7], .user: ["volume": 1, "old": 2]])
        let errors = PDefaultsConfiguration.errors
        var error = try way.write(layers.suite)
        if way.isReported {
            for await reported in errors where reported.location == layers.suite.location {
                error = reported
                if reported.key == "volume", case .locked = reported.problem { break }
            }
        }
        #expect(error?.problem == .locked(by: layers.path(of: .mandatory)))
        #expect(error?.key == "volume")
        try layers.suite.synchronize()
        @PDefaults("volume", suite: layers.suite) var volume = 0
        #expect(volume == 7)
        #expect(try layers.values(of: .user) == ["volume": 1, "old": 2])
    }

    @Test("After a change of a locked object, the property shows the locked value in a new object")
    func object() throws {
        let locked = PropertyListValue.data(Data(#"{"count":7}"#.utf8))
        let layers = try Layers([.mandatory: ["counter": locked], .user: [:]])
        @PDefaults("counter", suite: layers.suite) var counter = Counter()
        let object = counter
        #expect(object.count == 7)
        object.count += 1
        #expect(counter !== object && counter.count == 7)
        counter.count += 1
        #expect(counter.count == 7)
        try layers.suite.synchronize()
        #expect(try layers.values(of: .user) == [:])
    }
}
