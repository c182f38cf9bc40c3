import Foundation
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
            for _ in 0..<Int.random(in: 1..<6, using: &generator) {
                let key = "k\(Int.random(in: 0..<30, using: &generator))"
                let value: PropertyListValue? =
                    Int.random(in: 0..<4, using: &generator) == 0 ? nil : Sample.random(using: &generator)
                changes.updateValue(value, forKey: key)
            }
            var (follower, oldValues) = try PropertyListDocument.read(document.bytes)
            #expect(oldValues == values)
            for (key, value) in changes { values[key] = value }
            try document.apply(changes)
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
}
