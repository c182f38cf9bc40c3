import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("A suite's file in every format")
struct PropertyListDocumentTests {
    @Test(
        "Random edits: apply gives what was asked for, update finds what apply did",
        arguments: [PropertyListFormat.xml, .binary],
        0..<40 as Range<UInt64>
    )
    func randomEdits(_ format: PropertyListFormat, _ seed: UInt64) throws {
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
            // The follower's own account of the entries is as good as a new reading.
            try follower.apply(["k5": 5, "k15": nil])
            var reference = try PropertyListDocument.read(document.bytes).document
            try reference.apply(["k5": 5, "k15": nil])
            #expect(follower.bytes == reference.bytes)
        }
        #expect(try PropertyListDocument.read(document.bytes).values == values)
    }

    @Test(
        "Many changes at once and one after the other come to the same",
        arguments: [PropertyListFormat.xml, .binary]
    )
    func oneByOne(_ format: PropertyListFormat) throws {
        var original = PropertyListDocument(format: format)
        try original.apply(
            Dictionary(uniqueKeysWithValues: (0..<40).map { ("k\($0)", .integer(PropertyListInteger($0))) })
        )
        // A third is changed, a third removed, a third is new.
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
        // Binary ones share the keys of what is written at once.
        if format == .xml { #expect(oneByOne.bytes == atOnce.bytes) }
    }
}
