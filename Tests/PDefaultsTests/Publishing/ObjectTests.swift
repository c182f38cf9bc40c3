import Foundation
import Observation
import PDefaults
import Testing

@Suite("Objects with @Published members", .timeLimit(.minutes(60)))
struct ObjectTests {
    let suite = SettingsSuite.inMemory()

    private func stored(_ key: String = "player") -> String? {
        guard case .data(let json) = suite.storedValue(forKey: key) else { return nil }
        return String(decoding: json, as: UTF8.self)
    }

    @Test("An object is stored as JSON and read again")
    func wholeObjects() {
        @PDefaults("player", suite: suite) var player = Player()
        let other = Player()
        other.name = "Blue"
        player = other
        #expect(stored() == #"{"name":"Blue","score":0}"#)
        @PDefaults("player", suite: suite) var again = Player()
        #expect(again.name == "Blue" && again !== player)
    }

    @Test(
        "A member's new value is stored when the set returns",
        arguments: [PDefaultsBehavior.didSet, .willSet]
    )
    func members(_ behavior: PDefaultsBehavior) {
        @PDefaults("player", suite: suite, behavior: behavior) var player = Player()
        @PDefaults("player", suite: suite) var other = Player()
        let object = player
        object.name = "Blue"
        #expect(stored() == #"{"name":"Blue","score":0}"#)
        #expect(player === object)
        object.score += 1
        object.score += 1
        #expect(stored() == #"{"name":"Blue","score":2}"#)
        #expect(other.name == "Blue" && other.score == 2)
        #expect(_player.current.state == .stored)
    }

    @Test("Members of a superclass and members of a new object are stored too")
    func allObjects() {
        @PDefaults("player", suite: suite) var player: Captain? = nil
        let first = Captain()
        player = first
        first.name = "Blue"
        first.team = "A"
        #expect(stored() == #"{"name":"Blue","score":0,"team":"A"}"#)
        suite.set(.data(Data(#"{"name":"Green","score":1,"team":"B"}"#.utf8)), forKey: "player")
        player?.score = 5
        #expect(stored() == #"{"name":"Green","score":5,"team":"B"}"#)
        // No property shows this object any more.
        first.name = "Yellow"
        #expect(stored() == #"{"name":"Green","score":5,"team":"B"}"#)
        player = nil
        #expect(suite.storedValues.isEmpty)
    }

    @Test("If a sink sets another member, both are stored")
    func settingInSink() {
        @PDefaults("player", suite: suite) var player = Player()
        let object = player
        let subscription = object.$name.dropFirst().sink { [weak object] in object?.score = $0.count }
        object.name = "Blue"
        #expect(stored() == #"{"name":"Blue","score":4}"#)
        withExtendedLifetime(subscription) {}
    }

    @MainActor
    @Test(
        "With didSet, sinks receive an object after its members have their values, once for several members"
    )
    func didSet() async {
        @PDefaults("player", suite: suite) var player = Player()
        let record = Record<String>()
        let subscription = $player.sink { record.add("\($0.name) \($0.score)") }
        player.name = "Blue"
        player.score = 3
        #expect(record.entries == ["Red 0"])
        await record.wait { $0.count == 2 }
        player.score = 4
        await record.wait { $0.last == "Blue 4" }
        #expect(record.entries == ["Red 0", "Blue 3", "Blue 4"])
        withExtendedLifetime(subscription) {}
    }

    @Test(
        "With didSet, a sink off the main thread receives an object on another thread, after its member has its value"
    )
    func didSetElsewhere() async {
        @PDefaults("player", suite: suite) var player = Player()
        let record = Record<String>()
        let subscription = $player.sink { record.add("\($0.score) \(Thread.isMainThread)") }
        // Delays the thread that sets, before the member has its value.
        let slow = player.$score.sink { _ in usleep(500) }
        for score in 1...20 {
            player.score = score
            await record.wait { $0.last == "\(score) false" }
        }
        #expect(Set(record.entries).count == 21)
        withExtendedLifetime((subscription, slow)) {}
    }

    @Test("With willSet, sinks receive an object before its member has its value, as with objectWillChange")
    func willSet() {
        @PDefaults("player", suite: suite, behavior: .willSet) var player = Player()
        let record = Record<String>()
        let subscription = $player.sink { record.add($0.name) }
        player.name = "Blue"
        player.name = "Green"
        #expect(record.entries == ["Red", "Red", "Blue"])
        withExtendedLifetime(subscription) {}
    }

    @Test(
        "After a reset, a default object that has changed is the declared default again",
        arguments: [true, false]
    )
    func reset(_ isRegistered: Bool) {
        @PDefaults("player", suite: suite, register: isRegistered) var player = Player()
        let mine = player
        player.name = "Blue"
        _player.reset()
        #expect(player.name == "Red" && player !== mine)
        #expect(suite.storedValues.isEmpty)
    }

    @Test("An optional member keeps its value while other members are set, and nil is stored as null")
    func optionalMember() {
        @PDefaults("profile", suite: suite) var profile = Profile()
        profile.age = 2
        #expect(stored("profile") == #"{"age":2,"nickname":"Pitty"}"#)
        profile.nickname = nil
        #expect(stored("profile") == #"{"age":2,"nickname":null}"#)
        profile.nickname = "Pete"
        profile.age = 3
        #expect(stored("profile") == #"{"age":3,"nickname":"Pete"}"#)
    }

    @Test("A member that can't be encoded leaves the stored value unchanged")
    func unencodable() {
        @PDefaults("gauge", suite: suite) var gauge = Gauge()
        gauge.level = 2
        gauge.level = .nan
        #expect(stored("gauge") == #"{"level":2}"#)
    }

    @Test("A mocked property's object is not stored")
    func mocked() {
        @PDefaults("player", suite: suite) var player = Player()
        _player.mock = true
        player.name = "Blue"
        #expect(suite.storedValues.isEmpty)
        #expect(player.name == "Blue")
    }

    @Test("A task with mocks has its own object")
    func taskLocal() {
        let player = PDefaults(wrappedValue: Player(), "player", suite: suite)
        let object = player.wrappedValue
        PDefaultsConfiguration.withMock {
            #expect(player.wrappedValue !== object)
            player.wrappedValue.name = "Blue"
        }
        #expect(player.wrappedValue.name == "Red")
        #expect(suite.storedValues.isEmpty)
    }

    @Test("Without a key, members are published and not stored")
    func inMemory() {
        @PDefaults(behavior: .willSet) var player = Player()
        let record = Record<String>()
        let subscription = $player.sink { record.add($0.name) }
        player.name = "Blue"
        #expect(record.entries == ["Red", "Red"])
        withExtendedLifetime(subscription) {}
    }

    @Test("The Observation framework is notified of a member")
    func observation() {
        @PDefaults("player", suite: suite) var player = Player()
        let record = Record<Int>()
        withObservationTracking {
            _ = player.name
        } onChange: {
            record.add(1)
        }
        player.name = "Blue"
        #expect(record.entries == [1])
    }

    @Test("A released property stores nothing more")
    func gone() {
        let object = Player()
        do {
            let player = PDefaults(wrappedValue: object, "player", suite: suite)
            #expect(player.wrappedValue === object)
        }
        object.name = "Blue"
        #expect(suite.storedValues.isEmpty)
    }
}

private class Player: ObservableObject, Codable {
    @Published var name = "Red"
    @Published var score = 0

    init() {}
}

private final class Captain: Player {
    @Published var team = ""

    private enum Key: CodingKey { case team }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        team = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .team)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(_team, forKey: .team)
    }
}

private final class Gauge: ObservableObject, Codable {
    @Published var level = 0.0
}

private final class Profile: ObservableObject, Codable {
    @Published var nickname: String? = "Pitty"
    @Published var age = 1
}
