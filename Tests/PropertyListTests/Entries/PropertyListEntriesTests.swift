import ProgramHarness
import Testing

@testable import PropertyList

@Suite("The entries of a suite")
struct PropertyListEntriesTests {
    @Test("Random changes give the same entries as a dictionary")
    func randomChangesGiveTheSameEntriesAsADictionary() {
        var generator = SeededGenerator(seed: 7)
        // Few keys, so that they repeat. Some are other Unicode forms of each other.
        let names =
            (0..<60).map { "k\($0)" } + [
                "", "é", "e\u{301}", "K", "\u{212A}", "key of more than fifteen bytes",
            ]
        var entries = PropertyListEntries()
        var dictionary: [String: PropertyListValue] = [:]
        for round in 0..<20_000 {
            let name = names.randomElement(using: &generator) ?? ""
            // The number of entries grows and shrinks in turn.
            let isSet = Int.random(in: 0..<10, using: &generator) < (round / 500 % 2 == 0 ? 7 : 3)
            let value: PropertyListValue? = isSet ? .integer(PropertyListInteger(round)) : nil
            entries[name] = value
            dictionary[name] = value
            #expect(entries[name] == value)
            guard round % 97 == 0 else { continue }
            #expect(entries == dictionary)
            #expect(names.allSatisfy { entries[$0] == dictionary[$0] })
            #expect([String: PropertyListValue](entries) == dictionary)
            #expect(Set(entries.keys.map { Array($0.utf8) }) == Set(dictionary.keys.map { Array($0.utf8) }))
        }
    }

    @Test("Changing entries leaves a copy unchanged")
    func changingEntriesLeavesACopyUnchanged() {
        var entries = PropertyListEntries(["a": 1, "b": 2])
        let copy = entries
        entries["a"] = nil
        entries["c"] = 3
        #expect(copy == ["a": 1, "b": 2])
        #expect(entries == ["b": 2, "c": 3])
    }

    @Test("Copies of many entries are independent")
    func copiesOfManyEntriesAreIndependent() {
        var generator = SeededGenerator(seed: 11)
        var entries = PropertyListEntries()
        var dictionary: [String: PropertyListValue] = [:]
        var copies: [(PropertyListEntries, [String: PropertyListValue])] = []
        for round in 0..<30_000 {
            let name = "k\(Int.random(in: 0..<1200, using: &generator))"
            let isSet = Int.random(in: 0..<10, using: &generator) < (round / 3000 % 2 == 0 ? 8 : 2)
            let value: PropertyListValue? = isSet ? .integer(PropertyListInteger(round)) : nil
            entries[name] = value
            dictionary[name] = value
            if round % 1000 == 500 { copies.append((entries, dictionary)) }
        }
        #expect(entries == dictionary)
        #expect(copies.map(\.1.count).max() ?? 0 > 600)
        #expect(copies.map(\.1.count).min() ?? 0 < 500)
        for (copy, then) in copies { #expect(copy == then) }
    }

    @Test("Entries in another order are equal")
    func entriesInAnotherOrderAreEqual() {
        var a = PropertyListEntries()
        var b = PropertyListEntries()
        for number in 0..<100 { a["\(number)"] = .integer(PropertyListInteger(number)) }
        for number in (0..<100).reversed() { b["\(number)"] = .integer(PropertyListInteger(number)) }
        #expect(a == b)
        b["7"] = 8
        #expect(a != b)
        b["7"] = nil
        #expect(a != b)
    }

    @Test("All of many keys are found", arguments: [0, 1, 6, 7, 12, 13, 1000, 52_428, 52_429])
    func allOfManyKeysAreFound(_ count: Int) {
        let dictionary = Dictionary(
            uniqueKeysWithValues: (0..<count).map { ("key \($0)", PropertyListValue.boolean($0 % 2 == 0)) }
        )
        let entries = PropertyListEntries(dictionary)
        #expect(entries.count == count)
        #expect(entries == dictionary)
        #expect(entries["key \(count)"] == nil)
    }

    @Test("The first or the last of two equal keys counts, as requested")
    func firstOrTheLastOfTwoEqualKeysCountsAsRequested() {
        var list = EntryList()
        for (number, key) in ["b", "a", "K", "b", "c", "\u{212A}", "a", "d"].enumerated() {
            list.append(key, .integer(PropertyListInteger(number)))
        }
        #expect(!list.isSorted)
        #expect(list.entries(keeping: .first) == ["b": 0, "a": 1, "K": 2, "c": 4, "d": 7])
        #expect(list.entries(keeping: .last) == ["b": 3, "a": 6, "K": 5, "c": 4, "d": 7])
        #expect(list.dictionary(keeping: .first) == ["b": 0, "a": 1, "K": 2, "c": 4, "d": 7])
        #expect(list.dictionary(keeping: .last) == ["b": 3, "a": 6, "K": 5, "c": 4, "d": 7])
    }

    @Test("The differences contain new values, and nil for removed keys")
    func differencesContainNewValuesAndNilForRemovedKeys() {
        let old = PropertyListEntries(["same": 1, "changed": 1, "gone": 1])
        let new = PropertyListEntries(["same": 1, "changed": 2, "added": 1])
        let expected: [String: PropertyListValue?] = ["changed": 2, "added": 1, "gone": nil]
        #expect(new.differences(from: old) == expected)
        #expect(new.differences(from: new).isEmpty)
    }
}
