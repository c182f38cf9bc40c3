import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import Testing

@Suite("A storage that keeps the spelling of values")
struct SpellingTests {
    @Test(
        "writes a restored value with its old bytes, also after foreign writes, but only if the option is on"
    )
    func takingBack() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/suite.plist"
        let entry = "<!-- of a --><key>a</key> <real>1.50</real>"
        let text = "<plist version=\"1.0\"><dict>\(entry)\n</dict></plist>\n"
        for keeps in [true, false] {
            try folder.write(bytes: Array(text.utf8), to: path)
            var storage = FileStorage(path: path)
            storage.keepsSpellings = keeps
            _ = try storage.read()
            try storage.update { _ in StorageWrite(changes: ["a": 2.25]) }
            let changed = try String(contentsOfFile: path, encoding: .utf8)
            #expect(changed == text.replacing("1.50", with: "2.25"))
            let others = changed.replacing("\n</dict>", with: "<!-- end --></dict>")
            try folder.write(bytes: Array(others.utf8), to: path)
            try storage.update { _ in StorageWrite(changes: ["a": 1.5]) }
            let back = try String(contentsOfFile: path, encoding: .utf8)
            #expect(back == others.replacing("2.25", with: keeps ? "1.50" : "1.5"))
        }
    }

    @Test("gives a JSON file its old text back, unless somebody has changed it since")
    func takingBackInJSON() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/suite.json"
        let text =
            "{\n  // of a\n  \"a\": 1.50, // behind a\n  \"b\": {\n    \"x\": 1, // behind x\n    \"y\": 2\n  }\n}\n"
        var storage = FileStorage(path: path)
        storage.keepsSpellings = true
        func now() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
        try folder.write(bytes: Array(text.utf8), to: path)
        var before = PropertyListEntries()
        try storage.read().apply(to: &before)
        let (a, b) = (try #require(before["a"]), try #require(before["b"]))
        try storage.update { _ in StorageWrite(changes: ["a": nil]) }
        let withoutA = try now()
        try storage.update { _ in StorageWrite(changes: ["b": ["y": 2]]) }
        #expect(!(try now()).contains("behind"))
        try storage.update { _ in StorageWrite(changes: ["b": b]) }
        #expect(try now() == withoutA)
        try storage.update { _ in StorageWrite(changes: ["a": a]) }
        #expect(try now() == text)
        try storage.update { _ in StorageWrite(changes: ["a": nil]) }
        #expect(try now() == withoutA, "as when it is redone")
        let others = withoutA.replacing("of a", with: "of nobody")
        try folder.write(bytes: Array(others.utf8), to: path)
        try storage.update { _ in StorageWrite(changes: ["a": a]) }
        #expect(try now().contains("of nobody") && now().contains("\"a\": 1.50"))
    }
}
