import Foundation
import PropertyList

/// A row of the tables about files that other programs or people wrote.
struct KeptFile {
    let name: String
    let bytes: [UInt8]
    /// The bytes to look for in the file after another key was changed.
    let part: [UInt8]
    /// False if Foundation on Linux crashes or hangs when it reads the file, or traps when it prints
    /// the value.
    var asksFoundation = true

    static let tables: [(title: String, rows: [KeptFile])] = [
        ("Contents of XML files", xmlValues + xmlDictionaries + xmlFiles + xmlEncodings),
        ("Contents of binary files", binary),
        ("Contents of OpenStep files", openStep),
    ]
}

// MARK: - Binary

extension KeptFile {
    /// Creates a binary file with the given object as the value of a key.
    private static func object(_ name: String, _ object: [UInt8], asksFoundation: Bool = true) -> KeptFile {
        let builder = BinaryBuilder([0xD1, 1, 2], [0x55] + Array("value".utf8), object)
        return KeptFile(name: name, bytes: builder.bytes, part: object, asksFoundation: asksFoundation)
    }

    private static func objects(
        _ name: String,
        _ builder: BinaryBuilder,
        _ part: [UInt8] = [],
        asksFoundation: Bool = true
    ) -> KeptFile {
        KeptFile(name: name, bytes: builder.bytes, part: part, asksFoundation: asksFoundation)
    }

    private static let key: [UInt8] = [0x55] + Array("value".utf8)

    private static let binary = [
        object("integer of 1 byte, unsigned", [0x10, 0xFF]),
        object("integer of 4 bytes, unsigned", [0x12, 0xFF, 0xFF, 0xFF, 0xFF]),
        object("integer of 8 bytes, signed", [0x13] + [UInt8](repeating: 0xFF, count: 8)),
        object("integer of 8 bytes, although 1 is enough", [0x13] + BinaryBuilder.number(7, 8)),
        object(
            "integer of 16 bytes, up to the largest `UInt64`",
            [0x14] + BinaryBuilder.number(0, 8) + [UInt8](repeating: 0xFF, count: 8)
        ),
        object(
            "integer of 16 bytes, larger",
            [0x14] + BinaryBuilder.number(1, 8) + BinaryBuilder.number(0, 8)
        ),
        object("real of 4 bytes", [0x22, 0x3D, 0xCC, 0xCC, 0xCD]),
        object("date that is not a number", [0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0], asksFoundation: false),
        object("date with a fraction", [0x33, 0xBF, 0xF8, 0, 0, 0, 0, 0, 0]),
        object("string marked as ASCII with a byte above 127", [0x51, 0xE9]),
        object("ASCII string with NUL and escape", [0x52, 0x00, 0x1B]),
        object("UTF-16 string of ASCII letters", [0x61, 0, 0x61]),
        object("half a surrogate pair", [0x62, 0, 0x61, 0xD8, 0x3D]),
        object("U+FFFF", [0x61, 0xFF, 0xFF]),
        object("byte-order mark in a string", [0x62, 0xFE, 0xFF, 0, 0x61]),
        object("null", [0x00]), object("URL", [0x0C]), object("UUID", [0x0E]),
        object("set", [0xC1, 0x01], asksFoundation: false),
        object("ordered set", [0xB1, 0x01], asksFoundation: false), object("unknown marker", [0x70]),
        object("reference of a keyed archive", [0x80, 5]),
        object("reference above 64 bits", [0x8F, 1] + BinaryBuilder.number(0, 15)),
        objects(
            "repeated key",
            BinaryBuilder([0xD2, 1, 1, 2, 3], key, [0x53, 1, 2, 3], [0x53, 4, 5, 6]),
            [0x53, 1, 2, 3]
        ),
        objects(
            "é as two keys, composed and decomposed",
            BinaryBuilder(
                [0xD2, 1, 2, 3, 4],
                [0x61, 0, 0xE9],
                [0x62, 0, 0x65, 3, 1],
                [0x53, 1, 2, 3],
                [0x53, 4, 5, 6]
            ),
            [0x53, 1, 2, 3]
        ),
        objects("key that is an integer", BinaryBuilder([0xD1, 1, 2], [0x10, 1], [0x09])),
        objects(
            "value that two keys share",
            BinaryBuilder([0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x62], [0xA1, 4], [0x53, 1, 2, 3]),
            [0x53, 1, 2, 3]
        ),
        objects(
            "object that nothing refers to",
            BinaryBuilder([0xD1, 1, 2], key, [0x09], [0x53, 1, 2, 3]),
            [0x53, 1, 2, 3]
        ),
        objects(
            "array that contains itself",
            BinaryBuilder([0xD1, 1, 2], key, [0xA1, 2]),
            asksFoundation: false
        ),
        objects("reference to a missing object", BinaryBuilder([0xD1, 1, 9], key, [0x09])),
        objects(
            "version 01",
            BinaryBuilder([0xD1, 1, 2], key, [0x09]).with { $0.header = "bplist01" },
            Array("bplist01".utf8)
        ),
        objects("version 15", BinaryBuilder([0xD1, 1, 2], key, [0x09]).with { $0.header = "bplist15" }),
        objects("array at the top", BinaryBuilder([0xA0])),
        KeptFile(
            name: "truncated file",
            bytes: Array(BinaryBuilder([0xD1, 1, 2], key, [0x09]).bytes.dropLast(20)),
            part: []
        ),
    ]
}

// MARK: - OpenStep

extension KeptFile {
    private static func openStep(_ text: String) -> KeptFile { openStep("`\(text)`", text) }

    private static func openStep(_ name: String, _ text: String) -> KeptFile {
        KeptFile(name: name, bytes: Array(text.utf8), part: Array(text.utf8))
    }

    private static let openStep = [
        openStep("{ value = word; }"), openStep("{ value = \"two words\"; }"), openStep("{ value = 'a'; }"),
        openStep("{ value = 5; }"),
        openStep("{ value = YES; }"), openStep("{ value = <0fbd 77>; }"), openStep("{ value = <0fb>; }"),
        openStep("{ value = <[AP8=]>; }"), openStep("{ value = <[AP*=]>; }"),
        openStep("{ value = (a, b, ); }"),
        openStep("{ value = { a = b; }; }"), openStep("value = a;"), openStep("{ value; }"),
        openStep("{ value = a }"),
        openStep("comments", "{ /* note */ value = a; // note\n }"), openStep("{ value = a; value = b; }"),
        openStep("{ value = \"\\U00e9\\351\\n\"; }"), openStep("{ value = \"\\UD83D\"; }"),
        openStep("{ value = \"\\376\"; }"),
        openStep("{ value = <*I5>; }"), openStep("{ value = <*R1.5>; }"), openStep("{ value = <*BY>; }"),
        openStep("{ value = <*D2024-01-01 00:00:00 +0000>; }"), openStep("{ value = <*X5>; }"),
        openStep("{ CF$UID = 5; }"),
        openStep("an unescaped escape character in a string", "{ value = \"a\u{1B}b\"; }"), openStep("(a)"),
        openStep("word"),
        openStep("{ value = a@b; }"),
        KeptFile(
            name: "UTF-16 with a mark",
            bytes: [0xFF, 0xFE] + utf16("{ value = a; }", bigEndian: false),
            part: utf16("{ value = a; }", bigEndian: false)
        ),
        KeptFile(
            name: "bytes that are not UTF-8",
            bytes: [0x7B, 0x61, 0x3D, 0x22, 0xE9, 0x22, 0x3B, 0x7D],
            part: []
        ),
    ]
}
