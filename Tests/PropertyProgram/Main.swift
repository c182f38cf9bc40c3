import Foundation
import PDefaults
import Synchronization

/// Another process with properties, for the library's tests. It does one thing and prints the result.
@main
struct PropertyProgram {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "declare":
            // FILE: declares settings, and uses one of them.
            let settings = Settings(SettingsSuite(file: arguments[1]))
            say("\(settings.volume)")
        case "overwrite":
            // FILE KEY COUNT: sets a number COUNT times, and prints each one after it is on disk.
            let suite = SettingsSuite(file: arguments[1])
            @PDefaults(arguments[2], suite: suite) var number = 0
            for index in 1...(Int(arguments[3]) ?? 1) {
                number = index
                try suite.synchronize()
                say("\(index)")
            }
        case "others":
            // Prints the properties of the program's own suite before and after another process sets two of them.
            let settings = Settings(.standard)
            say(settings.text)
            let others = SettingsSuite(FileStorage(path: SettingsSuite.standard.location))
            others.set(["volume": 1, "zoom": 3.5])
            try others.synchronize()
            while settings.zoom != 3.5 { usleep(1_000) }
            say(settings.text)
        case "migrate":
            // FOLDER: migrates a value to another suite, and exits.
            let folder = SettingsFolder(path: arguments[1])
            let (from, to) = (
                try SettingsSuite(named: "from", in: folder), try SettingsSuite(named: "to", in: folder)
            )
            @PDefaults("count", suite: from) var count = 1.0
            @PDefaults("index", suite: to) var index = 0
            _count.migrate(to: _index) { Int($0) - 1 }
            say("\(count) \(index)")
        case "whole":
            // Reads a value of several words while another thread sets it.
            say(Wide.areReadWhole() ? "whole and in order" : "torn")
        case "handlers":
            // Replaces handlers with the last reference to an object whose deinit uses the handlers.
            PDefaultsConfiguration.onError = { [ending = Ending { _ = PDefaultsConfiguration.onError }] _ in
                withExtendedLifetime(ending) {}
            }
            PDefaultsConfiguration.onError = { _ in }
            SettingsSuite.onFailure = { [ending = Ending { _ = SettingsSuite.onFailure }] _, _ in
                withExtendedLifetime(ending) {}
            }
            SettingsSuite.onFailure = nil
            say("both were replaced")
        case "blocked":
            // Subscribes on the main thread, and blocks it while another thread sets the property.
            let property = PDefaults(wrappedValue: 5, "volume", suite: .inMemory())
            let isReported = DispatchSemaphore(value: 0)
            PDefaultsConfiguration.onError = { error in
                say("\(error)")
                isReported.signal()
            }
            let subscription = property.projectedValue.dropFirst().sink { say("\($0)") }
            Thread.detachNewThread { property.wrappedValue = 6 }
            isReported.wait()
            DispatchQueue.main.async { exit(0) }
            withExtendedLifetime(subscription) { dispatchMain() }
        case "mocks":
            // Mocks all properties anew while the last reference to an object is in the previous mock. The end of the
            // object uses properties and the flag.
            let property = PDefaults<Parting?>("value", suite: .inMemory())
            for _ in 1...3 {
                PDefaultsConfiguration.mock = true
                property.wrappedValue = Parting {
                    Parting.count.add(1, ordering: .relaxed)
                    _ = PDefaultsConfiguration.mock
                    property.mock = true
                    property.reset()
                    property.mock = false
                }
            }
            PDefaultsConfiguration.mock = false
            say("\(Parting.count.load(ordering: .relaxed)) mocks were released")
        default:
            // Prints the properties of the program's own suite before and after a set.
            let settings = Settings(.standard)
            say(settings.text)
            settings.volume = 3
            say(settings.text)
            try SettingsSuite.standard.synchronize()
            say("stored \(SettingsSuite.standard.storedValues.keys.sorted())")
        }
    }

    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}

final class Settings {
    @PDefaults var volume: Int
    @PDefaults var zoom: Double
    @PDefaults var isLoud: Bool
    @PDefaults var name: String?
    @PDefaults var tags: [String]
    @PDefaults var window: Window

    init(_ suite: SettingsSuite) {
        _volume = PDefaults(
            wrappedValue: 5,
            "volume",
            .title("Volume"),
            .help("How loud it is."),
            .range(0...11),
            suite: suite
        )
        _zoom = PDefaults(wrappedValue: 1, "zoom", .range(0.25...), suite: suite)
        _isLoud = PDefaults(wrappedValue: false, "isLoud", suite: suite)
        _name = PDefaults("name", .length(1...20), suite: suite)
        _tags = PDefaults(wrappedValue: [], "tags", suite: suite)
        _window = PDefaults(wrappedValue: Window(), "window", suite: suite)
    }

    var text: String { "\(volume) \(zoom) \(isLoud) \(name ?? "nil") \(tags) \(window.width)" }
}

struct Window: Codable {
    var width = 80
    var height = 24
}

/// A value that runs an action in its `deinit`.
final class Parting: Codable, Sendable {
    static let count = Atomic(0)
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    init(from decoder: any Decoder) throws { action = {} }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("")
    }

    deinit { action() }
}

/// An object that runs an action in its `deinit`.
final class Ending: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
}

/// A value of several words, whose copy takes long enough to be torn.
struct Wide: Sendable {
    private var a, b, c, d, e, f, g, h: Int

    private init(_ number: Int) {
        (a, b, c, d, e, f, g, h) = (number, number, number, number, number, number, number, number)
    }

    static func areReadWhole() -> Bool {
        let property = PDefaults(wrappedValue: Wide(0))
        let count = 50_000
        Thread.detachNewThread {
            for number in 1...count { property.wrappedValue = Wide(number) }
        }
        var last = Wide(0)
        while last.a != count {
            let value = property.wrappedValue
            let isWhole = [value.b, value.c, value.d, value.e, value.f, value.g, value.h]
                .allSatisfy { $0 == value.a }
            if !isWhole || value.a < last.a { return false }
            last = value
        }
        return true
    }
}
