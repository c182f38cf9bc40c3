import Foundation
import Testing

@testable import PropertyList

@Suite("Replacing single values of a binary file")
struct BinarySplicesTests {
    /// Creates a document with `count` keys that have numbers, and some keys with other values.
    private func document(_ count: Int) throws -> (
        document: PropertyListDocument, values: PropertyListEntries
    ) {
        var values: [String: PropertyListValue] = ["array": [1, "two"], "yes": true, "text": "a text"]
        for number in 0..<count { values["k\(number)"] = .integer(PropertyListInteger(1000 + number)) }
        let bytes = try PropertyListValue.dictionary(values).encoded(as: .binary)
        return try PropertyListDocument.read(bytes)
    }

    private func isInPlace(_ edit: PropertyListDocument.Edit, _ document: PropertyListDocument) -> Bool {
        document.pieces(after: edit).count > 1
    }

    /// The counts are close to the sizes at which an offset takes more bytes.
    @Test(
        "A value can be replaced by a value of any kind and size",
        arguments: [3, 10, 18, 19, 20, 40, 6500]
    )
    func valueCanBeReplacedByAValueOfAnyKindAndSize(_ count: Int) throws {
        let original = try document(count)
        for (name, value) in Sample.everywhere {
            var (document, values) = original
            let edit = try document.edit(["k1": value])
            let kind = value.kind
            #expect(
                isInPlace(edit, document) == (kind != .array && kind != .dictionary),
                "\(name)"
            )
            let pieces = Array(document.pieces(after: edit).joined())
            document.make(edit)
            values["k1"] = value
            #expect(document.bytes == pieces, "\(name)")
            #expect(try PropertyListDocument.read(pieces).values == values, "\(name)")
            #expect(document.value(forKey: "k1") == value)
            // The edited document can be changed again.
            try document.apply(["k0": "once more", "k2": nil])
            values["k0"] = "once more"
            values["k2"] = nil
            #expect(try PropertyListDocument.read(document.bytes).values == values, "\(name)")
        }
    }

    @Test("Several values can be replaced at once and restored")
    func severalValuesCanBeReplacedAtOnceAndRestored() throws {
        var (document, values) = try document(300)
        let old = document.bytes
        let changes: [String: PropertyListValue?] = [
            "k7": .string(String(repeating: "é", count: 200)), "k250": 0.5, "text": .data(Data(0...200)),
            "k9": 1009,
        ]
        let edit = try document.edit(changes)
        #expect(isInPlace(edit, document))
        document.make(edit)
        for (key, value) in changes { values[key] = value }
        #expect(try PropertyListDocument.read(document.bytes).values == values)
        try document.apply(["k7": 1007, "k250": 1250, "text": "a text"])
        #expect(document.bytes == old)
        #expect(try document.edit(["k7": 1007]).isEmpty)
    }

    private static let sharing: [(changes: [String: PropertyListValue], size: Int)] = [
        // A new object is added, with its offset.
        (["a": 2], 3), (["a": 2, "b": 3], 6), (["a": 2, "b": 3, "c": 4], 6), (["a": 256], 4),
        // The text is also the key of another entry.
        (["d": "a"], 0), (["d": 5], 3),
        // The boolean exists, or its last reference goes.
        (["a": true], 0), (["e": true], 0), (["e": false, "f": true], 2), (["a": false], 2),
        (["a": true, "b": true, "c": true], -1), (["e": 7, "f": 8], 4),
    ]

    @Test(
        "Replacing a shared value keeps it for the other entries and removes unused objects",
        arguments: sharing
    )
    func replacingASharedValueKeepsItForTheOtherEntriesAndRemovesUnusedObjects(
        _ changes: [String: PropertyListValue],
        _ growth: Int
    ) throws {
        let file = BinaryBuilder(
            [0xD6, 1, 2, 3, 4, 5, 6, 7, 7, 7, 1, 8, 8],
            [0x51, 0x61],
            [0x51, 0x62],
            [0x51, 0x63],
            [0x51, 0x64],
            [0x51, 0x65],
            [0x51, 0x66],
            [0x10, 1],
            [0x09]
        ).with { $0.offsetSize = 1 }
        var (document, values) = try PropertyListDocument.read(file.bytes)
        let edit = try document.edit(changes.mapValues { Optional.some($0) })
        #expect(edit.isEmpty || isInPlace(edit, document))
        document.make(edit)
        for (key, value) in changes { values[key] = value }
        #expect(try PropertyListDocument.read(document.bytes).values == values)
        #expect(document.bytes.count == file.bytes.count + growth)
    }

    @Test(
        "Files with overlapping, unordered or unused objects are rewritten",
        arguments: [
            // One entry of the offset table leads into another object.
            BinaryBuilder([0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x62], [0x11, 0x10, 1], []).with {
                $0.offsets = [8, 13, 15, 17, 18]
            },
            BinaryBuilder([0xD2, 1, 2, 4, 3], [0x51, 0x61], [0x51, 0x62], [0x10, 1], [0x11, 0x10, 1]).with {
                $0.offsets = [8, 13, 15, 20, 17]
                $0.objects = [
                    [0xD2, 1, 2, 4, 3], [0x51, 0x61], [0x51, 0x62], [0x11, 0x10, 1], [0x10, 1],
                ]
            },
            BinaryBuilder([0xD1, 1, 2], [0x51, 0x61], [0x10, 1], [0x56] + Array("secret".utf8)),
        ]
    )
    func filesWithOverlappingUnorderedOrUnusedObjectsAreRewritten(_ file: BinaryBuilder) throws {
        var (document, values) = try PropertyListDocument.read(file.bytes)
        let edit = try document.edit(["a": 77])
        #expect(!isInPlace(edit, document))
        document.make(edit)
        values["a"] = 77
        #expect(try PropertyListDocument.read(document.bytes).values == values)
        #expect(!document.bytes.contains("secret".utf8))
    }
}
