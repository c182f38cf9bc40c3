import Foundation
import Testing

@testable import PropertyList

@Suite("A suite's file in binary format")
struct BinaryDocumentTests {
    @Test("A new document is an empty dictionary for every reader")
    func newDocumentIsAnEmptyDictionaryForEveryReader() throws {
        let document = PropertyListDocument(format: .binary)
        #expect(document.format == .binary)
        #expect(try PropertyListDocument.read(document.bytes).values.isEmpty)
        let foundation = try PropertyListSerialization.propertyList(from: Data(document.bytes), format: nil)
        #expect((foundation as? [String: Any])?.isEmpty == true)
    }

    @Test("Shared objects stay shared and removed ones leave the file")
    func sharedObjectsStaySharedAndRemovedOnesLeaveTheFile() throws {
        let long = Array(String(repeating: "secret", count: 30).utf8)
        let file = BinaryBuilder(
            [0xD3, 1, 2, 3, 4, 4, 5],
            [0x51, 0x61],
            [0x51, 0x62],
            [0x51, 0x63],
            [0xA2, 5, 5],
            [0x5F, 0x10, UInt8(long.count)] + long
        )
        var (document, values) = try PropertyListDocument.read(file.bytes)
        let length = document.bytes.count
        try document.apply(["d": 1])
        values["d"] = 1
        #expect(try PropertyListDocument.read(document.bytes).values == values)
        #expect(document.bytes.count < length + 10)
        try document.apply(["a": nil, "c": nil])
        #expect(
            try PropertyListDocument.read(document.bytes).values
                == [String: PropertyListValue](values).filter { $0.key == "b" || $0.key == "d" }
        )
        try document.apply(["b": nil])
        #expect(!document.bytes.dropFirst(8).contains(UInt8(ascii: "s")))
        #expect(document.bytes.count < 60)
    }

    @Test("Setting a repeated key keeps one entry and removing it removes all")
    func settingARepeatedKeyKeepsOneEntryAndRemovingItRemovesAll() throws {
        let file = BinaryBuilder(
            [0xD3, 2, 1, 1, 3, 4, 5],
            [0x51, 0x61],
            [0x51, 0x62],
            [0x10, 1],
            [0x10, 2],
            [0x10, 3]
        )
        var (document, values) = try PropertyListDocument.read(file.bytes)
        #expect(values == ["a": 2, "b": 1])
        #expect(document.value(forKey: "a") == 2)
        try document.apply(["a": 2, "c": nil])
        #expect(document.bytes == file.bytes, "nothing changed")
        var other = document
        try other.apply(["a": nil])
        #expect(try PropertyListDocument.read(other.bytes).values == ["b": 1])
        try document.apply(["c": 9])
        #expect(try PropertyListDocument.read(document.bytes).values == ["a": 2, "b": 1, "c": 9])
    }

    @Test("Setting a key keeps its other Unicode forms")
    func settingAKeyKeepsItsOtherUnicodeForms() throws {
        let (composed, decomposed) = (Array("\u{E9}".utf8), Array("e\u{301}".utf8))
        // The keys are é, é, z, and é with the same bytes as the first one.
        let file = BinaryBuilder(
            [0xD4, 1, 2, 3, 7, 4, 5, 6, 4],
            [0x61, 0, 0xE9],
            [0x62, 0, 0x65, 3, 1],
            [0x51, 0x7A],
            [0x10, 1],
            [0x10, 2],
            [0x10, 3],
            [0x61, 0, 0xE9]
        )
        var document = try PropertyListDocument.read(file.bytes).document
        for value in 4...5 {
            try document.apply(["z": .integer(PropertyListInteger(value)), "n": "new"])
            let (reread, values) = try PropertyListDocument.read(document.bytes)
            #expect(values == ["\u{E9}": 1, "z": .integer(PropertyListInteger(value)), "n": "new"])
            #expect(reread.keysInFile == [[0x6E], [0x7A], composed, decomposed])
            document = reread
        }
        var edited = document
        for (value, key) in [(9, "\u{E9}"), (10, "e\u{301}")] {
            let value = PropertyListValue.integer(PropertyListInteger(value))
            try edited.apply([key: value])
            #expect(edited.keysInFile == [[0x6E], [0x7A], composed, decomposed])
            let (reread, values) = try PropertyListDocument.read(edited.bytes)
            #expect(values["\u{E9}"] == value)
            #expect(values.keysInSeveralForms == ["e\u{301}"])
            edited = reread
        }
        var other = try PropertyListDocument.read(file.bytes).document
        #expect(try other.update(to: document.bytes) == ["z": 5, "n": "new"])
        try document.apply(["e\u{301}": nil])
        #expect(document.keysInFile == [[0x6E], [0x7A]])
    }

    @Test("Entries with the same key object are one key")
    func entriesWithTheSameKeyObjectAreOneKey() throws {
        let values: [[UInt8]] = (1...5).map { [0x10, $0] }
        // The keys are é, z, é as two characters, é and z, also in a nested dictionary.
        let dictionary: [UInt8] = [0xD5, 2, 3, 4, 2, 3, 5, 6, 7, 8, 9]
        let keys: [[UInt8]] = [[0x61, 0, 0xE9], [0x51, 0x7A], [0x62, 0, 0x65, 3, 1]]
        let file = BinaryBuilder([dictionary, [0x09]] + keys + values).bytes
        let below = BinaryBuilder([[0xD1, 3, 1], dictionary] + keys + values).bytes
        var (document, entries) = try PropertyListDocument.read(file)
        #expect(entries == ["\u{E9}": 1, "z": 2])
        #expect(entries.keysInSeveralForms == ["e\u{301}"])
        #expect(document.value(forKey: "z") == 2)
        #expect(try PropertyListDocument.read(below).values["z"] == ["\u{E9}": 1, "z": 2])
        try document.apply(["a": 6])
        #expect(
            document.keysInFile == [[0x61], [0x7A], Array("\u{E9}".utf8), Array("e\u{301}".utf8)]
        )
        // The next version after a sorted one has repeated keys.
        var follower = PropertyListDocument(format: .binary)
        try follower.apply(["b": 7, "z": 2])
        #expect(try follower.update(to: file) == ["b": nil, "\u{E9}": 1])
        #expect(try follower.update(to: document.bytes) == ["a": 6])
    }

    @Test("A refused change leaves the document unchanged and names the path")
    func refusedChangeLeavesTheDocumentUnchangedAndNamesThePath() throws {
        var document = PropertyListDocument(format: .binary)
        try document.apply(["a": 1])
        let before = document.bytes
        let error = try #require(throws: PropertyListError.self) {
            try document.apply(["b": 1, "c": ["d": .date(Date(timeIntervalSinceReferenceDate: .nan))]])
        }
        #expect("\(error)".hasPrefix("/c/d: "))
        #expect(throws: PropertyListError.self) { try document.update(to: Array(before.dropLast())) }
        #expect(document.bytes == before)
    }

    @Test("The size of references follows the number of objects")
    func sizeOfReferencesFollowsTheNumberOfObjects() throws {
        var document = PropertyListDocument(format: .binary)
        var values: [String: PropertyListValue] = [:]
        for round in 0..<4 {
            var changes: [String: PropertyListValue?] = [:]
            for number in 0..<100 { changes["key \(round) \(number)"] = .string("value \(number)") }
            for (key, value) in changes { values[key] = value }
            try document.apply(changes)
            #expect(try PropertyListDocument.read(document.bytes).values == values)
        }
        let removed: [String: PropertyListValue?] = values.mapValues { _ in nil }
        try document.apply(removed)
        #expect(document.bytes.count == PropertyListDocument(format: .binary).bytes.count)
    }
}

extension PropertyListDocument {
    /// The UTF-8 bytes of the keys in the file, those of ASCII strings first.
    fileprivate var keysInFile: [[UInt8]] {
        guard case .binary(let document) = form, let top = try? document.file.topDictionary() else {
            return []
        }
        return (0..<document.file.count(of: top)).map { Array(document.file.key($0, of: top).utf8) }
            .sorted { ($0.count, $0[0]) < ($1.count, $1[0]) }
    }
}
