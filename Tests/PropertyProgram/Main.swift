import Foundation
import PDefaults

/// Another process with properties, for the library's tests: does one thing and says on standard output
/// what it can vouch for.
@main
struct PropertyProgram {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "declare":
            // FILE: has settings, and uses one of them.
            let settings = Settings(SettingsSuite(file: arguments[1]))
            say("\(settings.volume)")
        case "overwrite":
            // FILE KEY COUNT: sets a number COUNT times, says each one when it is stored.
            let suite = SettingsSuite(file: arguments[1])
            @PDefaults(SettingsKey(arguments[2]), suite: suite) var number = 0
            for index in 1...(Int(arguments[3]) ?? 1) {
                number = index
                try suite.synchronize()
                say("\(index)")
            }
        case "others":
            // What the properties of the program's own suite say before and after another process has stored
            // two of them.
            let settings = Settings(.standard)
            say(settings.text)
            let others = SettingsSuite(FileStorage(path: SettingsSuite.standard.location))
            others.set(["volume": 1, "zoom": 3.5])
            try others.synchronize()
            while settings.zoom != 3.5 { usleep(1_000) }
            say(settings.text)
        case "migrate":
            // FOLDER: moves a value to another suite and is over.
            let folder = SettingsFolder(path: arguments[1])
            let (from, to) = (
                try SettingsSuite(named: "from", in: folder), try SettingsSuite(named: "to", in: folder)
            )
            @PDefaults("count", suite: from) var count = 1.0
            @PDefaults("index", suite: to) var index = 0
            _count.migrate(to: _index) { Int($0) - 1 }
            say("\(count) \(index)")
        case "whole":
            // One thread sets a value of several words, another one reads it.
            say(Wide.areReadWhole() ? "whole and in order" : "torn")
        default:
            // What the properties of the program's own suite say, and then once more after a set.
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

/// A value that takes long enough to copy.
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
