import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("read of one key in a large file")
struct OneValueCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// So many bytes that one value is read alone.
    private static let filling =
        "<key>filling</key><string>" + String(repeating: "x", count: 300_000) + "</string>"

    private func write(_ text: String, _ encoding: String.Encoding = .utf8) throws {
        let text = "<plist><dict>" + Self.filling + text + "</dict></plist>"
        try #require(text.data(using: encoding)).write(to: URL(fileURLWithPath: folder.file("app.plist")))
    }

    @Test(
        "prints the value of the key at the top",
        arguments: [
            ("<key>size</key><integer>1</integer>", "1\n"),
            (
                "<key>window</key><dict><key>size</key><true/></dict><key>size</key><integer>2</integer>",
                "2\n"
            ),
            ("<key>size</key><integer>1</integer><key>size</key><integer>3</integer>", "3\n"),
        ]
    )
    func value(_ text: String, _ output: String) throws {
        try write(text)
        #expect(try pdefaults(folder, "read", "app", "size").output == output)
    }

    @Test("does not find the key of a nested dictionary")
    func nested() throws {
        try write("<key>window</key><dict><key>size</key><true/></dict>")
        let result = try pdefaults(folder, "read", "app", "size")
        #expect(result.ending == .exit(1))
        #expect(result.output == "")
        #expect(result.errors.contains("does not exist"))
    }

    @Test("reads a file in UTF-16")
    func utf16() throws {
        try write("<key>size</key><integer>4</integer>", .utf16)
        #expect(try pdefaults(folder, "read", "app", "size").output == "4\n")
    }

    @Test("names the line of an error anywhere in the file")
    func malformed() throws {
        try write("<key>size</key><integer>1</integer>\n<key>other</key><integer>x</integer>")
        let result = try pdefaults(folder, "read", "app", "size")
        #expect(result.ending == .exit(1))
        #expect(result.output == "")
        #expect(result.errors.contains("line 2, column"), "\(result.errors)")
    }
}
