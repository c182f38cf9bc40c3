import Benchmark
import Foundation
import PropertyList
import SettingsEditor
import SettingsStore
import TerminalCanvas

/// Measures the editor's model: from a file or a key to the cells of the screen, without the terminal.
func registerEditorBenchmarks() {
    let keys = 100_000
    // Compares reading the file and drawing it with reading it only.
    compare("first screen of \(keys) keys", [.ours, .bare], seconds: 5) { folder in
        let file = try folder.file(of: .ours, keys: keys)
        return [
            .ours { try time { blackHole(view(try Editor(file: file).state, size: Editor.size)) } },
            .bare { try time { blackHole(try readSuite(file)) } },
        ]
    }
    for (work, script) in Editor.scripts {
        compare("\(work) among \(keys) keys", [.ours], rounds: 10000, seconds: 5) { folder in
            [pressing(script, in: try Editor(file: folder.file(of: .ours, keys: keys)))]
        }
    }
    for (kind, value) in Editor.largeValues(keys) {
        compare("opening \(kind) of \(keys) entries", [.ours], rounds: 200, seconds: 3) { folder in
            let editor = try Editor(file: folder.file(with: ["value": value]), isIdle: true)
            return [
                .ours {
                    var editor = editor
                    return processorTime { editor.press(.enter) }
                }
            ]
        }
        let filtering = "a letter of a filter with \(kind) of \(keys) entries open"
        compare(filtering, [.ours], rounds: 2000, seconds: 3) { folder in
            var editor = try Editor(file: folder.file(with: ["value": value, "x": 1]), isIdle: true)
            editor.press(.enter)
            return [pressing(Editor.filterInside, in: editor)]
        }
        // Values on the screen are read between the keys.
        let reading = "the slowest key while \(kind) of \(keys) entries is read"
        compare(reading, [.ours], rounds: 200, seconds: 3) { folder in
            let editor = try Editor(file: folder.file(with: ["value": value, "x": 1]))
            return [
                .ours {
                    var editor = editor
                    var slowest = 0
                    repeat {
                        for key in [Key.down, .up] {
                            slowest = max(slowest, processorTime { editor.press(key) })
                        }
                    } while editor.state.hasWork
                    return slowest
                }
            ]
        }
    }
    let suites = 2000
    let jumping = "a letter of a jump among \(suites) suites of 100 keys"
    compare(jumping, [.ours], rounds: 10000, seconds: 5) { _ in
        [pressing(Editor.jump, in: Editor(suites: suites, keys: 100))]
    }
    compare("first screen of \(suites) suites", [.ours]) { folder in
        let path = folder.path + "/suites"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let file = try Sample.file(keys: 10, .xml)
        for number in 0..<suites {
            try file.write(to: URL(fileURLWithPath: "\(path)/org.example.suite\(number).plist"))
        }
        return [.ours { try time { blackHole(view(try Editor(folder: path).state, size: Editor.size)) } }]
    }
    compare("memory of the editor, \(keys) keys", [.ours, .bare], rounds: 10) { folder in
        _ = try folder.file(of: .ours, keys: 10)
        let file = try folder.file(of: .ours, keys: keys)
        let size = try Data(contentsOf: URL(fileURLWithPath: file)).count
        return [
            .ours {
                let path = URL(fileURLWithPath: file).deletingLastPathComponent().path
                return try SecondProcess(.holdEditor, path).receive().number
            },
            .bare { size },
        ]
    }
}

/// Presses one key of the script in each round, and begins again after the last one.
private func pressing(_ script: [Key], in editor: Editor) -> Measured {
    var editor = editor
    var next = 0
    return .ours {
        let key = script[next % script.count]
        next += 1
        return processorTime { editor.press(key) }
    }
}

extension BenchmarkFolder {
    /// Creates a binary file with these values, and returns its path.
    fileprivate func file(with values: [String: PropertyListValue]) throws -> String {
        let file = path + "/large.plist"
        let bytes = try PropertyListValue.dictionary(values).encoded(as: .binary)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}

/// The editor as its event loop runs it, without a terminal and without threads.
struct Editor {
    static let size = Size(columns: 100, rows: 40)

    private(set) var state: EditorState
    private var suites: [String: SettingsSuite] = [:]
    /// The content of every suite that is read without opening it.
    private var looked = PropertyListEntries()

    /// Opens one suite and reads it.
    ///
    /// - Parameter isIdle: Whether to finish all background work first, as if no key was pressed for a while.
    init(file: String, isIdle: Bool = false) throws {
        state = EditorState(options: EditorOptions(places: [Place(file, title: file, isFile: true)]))
        suites[file] = SettingsSuite(file: file)
        begin([SuiteListing(id: file, title: file)])
        while isIdle, state.hasWork { apply(.work(.goOn(budget: Work.budgetBetweenKeys))) }
    }

    /// Opens all suites of a folder and reads the first one.
    init(folder path: String) throws {
        state = EditorState(options: EditorOptions(places: [Place(path, title: path)]))
        let folder = SettingsFolder(path: path)
        let names = try folder.suiteNames()
        if let first = names.first { suites[first.rawValue] = SettingsSuite(first, in: folder) }
        begin(names.map { SuiteListing(id: $0.rawValue, title: $0.rawValue) })
    }

    /// Opens many suites and starts to search for a key.
    init(suites count: Int, keys: Int) {
        state = EditorState(options: EditorOptions(places: [Place("/", title: "/")]))
        looked = PropertyListEntries(Sample.values(keys: keys))
        begin((0..<count).map { SuiteListing(id: "org.example.suite\($0)", title: "org.example.suite\($0)") })
        press(.character("f"))
    }

    private mutating func begin(_ suites: [SuiteListing]) {
        apply(.terminal(.resized(Self.size)))
        apply(.store(.listed(suites)))
    }

    private mutating func apply(_ message: Message) {
        for effect in update(&state, message) {
            switch effect {
            case .load(let id):
                guard let suite = suites[id] else { continue }
                apply(.store(.loaded(id, values: suite.storedEntries, suite.status)))
            case .read(let ids): for id in ids { apply(.store(.read(id, values: looked, SuiteSchema()))) }
            case .send(let message): apply(message)
            default: break
            }
        }
    }

    /// Presses a key while a search is running, and draws the screen.
    mutating func press(_ key: Key) {
        if state.hasWork { apply(.work(.goOn(budget: Work.budgetBetweenKeys))) }
        for message in messages(for: .key(key), in: state) { apply(message) }
        blackHole(view(state, size: Self.size))
    }

    /// Returns a large value of each kind that can be expanded.
    static func largeValues(_ count: Int) -> [(kind: String, value: PropertyListValue)] {
        let names = (0..<count).map(Sample.key)
        let object = "{" + names.map { "\"\($0)\": \"a value\"" }.joined(separator: ", ") + "}"
        let list = "[" + names.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
        return [
            ("an array", .array(names.map { .string($0) })),
            ("a dictionary", .dictionary(Dictionary(uniqueKeysWithValues: names.map { ($0, true) }))),
            ("a JSON array", .data(Data(list.utf8))),
            ("a JSON object", .data(Data(object.utf8))),
        ]
    }

    /// The keys to press repeatedly: ⏎ Enter, ⎋ Esc, ⌫ Backspace, ↓ Down, ⇞ ⇟ PgUp and PgDn, ↖ ↘ Home and
    /// End.
    static let scripts: [(work: String, keys: [Key])] = [
        ("a movement", keys("jjjjkkj⇟⇟⇞↘⇞↖20000jlljjhhjjGkkkkg")),
        ("a letter of a search", keys("/number 99⏎nnN/key0999⎋/nowhere at all⏎")),
        ("a letter of a filter", keys("&number 99⏎jjjk⎋&key0999⎋&true⏎↘↖⎋")),
        ("a letter of a jump", keys("fkey099↓↓⎋fk9⎋fnowhere⎋Fnumber 99↓⎋Ftrue⎋")),
    ]

    static let jump = keys("key09↓↓⌫⌫⌫⌫⌫s1999k↓⌫⌫⌫⌫⌫⌫")

    static let filterInside = keys("&key099⏎jjjk⎋&9⏎↘↖⎋&a va⏎jj⇟⎋&nowhere⎋")

    private static func keys(_ text: String) -> [Key] { text.map { special[$0] ?? .character($0) } }

    private static let special: [Character: Key] = [
        "⏎": .enter, "⎋": .escape, "↓": .down, "⌫": .backspace, "⇞": .pageUp, "⇟": .pageDown, "↖": .home,
        "↘": .end,
    ]
}
