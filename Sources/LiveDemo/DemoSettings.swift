import Foundation
import PDefaults

// The settings of the demonstration, and the keys that change them.

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

final class Player: ObservableObject, Codable {
    @Published var name = "Red"
    @Published var score = 0
}

extension SettingsKey {
    static let name: SettingsKey = "user.name"
    static let nickname: SettingsKey = "user.nickname"
    static let lastVisit: SettingsKey = "user.lastVisit"
    static let isDark: SettingsKey = "darkMode"
    static let volume: SettingsKey = "volume"
    static let zoom: SettingsKey = "zoom"
    static let tags: SettingsKey = "tags"
    static let theme: SettingsKey = "theme"
    static let window: SettingsKey = "window"
    static let token: SettingsKey = "token"
    static let player: SettingsKey = "player"
    static let visits: SettingsKey = "visits"
}

/// The settings of the demonstration, one of each type that `@PDefaults` supports.
@MainActor
final class DemoSettings {
    @PDefaults(.name, .title("Name"), .help("Who is greeted."), .length(1...40), suite: .demo)
    var name = "Pitt"
    @PDefaults(.nickname, .title("Nickname"), suite: .demo) var nickname: String?
    @PDefaults(.lastVisit, .title("Last visit"), suite: .demo) var lastVisit: Date?
    @PDefaults(.isDark, .title("Dark mode"), .deprecated("Use “theme” instead."), suite: .demo)
    var isDark = false
    @PDefaults(.volume, .title("Volume"), .help("How loud it is."), .range(0...11), suite: .demo)
    var volume = 5
    @PDefaults(.zoom, .title("Zoom"), .help("1 is life size."), .range(0.1...10), suite: .demo)
    var zoom = 1.0
    @PDefaults(.tags, .title("Tags"), suite: .demo) var tags = ["swift", "linux"]
    @PDefaults(.theme, .title("Theme"), .help("Which colours are used."), suite: .demo)
    var theme = Theme.system
    @PDefaults(.window, .title("Window"), suite: .demo)
    var window = Window(title: "Main", width: 80, height: 24)
    @PDefaults(.token, .title("Token"), .help("What the program logs in with."), .secret, suite: .demo)
    var token: String?
    @PDefaults(.player, suite: .demo) var player = Player()

    /// The number of times that this program was started. It does not follow changes of other processes, so
    /// two running demonstrations count separately.
    @PDefaults(.visits, suite: .demo, followsOthers: false) var visits = 0

    /// The old name of the setting `user.name`, which is migrated.
    @PDefaults("username", suite: .demo) private var oldName: String?

    init() {
        _oldName.migrate(to: _name) { $0 ?? "" }
        visits += 1
    }

    /// Prints all values now and after each change, for as long as the result is kept.
    func printEveryValue() -> [AnyCancellable] {
        [
            printValues(.name, _name), printValues(.nickname, _nickname),
            printValues(.lastVisit, _lastVisit), printValues(.isDark, _isDark),
            printValues(.volume, _volume), printValues(.zoom, _zoom), printValues(.tags, _tags),
            printValues(.theme, _theme), printValues(.window, _window), printValues(.player, _player),
            printValues(.visits, _visits),
        ]
    }

    private func printValues<Value>(_ key: SettingsKey, _ property: PDefaults<Value>) -> AnyCancellable {
        property.updates().sink { Output.value(key, $0) }
    }

    static let help = """
        Keys: + - volume   z Z zoom   d dark mode   t theme   n next name   k nickname   a add a tag
              w wider window   p point for the player   v visit now   r reset all   ? help   q quit
        """

    func handle(_ key: Character) {
        switch key {
        case "+": volume = min(volume + 1, 11)
        case "-": volume = max(volume - 1, 0)
        case "z": zoom *= 1.25
        case "Z": zoom /= 1.25
        case "d": isDark.toggle()
        case "t": theme = next(after: theme, in: Theme.allCases)
        case "n": name = next(after: name, in: ["Pitt", "François", "Hubert", "Zoë 🦊"])
        case "k": nickname = nickname == nil ? "Pitty" : nil
        case "a": tags.append("tag \(tags.count + 1)")
        case "w": window.width += 10
        case "p": player.score += 1
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
        _token.reset()
        _player.reset()
        _visits.reset()
    }

    private func next<Element: Equatable>(after element: Element, in all: [Element]) -> Element {
        let index = all.firstIndex(of: element) ?? -1
        return all[(index + 1) % all.count]
    }
}
