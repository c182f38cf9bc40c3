import Foundation
import ProgramHarness
import PropertyList
import Testing

@testable import CommandLanguage

@Suite("Copied commands in a real shell")
struct CopiedCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let texts = [
        "", "plain", "two words", "it's", "\"double\"", "back\\slash", "$HOME `date` $(date) !!", "*?[a-z]~",
        "line\nfeed", "ends with a line feed\n", "\n", "tab\there", "escape \u{1B}[31m",
        "bell \u{7} and delete \u{7F}",
        "\u{85}\u{9B}", "čeština 世界 👩‍👩‍👧‍👦", "-dash", "--option", "#hash", "a=b&c|d;e<f>g", "{braces,here}",
        "(1, 2)", "\r\n", "'", "''", "\\'", "%s %n",
    ]

    private static let values: [PropertyListValue] =
        texts.map { .string($0) } + [
            true, false, 0, -5, .integer(PropertyListInteger(UInt64.max)), 0.1, .real(-.infinity),
            .real(1e300),
            .date(Date(timeIntervalSinceReferenceDate: 12_345)), .data(Data([0, 1, 0xFF])), .data(Data()),
            .data(Data("{\"a\": [1, 2.50, null],\n \"it's\": \"\\u0007\"} ".utf8)),
            [], [:], [1, "1", true, 1.5, [[]], [:]], ["a": ["b": ["c": [1, 2, ["d": "it's"]]]]],
            .array(texts.map { .string($0) }),
            .dictionary(Dictionary(uniqueKeysWithValues: texts.map { ($0, .string($0 + "!")) })),
            [.date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data([9])), .uid(7)],
        ]

    @Test("Each value is written exactly as it was")
    func values() throws {
        let directory = "folder with a space and 'quotes'"
        try FileManager.default.createDirectory(
            atPath: folder.file(directory),
            withIntermediateDirectories: true
        )
        let keys = Self.texts.filter { !$0.isEmpty }
        var expected: [String: PropertyListValue] = [:]
        var script = ""
        for (number, value) in Self.values.enumerated() {
            let key = keys[number % keys.count] + (number < keys.count ? "" : "\(number)")
            expected[key] = value
            let command = try ShellCommand(
                options: ["--directory", folder.file(directory)],
                suite: "it's",
                path: [.key(key)],
                node: ValueNode(value)
            )
            script += command.text + " || exit 1\n"
        }
        // XML cannot store control characters.
        let file = folder.file(directory) + "/it's.plist"
        let empty = try PropertyListValue.dictionary([:]).encoded(as: .binary)
        try Data(empty).write(to: URL(fileURLWithPath: file))
        let program = URL(fileURLWithPath: try builtProgram(named: "pdefaults")).deletingLastPathComponent()
            .path
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", script]
        shell.environment = ["PATH": program + ":/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8"]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(try PropertyListValue.read(bytes).value == .dictionary(expected))
    }
}
