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
