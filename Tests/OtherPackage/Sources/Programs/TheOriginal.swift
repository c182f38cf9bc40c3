import Foundation
import PDefaults

// The examples of PDefaults for Apple's platforms (github.com/pittscraft/PDefaults), with what its
// README says that they print. `UserDefaults(suiteName:)!` is `try SettingsSuite(named:)` here.

let theOriginal = [
    Program("original: use", prints: "Name: Pitt\nName: François") {
        @PDefaults("user.name")
        var name = "Pitt"

        let cancellable = $name.sink {
            print("Name: \($0)")
        }

        name = "François"
        cancellable.cancel()
    },
    Program("original: another suite", prints: "François\nPitt") {
        let appGroupSuite = try SettingsSuite(named: "com.company.appgroup")

        @PDefaults("user.name", suite: appGroupSuite)
        var name = "Pitt"
        @PDefaults("user.name")
        var standardName = "Pitt"

        name = "François"
        print(appGroupSuite.string(forKey: "user.name") ?? "nothing")
        print(standardName)
    },
    Program("original: migration", prints: "Hubert Pitt") {
        SettingsSuite.standard.set("Hubert", forKey: "user.name")

        class Service {
            @PDefaults("user.name") private var legacyName = "Pitt"
            @PDefaults("user.first-name", suite: appGroupSuite) var name = "Pete"

            init() {
                _legacyName.migrate(to: _name)
            }

            var old: String { legacyName }
        }

        let service = Service()
        print(service.name, service.old)
    },
    Program("original: migration of nothing", prints: "Pete") {
        class Service {
            @PDefaults("user.name") private var legacyName = "Pitt"
            @PDefaults("user.first-name", suite: appGroupSuite) var name = "Pete"

            init() {
                _legacyName.migrate(to: _name)
            }
        }

        print(Service().name)
    },
    Program("original: migration with a mapping, once", prints: "4\n7") {
        SettingsSuite.standard.set(5.0, forKey: "count")

        class Service {
            @PDefaults("count") private var legacyCount = Double(1)
            @PDefaults("index", suite: appGroupSuite) var index = 0

            init() {
                _legacyCount.migrate(to: _index, { Int($0) - 1 })
            }
        }

        let service = Service()
        print(service.index)
        service.index = 7
        print(Service().index)
    },
    Program("original: mock", prints: "Pitt\nFrançois\nHubert") {
        SettingsSuite.standard.set("Hubert", forKey: "user.name")

        @PDefaults("user.name")
        var name = "Pitt"

        _name.mock = true
        print(name)
        name = "François"
        print(name)
        print(SettingsSuite.standard.string(forKey: "user.name") ?? "nothing")
    },
    Program("original: mock of all", prints: "Pitt 1\nHubert") {
        SettingsSuite.standard.set("Hubert", forKey: "user.name")
        PDefaultsConfiguration.mock = true

        @PDefaults("user.name")
        var name = "Pitt"
        @PDefaults("count")
        var count = 0

        count += 1
        print(name, count)
        print(SettingsSuite.standard.string(forKey: "user.name") ?? "nothing")
    },
    Program("original: app group sharing, in app A", prints: "Published: Pitt\nPublished: François") {
        @PDefaults("user.name", suite: appGroupSuite)
        var name = "Pitt"

        let (published, continuation) = AsyncStream<String>.makeStream()
        let cancellable = $name.sink {
            print("Published: \($0)")
            continuation.yield($0)
        }

        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        other.arguments = ["original: app group sharing, in app B"]
        other.standardOutput = FileHandle.nullDevice
        try other.run()
        for await value in published where value == "François" { break }
        other.waitUntilExit()
        cancellable.cancel()
    },
    Program("original: app group sharing, in app B", prints: "Pitt") {
        @PDefaults("user.name", suite: appGroupSuite)
        var name = "Pitt"

        print(name)
        name = "François"
    },
    Program(
        "original: mocked and published, its suite untouched",
        prints: """
            Published: Pitt
            Published: François
            Hubert
            """
    ) {
        SettingsSuite.standard.set("Hubert", forKey: "user.name")

        @PDefaults("user.name")
        var name = "Pitt"

        _name.mock = true
        let cancellable = $name.sink { print("Published: \($0)") }
        name = "François"
        cancellable.cancel()
        print(SettingsSuite.standard.string(forKey: "user.name") ?? "nothing")
    },
    Program(
        "original: several instances, each by its own behavior",
        prints: """
            name Pitt over Pitt
            otherName Pitt over Pitt
            name François over François
            otherName François over Pitt
            François François
            """
    ) {
        @PDefaults("user.name", behavior: .didSet)
        var name = "Pitt"

        @PDefaults("user.name", behavior: .willSet)
        var otherName = "Pitt"

        let first = $name.sink { print("name \($0) over \(name)") }
        let second = $otherName.sink { print("otherName \($0) over \(otherName)") }
        name = "François"
        print(name, otherName)
        first.cancel()
        second.cancel()
    },
    Program(
        "original: mock of all, once more, and what the suite is set to meanwhile",
        prints: """
            published Pitt
            published François
            published Pitt
            again Pitt
            stored Hubert
            """
    ) {
        @PDefaults("user.name")
        var name = "Pitt"

        let cancellable = $name.sink { print("published", $0) }
        name = "François"
        PDefaultsConfiguration.mock = true
        SettingsSuite.standard.set("Hubert", forKey: "user.name")
        cancellable.cancel()
        name = "mocked"
        PDefaultsConfiguration.mock = true
        print("again", name)
        PDefaultsConfiguration.mock = false
        print("stored", name)
    },
    Program("original: through a protocol", prints: "Pitt\nFrançois") {
        let service: any ServiceProtocol = ProtocolService()
        let cancellable = service.namePublisher.sink { print($0) }
        service.name = "François"
        cancellable.cancel()
    },
    Program(
        "original: default value and nil",
        prints: """
            New name: Pitt
            New name: François
            New name: Pitt
            """
    ) {
        @PDefaults("user.name")
        var name: String? = "Pitt"

        let cancellable = $name.sink {
            print("New name: \($0 ?? "nil")")
        }

        name = "François"
        name = nil
        cancellable.cancel()
    },
    Program(
        "original: like CurrentValueSubject",
        prints: """
            Published: Pitt - Property: Pitt
            Published: François - Property: François
            Published: Hubert - Property: Hubert
            """
    ) {
        @PDefaults("user.name")
        var name = "Pitt"

        let cancellable = $name.sink {
            print("Published: \($0) - Property: \(name)")
        }

        name = "François"
        name = "Hubert"
        cancellable.cancel()
    },
    Program(
        "original: like Published",
        prints: """
            Published: Pitt - Property: Pitt
            Published: François - Property: Pitt
            Published: Hubert - Property: François
            """
    ) {
        @PDefaults("user.name", behavior: .willSet)
        var name = "Pitt"

        let cancellable = $name.sink {
            print("Published: \($0) - Property: \(name)")
        }

        name = "François"
        name = "Hubert"
        cancellable.cancel()
    },
    Program(
        "original: several instances",
        prints: """
            name Pitt
            otherName Pitt
            name François
            otherName François
            name Hubert
            otherName Hubert
            Hubert Hubert
            """
    ) {
        @PDefaults("user.name", behavior: .didSet)
        var name = "Pitt"

        @PDefaults("user.name", behavior: .didSet)
        var otherName = "Pitt"

        let first = $name.sink { print("name \($0)") }
        let second = $otherName.sink { print("otherName \($0)") }
        name = "François"
        otherName = "Hubert"
        print(name, otherName)
        first.cancel()
        second.cancel()
    },
]

private let appGroupSuite = SettingsSuite(file: SettingsFolder.standard.path + "/com.company.appgroup.plist")

private protocol ServiceProtocol: AnyObject {
    var name: String { get set }
    var namePublisher: AnyPublisher<String, Never> { get }
}

private class ProtocolService: ServiceProtocol {
    @PDefaults("user.name")
    var name: String = "Pitt"

    var namePublisher: AnyPublisher<String, Never> { $name }
}
