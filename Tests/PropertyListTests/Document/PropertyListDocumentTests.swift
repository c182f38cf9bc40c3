import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("A suite's file in every format")
struct PropertyListDocumentTests {
    @Test(
        "Random edits give the expected values, and update finds the same changes",
        arguments: [PropertyListFormat.xml, .binary],
        0..<40 as Range<UInt64>
    )
    func randomEditsGiveTheExpectedValuesAndUpdateFindsTheSameChanges(
        _ format: PropertyListFormat,
        _ seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var document = PropertyListDocument(format: format)
        var values: [String: PropertyListValue] = [:]
        for _ in 0..<25 {
            var changes: [String: PropertyListValue?] = [:]
            for _ in 0..<Int.random(in: 1..<15, using: &generator) {
                let key = "k\(Int.random(in: 0..<30, using: &generator))"
                let value: PropertyListValue? =
                    Int.random(in: 0..<4, using: &generator) == 0 ? nil : Sample.random(using: &generator)
                changes.updateValue(value, forKey: key)
            }
            var (follower, oldValues) = try PropertyListDocument.read(document.bytes)
            #expect(oldValues == values)
            for (key, value) in changes { values[key] = value }
            let edit = try document.edit(changes)
            let pieces = Array(document.pieces(after: edit).joined())
            #expect(edit.isEmpty == (pieces == document.bytes))
            try document.apply(changes)
            #expect(document.bytes == pieces)
            let expected = changes.filter { oldValues[$0.key] != $0.value }
            #expect(try follower.update(to: document.bytes) == expected)
            #expect(follower.bytes == document.bytes)
            // The positions after an update are as good as those after a new reading.
            try follower.apply(["k5": 5, "k15": nil])
            var reference = try PropertyListDocument.read(document.bytes).document
            try reference.apply(["k5": 5, "k15": nil])
            #expect(follower.bytes == reference.bytes)
        }
        #expect(try PropertyListDocument.read(document.bytes).values == values)
    }

    @Test(
        "Many changes at once give the same result as one after the other",
        arguments: [PropertyListFormat.xml, .binary]
    )
    func manyChangesAtOnceGiveTheSameResultAsOneAfterTheOther(_ format: PropertyListFormat) throws {
        var original = PropertyListDocument(format: format)
        try original.apply(
            Dictionary(uniqueKeysWithValues: (0..<40).map { ("k\($0)", .integer(PropertyListInteger($0))) })
        )
        // One third of the keys changes, one third is removed, and one third is new.
        var changes: [String: PropertyListValue?] = [:]
        for number in 20..<80 {
            let key = "k\(number)"
            changes.updateValue(number % 3 == 0 ? nil : ["a": .string(key), "b": [1, 2]], forKey: key)
        }
        var atOnce = original
        try atOnce.apply(changes)
        var oneByOne = original
        for (key, value) in changes { try oneByOne.apply([key: value]) }
        let values = try PropertyListDocument.read(atOnce.bytes).values
        #expect(try PropertyListDocument.read(oneByOne.bytes).values == values)
        // In binary, entries that are written at once share their keys.
        if format == .xml { #expect(oneByOne.bytes == atOnce.bytes) }
    }
}
