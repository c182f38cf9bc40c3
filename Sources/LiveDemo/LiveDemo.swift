import Foundation
import PDefaults

/// Shows how a program's settings follow every change, its own and those of other processes.
///
/// Change a setting with a key, or change the same file with another program, such as `pdefaults`.
@main
struct LiveDemo {
    @MainActor
    static func main() async {
        let options = Options.ofThisProcess
        print("LiveDemo keeps its settings in \(MessageText.path(options.suite.location))")
        print(DemoSettings.help)
        PDefaultsConfiguration.onError = { Output.line("error: \($0)") }

        let settings = DemoSettings()
        let printing = settings.printEveryValue()
        for await key in Keyboard.keys() {
            if key == "q" { break }
            settings.handle(key)
        }
        // Values that are still pending are written when the process ends.
        withExtendedLifetime(printing) { exit(EXIT_SUCCESS) }
    }
}

/// The command line's options.
struct Options: Sendable {
    let suite: SettingsSuite

    static let ofThisProcess: Options = {
        do {
            return try Options(CommandLine.arguments.dropFirst())
        } catch {
            FileHandle.standardError.write(Data("\(MessageText.escaped("\(error)"))\n\(usage)\n".utf8))
            exit(EX_USAGE)
        }
    }()

    private static let usage = "Usage: LiveDemo [--directory DIR] [--suite NAME]"

    private init(_ arguments: ArraySlice<String>) throws {
        var folder = SettingsFolder.standard
        var name = "LiveDemo"
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--directory": folder = SettingsFolder(path: try Self.value(of: argument, from: &rest))
            case "--suite": name = try Self.value(of: argument, from: &rest)
            case "--help", "-h":
                print(Self.usage)
                exit(EXIT_SUCCESS)
            default: throw UsageError(description: "LiveDemo does not know “\(argument)”.")
            }
        }
        suite = try SettingsSuite(named: name, in: folder)
    }

    private static func value(of option: String, from rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw UsageError(description: "\(option) needs a value.")
        }
        return value
    }

    private struct UsageError: Error, CustomStringConvertible {
        let description: String
    }
}
