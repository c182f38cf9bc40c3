import Foundation
import PropertyList
import Testing

@Suite("Hostile new versions of a suite's file")
struct HostileUpdateTests {
    @Test("Many new keys before a large entry do not make it be read many times")
    func manyNewKeysBeforeALargeEntryDoNotMakeItBeReadManyTimes() throws {
        var document = PropertyListDocument(format: .xml)
        let large = PropertyListValue.array(Array(repeating: 0, count: 20_000))
        try document.apply(["z" + String(repeating: "z", count: 50_000): large])
        var follower = document
        var changes: [String: PropertyListValue?] = [:]
        for number in 0..<600 { changes["key \(number)"] = .integer(PropertyListInteger(number)) }
        try document.apply(changes)
        #expect(try follower.update(to: document.bytes) == changes)
        let removals = changes.mapValues { _ in PropertyListValue?.none }
        try document.apply(removals)
        #expect(try follower.update(to: document.bytes) == removals)
    }
}
