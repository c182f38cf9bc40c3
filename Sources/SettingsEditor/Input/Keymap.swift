import TerminalCanvas

/// The keymap with the user's keys. Key handling, hints, help, palette and manual page use it, so they always agree.
public struct Keymap: Sendable {
    let bindings: [KeyBinding]
    /// The words of all commands, for the palette.
    let words: [CommandWords]
    /// The bindings that can appear as hints, by mode. Filtered once, because hints are made for each frame.
    private let hints: [Mode: [KeyBinding]]
    /// The user's key for each standard key that its command has lost.
    private let moved: [Substring: String]

    static let standard = Keymap([:])

    /// The commands of the panes whose keys can be changed, each with its bindings. Only `Esc`, `q`, `?` and the keys of
    /// the terminal always work. The bindings of the list of keys come first, because people know that list.
    static let rebindable: [(name: String, bindings: [KeyBinding])] = {
        let ofPanes = KeyBinding.all.filter(\.isOfPanes)
        let sorted =
            ofPanes.filter { $0.modes.contains(.keys) } + ofPanes.filter { !$0.modes.contains(.keys) }
        var names: [String] = []
        var bindings: [String: [KeyBinding]] = [:]
        for binding in sorted {
            guard let name = binding.command.preferenceName else { continue }
            if bindings[name] == nil { names.append(name) }
            bindings[name, default: []].append(binding)
        }
        return names.map { ($0, bindings[$0, default: []]) }
    }()

    static let commandNames = Set(rebindable.map(\.name))

    public init(_ preferences: EditorPreferences) { self.init(preferences.keys) }

    init(_ keys: [String: [Key]]) {
        bindings = KeyBinding.all.flatMap { binding in
            guard let name = binding.command.preferenceName, let new = keys[name], binding.isOfPanes else {
                return [binding]
            }
            return [binding.inPanes(with: new), binding.outsidePanes].compactMap(\.self)
        }
        words = bindings.map(CommandWords.init)
        moved = Dictionary(
            Self.rebindable.flatMap { name, bindings -> [(Substring, String)] in
                guard let new = keys[name] else { return [] }
                let word = new.first?.name(.ascii) ?? ":\(bindings[0].name)"
                return bindings[0].keys.filter { !new.contains($0) }.map {
                    (Substring($0.name(.ascii)), word)
                }
            },
            uniquingKeysWith: { first, _ in first }
        )
        let useful = bindings.filter { $0.isUseful != nil && !$0.keys.isEmpty }
        hints = Dictionary(
            uniqueKeysWithValues: Mode.allCases.map { mode in
                (mode, useful.filter { $0.modes.contains(mode) })
            }
        )
    }

    func hints(in mode: Mode) -> [KeyBinding] { hints[mode, default: []] }

    /// A message with the user's keys. Messages are written with the standard keys: “Press u to undo.”
    func naming(_ text: String) -> String {
        if moved.isEmpty { return text }
        return text.replacing(#/Press (\S+) /#) { match in "Press \(moved[match.1] ?? String(match.1)) " }
    }

    /// Why a command cannot have these keys; nil if it can.
    func problem(binding keys: [Key], to name: String) -> String? {
        let modes = Set(bindings.filter { $0.command.preferenceName == name }.flatMap(\.modes))
            .intersection(Mode.panes)
        for key in keys {
            let others = bindings.filter {
                $0.keys.contains(key) && $0.command.preferenceName != name
                    && !modes.isDisjoint(with: $0.modes)
            }
            // A key has one command in each pane. The list of keys is the one that people know.
            let other = others.first { $0.modes.contains(.keys) } ?? others.first
            if let other {
                return "\(key.name(.ascii)) is already the key of “\(other.name)”. Choose another key."
            }
        }
        return nil
    }
}

extension KeyBinding {
    var isOfPanes: Bool { modes.contains(where: Mode.panes.contains) }

    /// The binding with other keys, in the panes only.
    fileprivate func inPanes(with keys: [Key]) -> KeyBinding {
        var binding = self
        binding.keys = keys
        binding.modes = modes.filter(Mode.panes.contains)
        return binding
    }

    /// The binding as it is, without the panes; nil if it has no other mode.
    fileprivate var outsidePanes: KeyBinding? {
        var binding = self
        binding.modes = modes.filter { !Mode.panes.contains($0) }
        return binding.modes.isEmpty ? nil : binding
    }
}
