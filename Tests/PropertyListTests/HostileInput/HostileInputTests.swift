import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Damaged property lists")
struct HostileInputTests {
    private static let value: PropertyListValue = [
        "a": [
            true, 1, -1, 1.5, "é", .uid(7), .data(Data([1, 2, 3, 4])),
            .date(Date(timeIntervalSinceReferenceDate: 0.5)),
        ],
        "b": ["": [:], "\u{1F600}": []], "c": .integer(PropertyListInteger(UInt64.max)),
        "d": "ASCII & more text",
    ]

    static let files: [(String, [UInt8])] = [
        ("XML", (try? value.encoded(as: .xml)) ?? []),
        (
            "XML with everything",
            Array(
                """
                <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "a" 'b'><plist version="1.0"><!-- c --><dict>
                <key>&#65;&amp;</key><string><![CDATA[<>]]>é</string><?pi?><key/><array><true/><real>-1e5</real></array>
                <key>d</key><data>AAECAw==</data><key>t</key><date>2024-02-29T00:00:00Z</date></dict></plist>
                """.utf8
            )
        ),
        ("binary", (try? value.encoded(as: .binary)) ?? []),
        (
            "OpenStep",
            Array(
                #"// c\#n{ a = "\U00e9\n\101"; 'b' = (<0fa0>, <*I5>, <*D2024-01-01 00:00:00 +0000>); /* */ }"#
                    .utf8
            )
        ),
        (
            "UTF-16",
            [0xFF, 0xFE]
                + utf16(
                    "<?xml version='1.0'?><dict><key>é</key><integer>0x10</integer></dict>",
                    bigEndian: false
                )
        ),
    ]

    /// Reads the bytes as a value and as a document. Both must succeed or fail, and agree.
    private func read(_ bytes: [UInt8]) -> Bool {
        let value = try? PropertyListValue.read(bytes).value
        guard let (document, values) = try? PropertyListDocument.read(bytes) else { return value != nil }
        if case .dictionary(let entries)? = value { #expect(values == entries) }
        var changed = document
        if (try? changed.apply(["new": 1])) != nil {
            var expected = values
            expected["new"] = 1
            #expect((try? PropertyListDocument.read(changed.bytes).values) == expected)
        }
        return true
    }

    @Test("A truncated file is read or refused and never taken for the whole file", arguments: files)
    func truncatedFileIsReadOrRefusedAndNeverTakenForTheWholeFile(_ name: String, _ bytes: [UInt8]) {
        #expect(throws: Never.self) { try PropertyListDocument.read(bytes) }
        for count in 0..<bytes.count - 1 {
            #expect(throws: PropertyListError.self, "\(count)") {
                try PropertyListDocument.read(Array(bytes.prefix(count)))
            }
        }
    }

    @Test("A file with a changed byte is read or refused", arguments: files)
    func fileWithAChangedByteIsReadOrRefused(_ name: String, _ bytes: [UInt8]) throws {
        let (original, oldValues) = try PropertyListDocument.read(bytes)
        for index in bytes.indices {
            for new in [0, bytes[index] ^ 0x80, bytes[index] &+ 1, UInt8(ascii: "<")] {
                var mutation = bytes
                mutation[index] = new
                var document = original
                let full = try? PropertyListDocument.read(mutation)
                let differences = try? document.update(to: mutation)
                #expect((full == nil) == (differences == nil), "byte \(index) as \(new)")
                guard let full, let differences else { continue }
                var updated = oldValues
                for (key, value) in differences { updated[key] = value }
                #expect(updated == full.values, "byte \(index) as \(new)")
            }
        }
    }

    @Test(
        "Random bytes after a valid start are read or refused",
        arguments: [
            "", "<", "<plist>", "<dict><key>", "bplist00", "{a=", "(", "\"\\", "<*", "<?xml encoding='",
        ]
    )
    func randomBytesAfterAValidStartAreReadOrRefused(_ start: String) {
        var generator = SeededGenerator(seed: UInt64(start.utf8.count))
        let alphabet = Array("<>/!-[]?&;#xka\"'{}()=,\\U0179 \n".utf8)
        for round in 0..<400 {
            let rest = (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
                round % 2 == 0
                    ? UInt8.random(in: 0...255, using: &generator)
                    : alphabet.randomElement(using: &generator) ?? 0
            }
            _ = read(Array(start.utf8) + rest)
        }
    }
}
