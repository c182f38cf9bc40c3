import Testing

@testable import PropertyList

@Suite("JSON files that people have")
struct JSONSampleFilesTests {
    /// A typical edit of a file, and the lines that it may change.
    struct Change: CustomTestStringConvertible, Sendable {
        let name: String
        let file: String
        let edits: [ValueEdit]
        /// The lines that are no longer there, and then those that are new.
        let difference: String

        init(_ name: String, _ file: JSONSampleFile, _ edits: [ValueEdit], _ difference: String) {
            (self.name, self.file, self.edits, self.difference) = (name, file.text, edits, difference)
        }

        var testDescription: String { name }
    }

    @Test("An edit keeps every other line, byte by byte", arguments: editor + secondEditor + others)
    func keepsOtherLines(_ change: Change) throws {
        var (document, values) = try PropertyListDocument.read(Array(change.file.utf8))
        let old = PropertyListValue.dictionary([String: PropertyListValue](values))
        guard case .dictionary(let new) = try old.editing(change.edits) else { return }
        var changes: [String: PropertyListValue?] = [:]
        for (key, value) in values where new[key] != value { changes.updateValue(new[key], forKey: key) }
        for (key, value) in new where values[key] == nil { changes[key] = value }
        try document.apply(changes)

        let difference = lines(String(decoding: document.bytes, as: UTF8.self)).difference(
            from: lines(change.file)
        )
        let found = (difference.removals + difference.insertions).map(\.line).joined(separator: "\n")
        #expect(found == change.difference)
        // The file has the new values now: storing them again changes nothing.
        let bytes = document.bytes
        try document.apply(new.mapValues { Optional($0) })
        #expect(document.bytes == bytes)
    }

    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("Each file is read, its comments are found, and storing the same values changes no byte")
    func isRead() throws {
        for sample in JSONSampleFile.allCases {
            let file = sample.text
            var (document, values) = try PropertyListDocument.read(Array(file.utf8))
            #expect(document.format == .json)
            #expect(document.comments.isEmpty == !file.contains("//"))
            try document.apply([String: PropertyListValue](values).mapValues { Optional($0) })
            #expect(document.bytes == Array(file.utf8))
        }
    }

    private static func set(_ value: PropertyListValue, _ steps: PathStep...) -> ValueEdit {
        ValueEdit(.replace(.propertyList(value)), at: ValuePath(steps))
    }

    private static func add(_ value: PropertyListValue, _ steps: PathStep...) -> ValueEdit {
        ValueEdit(.insert(.propertyList(value)), at: ValuePath(steps))
    }

    private static func remove(_ steps: PathStep...) -> ValueEdit {
        ValueEdit(.remove, at: ValuePath(steps))
    }

    static let editor: [Change] = [
        Change(
            "a number with a comment behind it",
            .editor,
            [set(13, .key("text.size"))],
            """
            -    "text.size": 14.0, // 13 on the notebook
            +    "text.size": 13, // 13 on the notebook
            """
        ),
        Change(
            "an equal number",
            .editor,
            [set(14, .key("text.size"))],
            ""
        ),
        Change(
            "one more ruler",
            .editor,
            [add(120, .key("text.rulers"), .index(2))],
            """
            -    "text.rulers": [80, 110],
            +    "text.rulers": [80, 110, 120],
            """
        ),
        Change(
            "a member of an object on one line",
            .editor,
            [set(true, .key("text.cursor"), .key("blinks"))],
            """
            -    "text.cursor": {"style": "line", "blinks": false, "width": 2},
            +    "text.cursor": {"style": "line", "blinks": true, "width": 2},
            """
        ),
        Change(
            "a new setting",
            .editor,
            [add("dark", .key("window.style"))],
            """
            +    "window.style": "dark",
            """
        ),
        Change(
            "a setting less, with the comment behind it",
            .editor,
            [remove(.key("git.fetch"))],
            """
            -    "git.fetch": 180, // seconds; 0 is never
            """
        ),
        Change(
            "a hidden file more, behind one without a comma",
            .editor,
            [add(true, .key("files.hidden"), .key("**/*.pyc"))],
            """
            -        "**/.DS_Store": true
            +        "**/.DS_Store": true,
            +        "**/*.pyc": true
            """
        ),
        Change(
            "a type more, behind a comment",
            .editor,
            [add("xml", .key("files.types"), .key("*.svg"))],
            """
            -        "*.json": "jsonc" // most have comments
            +        "*.json": "jsonc", // most have comments
            +        "*.svg": "xml"
            """
        ),
        Change(
            "a member less in an object with a comma at the end",
            .editor,
            [remove(.key("typing.suggest"), .key("snippets"))],
            """
            -        "snippets": "bottom",
            """
        ),
        Change(
            "an argument less, below a comment",
            .editor,
            [remove(.key("terminal.arguments"), .index(1))],
            """
            -        "--login",
            -        "-i"
            +        "--login"
            """
        ),
        Change(
            "a language with settings of its own, on one line as the first object is",
            .editor,
            [add(["text.tabSize": 2, "text.wrap": "on"], .key("[yaml]"))],
            """
            +    "[yaml]": {"text.tabSize": 2, "text.wrap": "on"},
            """
        ),
    ]

    static let secondEditor: [Change] = [
        Change(
            "a text deep inside",
            .secondEditor,
            [set("Ink Dimmed", .key("theme"), .key("dark"))],
            """
            -\t\t"dark": "Ink" // not "Ink Dimmed"
            +\t\t"dark": "Ink Dimmed" // not "Ink Dimmed"
            """
        ),
        Change(
            "an empty object opens",
            .secondEditor,
            [add("æ", .key("vi"), .key("digraphs"), .key("ae"))],
            """
            -\t\t"digraphs": {},
            +\t\t"digraphs": {
            +\t\t\t"ae": "æ"
            +\t\t},
            """
        ),
        Change(
            "a panel less, with the comment behind it",
            .secondEditor,
            [remove(.key("panels"), .index(1))],
            """
            -\t\t{ "name": "outline", "dock": "left", "width": 240 }, // shares the dock
            """
        ),
        Change(
            "a language less, with all that is in it",
            .secondEditor,
            [remove(.key("languages"), .key("Go"))],
            """
            -\t\t"Go": {
            -\t\t\t"tabSize": 8, // real tabs
            -\t\t\t"servers": ["gopls", "..."],
            -\t\t\t"formatOnSave": true
            -\t\t},
            """
        ),
        Change(
            "a new setting before the comment at the end",
            .secondEditor,
            [add(true, .key("bell"))],
            """
            -\t"scroll": { "margin": 3, "speed": 1.0 }
            +\t"scroll": { "margin": 3, "speed": 1.0 },
            +\t"bell": true
            """
        ),
        Change(
            "a value in place of null, and two edits at once",
            .secondEditor,
            [set("http://proxy:3128", .key("proxy")), set(10, .key("autosave"), .key("seconds"))],
            """
            -\t"proxy": null, // set at the office
            +\t"proxy": "http://proxy:3128", // set at the office
            """
        ),
    ]

    static let others: [Change] = [
        Change(
            "the version of a package",
            .package,
            [set("2.5.0", .key("version"))],
            """
            -  "version": "2.4.1",
            +  "version": "2.5.0",
            """
        ),
        Change(
            "a dependency more",
            .package,
            [add("^4.0.1", .key("dependencies"), .key("dayjs"))],
            """
            -    "lit": "~3.2.0"
            +    "lit": "~3.2.0",
            +    "dayjs": "^4.0.1"
            """
        ),
        Change(
            "a dependency less",
            .package,
            [remove(.key("devDependencies"), .key("eslint"))],
            """
            -    "eslint": "^9.12.0",
            """
        ),
        Change(
            "the last dependency goes",
            .package,
            [remove(.key("devDependencies"), .key("typescript"))],
            """
            -    "eslint": "^9.12.0",
            -    "typescript": "5.6.x"
            +    "eslint": "^9.12.0"
            """
        ),
        Change(
            "an option of the compiler",
            .compiler,
            [set("es2024", .key("compilerOptions"), .key("target"))],
            """
            -    "target": "es2022",                       /* What the oldest browser runs. */
            +    "target": "es2024",                       /* What the oldest browser runs. */
            """
        ),
        Change(
            "an option more, behind a comment",
            .compiler,
            [add(true, .key("compilerOptions"), .key("noEmit"))],
            """
            -    "skipLibCheck": true                      /* The types of others are theirs. */
            +    "skipLibCheck": true,                      /* The types of others are theirs. */
            +    "noEmit": true
            """
        ),
        Change(
            "an element more on one line",
            .compiler,
            [add("tools", .key("include"), .index(2))],
            """
            -  "include": ["src/**/*.ts", "test"],
            +  "include": ["src/**/*.ts", "test", "tools"],
            """
        ),
        Change(
            "one of 5,000 members",
            .composed,
            [set(0, .key("section31"), .key("member73"))],
            """
            -    "member73": 73.50, // see file 73
            +    "member73": 0, // see file 73
            """
        ),
        Change(
            "one more among 5,000 members",
            .composed,
            [add(true, .key("section31"), .key("extra"))],
            """
            -    "member99": [1, 99]
            +    "member99": [1, 99],
            +    "extra": true
            """
        ),
    ]
}

extension CollectionDifference<Substring>.Change {
    fileprivate var line: String {
        switch self {
        case .insert(_, let line, _): "+" + line
        case .remove(_, let line, _): "-" + line
        }
    }
}
