import Foundation
import Observation
import PDefaults

// The places where people put properties.

let shapes = [
    Program(
        "a member of a class",
        prints: """
            Pitt, and the property Pitt
            François, and the property François
            Hubert, and the property Hubert
            """
    ) {
        final class Account {
            @PDefaults("user.name") var name = "Pitt"
            private var subscriptions: Set<AnyCancellable> = []

            init() {
                $name.sink { [unowned self] in print("\($0), and the property \(name)") }
                    .store(in: &subscriptions)
            }

            func rename() { name = "Hubert" }
        }
        let account = Account()
        account.name = "François"
        account.rename()
    },
    Program("a member of a structure", prints: "4 4 Blue") {
        struct Game {
            @PDefaults("players") var playerCount = 3
            @PDefaults("player") var playerName = "Red"
        }
        let game = Game()
        game.playerCount += 1
        game.playerName = "Blue"
        let copy = game
        print(game.playerCount, copy.playerCount, Game().playerName)
    },
    Program("a structure that is made with another default", prints: "7 8") {
        struct Game {
            @PDefaults("players", register: false) var playerCount = 3
        }
        let game = Game(playerCount: 7)
        print(game.playerCount, terminator: " ")
        game.playerCount = 8
        print(Game().playerCount)
    },
    Program(
        "a member of an actor",
        prints: """
            1 2
            2
            3
            """
    ) {
        actor Counter {
            @PDefaults("count") private(set) var count = 0

            func increment() -> Int {
                count += 1
                return count
            }

            func values() -> PDefaultsValues<Int> { _count.values }
        }
        let counter = Counter()
        print(await counter.increment(), await counter.increment())
        for await count in await counter.values() {
            print(count)
            if count == 3 { break }
            _ = await counter.increment()
        }
    },
    Program(
        "a member of a main-actor type",
        prints: #"["A", "light over light", "B", "dark over light"]"#
    ) {
        @MainActor final class Model {
            @PDefaults("title") var title = "A"
            @PDefaults("theme", behavior: .willSet) var theme = "light"
            private(set) var log: [String] = []
            private var subscriptions: Set<AnyCancellable> = []

            init() {
                $title.sink { [unowned self] in log.append($0) }.store(in: &subscriptions)
                $theme.sink { [unowned self] in log.append("\($0) over \(theme)") }
                    .store(in: &subscriptions)
            }
        }
        let model = Model()
        model.title = "B"
        model.theme = "dark"
        print(model.log)
    },
    Program("a member of an observable class", prints: "volume will change\n6") {
        let model = ObservableModel()
        withObservationTracking {
            _ = model.volume
        } onChange: {
            print("volume will change")
        }
        model.volume = 6
        print(model.volume)
    },
    Program("a protocol requirement with its publisher beside it", prints: "Pitt\nFrançois") {
        let service: any NameService = Service()
        let subscription = service.namePublisher.sink { print($0) }
        service.name = "François"
        subscription.cancel()
        service.name = "Hubert"
    },
    Program("a local variable", prints: "5 5\n6 6\n5 5") {
        @PDefaults("volume") var volume = 5
        let subscription = $volume.sink { print($0, volume) }
        volume += 1
        _volume.reset()
        subscription.cancel()
    },
    Program("a shared instance", prints: "7 dark") {
        SharedSettings.shared.volume = 7
        await Task.detached { SharedSettings.shared.theme = "dark" }.value
        print(SharedSettings.shared.volume, SharedSettings.shared.theme ?? "none")
    },
    Program("a shared instance of the main actor", prints: "3\n4") {
        let subscription = MainSettings.shared.$volume.dropFirst().sink { print($0) }
        MainSettings.shared.volume = 3
        await Task.detached { await MainActor.run { MainSettings.shared.volume += 1 } }.value
        subscription.cancel()
    },
    Program("static members of the main actor", prints: "5\n6") {
        let subscription = StaticSettings.$volume.sink { print($0) }
        StaticSettings.volume += 1
        subscription.cancel()
    },
    Program("an injected suite", prints: "Pitt\nHubert stored") {
        final class Account {
            @PDefaults var name: String

            init(_ suite: SettingsSuite) {
                _name = PDefaults(wrappedValue: "Pitt", "user.name", suite: suite)
            }
        }
        let suite = SettingsSuite.inMemory()
        let account = Account(suite)
        print(account.name)
        account.name = "Hubert"
        print(suite.string(forKey: "user.name") ?? "nothing", "stored")
    },
    Program(
        "optionals without a key and without an initial value",
        prints: """
            nil nil nil nil
            told nil
            told 1
            1 b 3 4
            """
    ) {
        final class Panel {
            @PDefaults var first: Int?
            @PDefaults(behavior: .willSet) var second: String?
        }
        struct Row {
            @PDefaults var third: Int?
        }
        @PDefaults var fourth: Int?
        let (panel, row) = (Panel(), Row())
        func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "nil" }
        func say() { print(text(panel.first), text(panel.second), text(row.third), text(fourth)) }
        say()
        let subscription = panel.$first.sink { print("told", text($0)) }
        (panel.first, panel.second, row.third, fourth) = (1, "b", 3, 4)
        say()
        subscription.cancel()
    },
    Program("a function that takes the property", prints: "6") {
        func increment(_ property: PDefaults<Int>) { property.wrappedValue += 1 }
        @PDefaults("volume") var volume = 5
        increment(_volume)
        print(volume)
    },
    Program("a setting for all tests of a process", prints: "mocked Pitt\nstored Hubert") {
        @PDefaults("user.name") var name = "Pitt"
        name = "Hubert"
        PDefaultsConfiguration.mock = true
        print("mocked", name)
        name = "François"
        PDefaultsConfiguration.mock = false
        print("stored", name)
    },
    Program(
        "settings on one key, which share nothing while all are mocked",
        prints: "Hubert Hubert\nA Pitt B\nA A"
    ) {
        @PDefaults("user.name") var name = "Pitt"
        @PDefaults("user.name") var other = "Pitt"
        @PDefaults("user.name", behavior: .willSet) var third = "Pitt"
        name = "Hubert"
        print(name, other)
        PDefaultsConfiguration.mock = true
        let subscription = $other.dropFirst().sink { print("not told", $0) }
        name = "A"
        third = "B"
        print(name, other, third)
        subscription.cancel()
        PDefaultsConfiguration.mock = false
        name = "A"
        print(name, other)
    },
    Program(
        "a setting whose subscribers and trackers are told at once that all are mocked",
        prints: """
            told 5
            it will change
            told 1
            told 7
            it will change
            told 1
            it will change
            told 5
            5 5
            """
    ) {
        @PDefaults("volume") var volume = 1
        volume = 5
        let subscription = $volume.sink { print("told", $0) }
        func changing(_ change: () -> Void) {
            withObservationTracking {
                _ = volume
            } onChange: {
                print("it will change")
            }
            change()
        }
        changing { PDefaultsConfiguration.mock = true }
        volume = 7
        changing { PDefaultsConfiguration.mock = true }
        changing { PDefaultsConfiguration.mock = false }
        print(volume, SettingsSuite.standard.integer(forKey: "volume"))
        subscription.cancel()
    },
    Program("a set at the very end", prints: "5") {
        @PDefaults("volume") var volume = 5
        print(volume)
        volume = 7
        exit(0)
    },
    Program("a setting that a process leaves behind", prints: "Hubert") {
        let suite = try SettingsSuite(named: "other")
        @PDefaults("user.name", suite: suite) var name = "Pitt"
        name = "Hubert"
        try suite.synchronize()
        // The value that another process reads.
        let file = SettingsSuite(FileStorage(path: suite.location))
        print(file.string(forKey: "user.name") ?? "nothing")
    },
]

@Observable
private final class ObservableModel {
    @ObservationIgnored @PDefaults("volume") var volume = 5
    var isOpen = false
}

private protocol NameService: AnyObject {
    var name: String { get set }
    var namePublisher: AnyPublisher<String, Never> { get }
}

private final class Service: NameService {
    @PDefaults("user.name")
    var name: String = "Pitt"

    var namePublisher: AnyPublisher<String, Never> { $name }
}

private struct SharedSettings: Sendable {
    static let shared = SharedSettings()

    @PDefaults("volume") var volume = 5
    @PDefaults("theme") var theme: String?
}

@MainActor
private final class MainSettings {
    static let shared = MainSettings()

    @PDefaults("volume") var volume = 5
}

@MainActor
private enum StaticSettings {
    @PDefaults("volume") static var volume = 5
}
