import Foundation
import PDefaults

extension SettingsSuite {
    static var demo: SettingsSuite { Options.ofThisProcess.suite }
}

enum Theme: String, CaseIterable {
    case system, light, dark
}

struct Window: Codable, Equatable {
    var title: String
    var width: Int
    var height: Int
}

/// The settings of the demonstration.
@MainActor
final class DemoSettings {
    @PDefaults("user.name", suite: .demo) var name = "Pitt"
    @PDefaults("user.nickname", suite: .demo) var nickname: String?
    @PDefaults("user.lastVisit", suite: .demo) var lastVisit: Date?
    @PDefaults("darkMode", suite: .demo) var isDark = false
    @PDefaults("volume", suite: .demo) var volume = 5
    @PDefaults("zoom", suite: .demo) var zoom = 1.0
    @PDefaults("tags", suite: .demo) var tags = ["swift", "linux"]
    @PDefaults("theme", suite: .demo) var theme = Theme.system
    @PDefaults("window", suite: .demo) var window = Window(title: "Main", width: 80, height: 24)

    /// Prints the values as they are and as they change, for as long as the result is held.
    func printEveryValue() -> [AnyCancellable] {
        [
            $name.sink { Output.value("user.name", $0) },
            $nickname.sink { Output.value("user.nickname", $0) },
            $lastVisit.sink { Output.value("user.lastVisit", $0) },
            $isDark.sink { Output.value("darkMode", $0) },
            $volume.sink { Output.value("volume", $0) },
            $zoom.sink { Output.value("zoom", $0) },
            $tags.sink { Output.value("tags", $0) },
            $theme.sink { Output.value("theme", $0) },
            $window.sink { Output.value("window", $0) },
        ]
    }

    static let help = """
        Keys: + - volume   z Z zoom   d dark mode   t theme   n next name   k nickname
              a add a tag   w wider window   v visit now   r reset all   ? help   q quit
        """

    func handle(_ key: Character) {
        switch key {
        case "+": volume = min(volume + 1, 10)
        case "-": volume = max(volume - 1, 0)
        case "z": zoom *= 1.25
        case "Z": zoom /= 1.25
        case "d": isDark.toggle()
        case "t": theme = next(after: theme, in: Theme.allCases)
        case "n": name = next(after: name, in: ["Pitt", "François", "Hubert", "Zoë 🦊"])
        case "k": nickname = nickname == nil ? "Pitty" : nil
        case "a": tags.append("tag \(tags.count + 1)")
        case "w": window.width += 10
        case "v": lastVisit = Date()
        case "r": resetAll()
        case "?": print(Self.help)
        default: break
        }
    }

    private func resetAll() {
        _name.reset()
        _nickname.reset()
        _lastVisit.reset()
        _isDark.reset()
        _volume.reset()
        _zoom.reset()
        _tags.reset()
        _theme.reset()
        _window.reset()
    }

    private func next<Element: Equatable>(after element: Element, in all: [Element]) -> Element {
        let index = all.firstIndex(of: element) ?? -1
        return all[(index + 1) % all.count]
    }
}
