import PropertyList
import SettingsStore
import TerminalCanvas

/// The user's preferences for the editor: the content of the suite `pdefaults`.
///
/// They are an ordinary suite with declared settings, so that the editor itself and the commands can change them.
public struct EditorPreferences: Sendable, Equatable {
    /// The name of a theme; nil if it is not set.
    public let theme: String?
    public let usesMouse: Bool?
    public let isStaging: Bool?
    /// The width of the list of suites, in columns; nil for the width of its content.
    public let suitesWidth: Int?
    /// The places that were opened before, the newest one last.
    public let places: [String]
    /// The keys of commands, by the name of the command. No keys: the command is only in the palette.
    let keys: [String: [Key]]
    /// The problems of the stored values, as sentences. Such values are ignored.
    public let problems: [String]

    /// The name of the suite.
    public static let suite = "pdefaults"
    /// The start of the keys that hold key bindings.
    static let keyPrefix = "key."

    public static let none = EditorPreferences([:])

    public init(_ values: [String: PropertyListValue]) {
        var problems: [String] = []
        func value<Value>(_ key: String, _ read: (PropertyListValue) -> Value?) -> Value? {
            guard let stored = values[key] else { return nil }
            if let problem = Self.schema.declarations[key]?.problem(with: stored) {
                problems.append("Preference “\(key)”: \(sentence(problem))")
                return nil
            }
            return read(stored)
        }
        func boolean(_ value: PropertyListValue) -> Bool? {
            if case .boolean(let value) = value { value } else { nil }
        }
        theme = value("editor.theme") { if case .string(let name) = $0 { name } else { nil } }
        usesMouse = value("editor.mouse", boolean)
        isStaging = value("editor.staging", boolean)
        let width: Int? = value("editor.suitesWidth") {
            if case .integer(let number) = $0 { Int(number.description) } else { nil }
        }
        suitesWidth = width == 0 ? nil : width
        places = value(Self.placesKey) { Self.texts($0) } ?? []
        var keys: [String: [Key]] = [:]
        func complain(_ name: String, _ problem: String) {
            problems.append("Preference “\(Self.keyPrefix)\(name)”: \(problem)")
        }
        for (key, stored) in values.sorted(by: { $0.key < $1.key }) where key.hasPrefix(Self.keyPrefix) {
            let name = String(key.dropFirst(Self.keyPrefix.count))
            do throws(Refusal) {
                guard case .string(let text) = stored else {
                    throw Refusal("Keys are a string, such as “d Del”.")
                }
                keys[name] = try Self.parse(text, for: name)
            } catch {
                complain(name, error.description)
            }
        }
        // All are known now, so that two commands can exchange their keys.
        for (name, own) in keys.sorted(by: { $0.key < $1.key }) {
            keys[name] = nil
            if let problem = Keymap(keys).problem(binding: own, to: name) {
                complain(name, problem)
            } else {
                keys[name] = own
            }
        }
        self.keys = keys
        self.problems = problems
    }

    /// The key of the places that were opened before.
    public static let placesKey = "editor.places"
    /// Older places are forgotten.
    private static let placeLimit = 20

    private static func texts(_ value: PropertyListValue?) -> [String] {
        guard case .array(let values)? = value else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The stored places with one that was opened now.
    public static func places(_ stored: PropertyListValue?, adding place: String) -> PropertyListValue {
        let known = texts(stored).filter { $0 != place }
        return .array((known + [place]).suffix(placeLimit).map { .string($0) })
    }

    /// The keys that a text names.
    private static func parse(_ text: String, for name: String) throws(Refusal) -> [Key] {
        guard Keymap.commandNames.contains(name) else { throw Refusal("There is no command “\(name)”.") }
        var keys: [Key] = []
        for word in text.split(separator: " ") {
            guard let key = Key(named: word) else {
                throw Refusal(
                    "There is no key “\(word)”. Keys are named like x, ^X, Alt-x, F5, Del or Space."
                )
            }
            if case .control(let letter) = key, let other = sameInTerminals[letter] {
                throw Refusal("Terminals send \(word) as \(other). Choose another key.")
            }
            keys.append(key)
        }
        return keys
    }

    /// The keys that terminals send for a letter together with Ctrl.
    private static let sameInTerminals: [Character: String] = [
        "h": "Backspace", "i": "Tab", "j": "Enter", "m": "Enter", "[": "Esc",
    ]

    /// Why a new value of a preference is refused, although its declaration allows it; nil if it is not.
    ///
    /// - Parameter values: All values of the suite, with the new one.
    public static func problem(with values: [String: PropertyListValue], changing changed: Set<String>)
        -> String?
    {
        for key in changed.sorted() where key.hasPrefix(keyPrefix) {
            guard case .string(let text)? = values[key] else { continue }
            let name = String(key.dropFirst(keyPrefix.count))
            var others = values
            others[key] = nil
            do throws(Refusal) {
                let keys = try parse(text, for: name)
                if let problem = Keymap(EditorPreferences(others).keys).problem(binding: keys, to: name) {
                    return problem
                }
            } catch {
                return error.description
            }
        }
        return nil
    }

    /// The keys of the suite that bind keys.
    public static func boundKeys(in values: some Sequence<String>) -> [String] {
        values.filter { $0.hasPrefix(keyPrefix) }
    }
}
