import Foundation
import PropertyList
import SettingsStore

// For the comparison with Foundation. This program runs in a mount namespace of its own, with its own `/usr/local/etc`.

/// FOLDER: for every combination of the eight files that `UserDefaults` reads, compares what it finds with what a suite
/// finds, for the standard suite and for the suite `named`. FOLDER is `$XDG_CONFIG_HOME`. Prints each difference, and at
/// the end the number of combinations.
func compareWithFoundation(_ folder: String) -> Never {
    let names = [splitName(CommandLine.arguments[0]), "named"]
    let global = ".GlobalPreferences"
    let site = "/usr/local/etc"
    /// The paths of one file for both suites, from the highest to the lowest.
    let files: [[String]] = [
        names.map { "\(folder)/ByHost/\($0)..plist" }, names.map { "\(folder)/\($0).plist" },
        ["\(folder)/ByHost/\(global)..plist"], ["\(folder)/\(global).plist"],
        names.map { "\(site)/ByHost/\($0).plist" }, names.map { "\(site)/\($0).plist" },
        ["\(site)/ByHost/\(global).plist"], ["\(site)/\(global).plist"],
    ]
    for folder in ["\(folder)/ByHost", "\(site)/ByHost"] { mkdir(folder, 0o755) }
    for combination in 0..<256 {
        for (index, paths) in files.enumerated() {
            for path in paths {
                if combination & 1 << index == 0 {
                    unlink(path)
                } else {
                    let values = PropertyListValue.dictionary(["key": .string("file \(index + 1)")])
                    guard let bytes = try? values.encoded(as: .xml),
                        (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil
                    else { fail("can't write \(path)") }
                }
            }
        }
        // Foundation reads each file once in a process. This process has not used a suite, so its children may.
        let child = forkProcess()
        if child == 0 { compareWithFoundation(names, "combination \(combination)") }
        expectSuccess(of: child, "combination \(combination)")
    }
    say("256 combinations")
    exit(0)
}

private func compareWithFoundation(_ names: [String], _ combination: String) -> Never {
    let foundation = [UserDefaults.standard, UserDefaults(suiteName: names[1])]
    let suites = [SettingsSuite.standard, try? SettingsSuite(named: names[1])]
    for (index, name) in names.enumerated() {
        let expected = foundation[index]?.object(forKey: "key") as? String
        let value = suites[index]?.value(forKey: "key")
        if value != expected.map({ .string($0) }) {
            let found = text(value)
            say("\(combination), \(name): Foundation finds \(expected ?? "nothing"), the suite \(found)")
        }
    }
    _exit(0)
}

private func text(_ value: PropertyListValue?) -> String {
    if case .string(let text)? = value { text } else { value.map { "\($0)" } ?? "nothing" }
}

private func splitName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// Prints who locks the key `locked` of the suite `app`, its value, and what a set of it changes.
func tryLocked() -> Never {
    guard let suite = try? SettingsSuite(named: "app") else { fail("no suite") }
    say(suite.lock(ofKey: "locked") ?? "not locked")
    suite.set("mine", forKey: "locked")
    do throws(SettingsError) {
        try suite.replace(["locked": "mine"], expecting: [:])
        say("replaced")
    } catch {
        say("\(error)")
    }
    for problem in suite.layerProblems { say("\(problem)") }
    say(text(suite.value(forKey: "locked")))
    exit(0)
}
