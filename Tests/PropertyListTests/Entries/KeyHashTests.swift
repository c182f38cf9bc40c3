import Testing

@testable import PropertyList

@Suite("Hashes of keys")
struct KeyHashTests {
    @Test("Every character equivalent to an ASCII character has the same hash")
    func everyCharacterEquivalentToAnASCIICharacterHasTheSameHash() {
        let ascii = Dictionary(
            uniqueKeysWithValues: (0..<128).map { String(Unicode.Scalar($0 as UInt8)) }.map {
                ($0, Array($0.utf8))
            }
        )
        var found: [Unicode.Scalar] = []
        // Unicode decomposes characters of these planes only.
        for scalar in (UInt32(0x80)..<0x30000).compactMap(Unicode.Scalar.init) {
            guard let bytes = ascii[String(scalar)] else { continue }
            found.append(scalar)
            #expect(
                KeyHash.of("a\(scalar)z") == KeyHash.of("a" + String(decoding: bytes, as: UTF8.self) + "z")
            )
        }
        #expect(found == ["\u{37E}", "\u{1FEF}", "\u{212A}"])
    }

    @Test(
        "Equivalent spellings have the same hash",
        arguments: [
            ("é", "e\u{301}"), ("clé de sol", "cle\u{301} de sol"), ("\u{212B}", "\u{C5}"),
            ("\u{1E0B}\u{323}", "\u{1E0D}\u{307}"), ("\u{AC01}", "\u{1100}\u{1161}\u{11A8}"),
        ]
    )
    func equivalentSpellingsHaveTheSameHash(_ a: String, _ b: String) {
        #expect(a == b)
        #expect(KeyHash.of(a) == KeyHash.of(b))
    }

    @Test("Long equivalent keys have the same hash", arguments: [1, 20, 21, 22, 63, 64, 65, 192, 193, 1000])
    func longEquivalentKeysHaveTheSameHash(_ count: Int) {
        let key = String(repeating: "K", count: count)
        let twin = String(repeating: "\u{212A}", count: count)
        #expect(key == twin)
        #expect(KeyHash.of(key) == KeyHash.of(twin))
        #expect(KeyHash.of(key) == KeyHash.of(String(key.dropLast()) + "\u{212A}"))
    }

    @Test("Keys that differ in a byte, in length or in order have different hashes")
    func keysThatDifferInAByteInLengthOrInOrderHaveDifferentHashes() {
        var hashes: Set<UInt64> = [KeyHash.of("")]
        var keys = 1
        for length in 1..<80 {
            let text = [UInt8](repeating: 0, count: length)
            hashes.insert(KeyHash.of(String(decoding: text, as: UTF8.self)))
            keys += 1
            for place in 0..<length {
                for byte in [1, 0x20, 0x40, 0x7F] as [UInt8] {
                    var other = text
                    other[place] = byte
                    hashes.insert(KeyHash.of(String(decoding: other, as: UTF8.self)))
                    keys += 1
                }
            }
        }
        #expect(hashes.count == keys)
    }

    @Test("Every bit of the hashes of similar keys is evenly spread")
    func everyBitOfTheHashesOfSimilarKeysIsEvenlySpread() {
        let count = 4096
        let hashes = (0..<count).map { KeyHash.of("key\($0)") }
        for bit in 0..<64 {
            let ones = hashes.count { $0 >> UInt64(bit) & 1 == 1 }
            // The bound is eight standard deviations, because each process has its own seed.
            #expect(abs(ones - count / 2) < 256, "bit \(bit)")
        }
    }
}
