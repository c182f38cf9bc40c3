import Foundation
import PropertyList
import Testing

@Suite("Faults that fuzzing and hostile files revealed")
struct RegressionTests {
    private let limit = PropertyListLimits.standard.depth

    @Test("A character reference does not end a text")
    func characterReferenceDoesNotEndAText() {
        for text in [
            "<string>a&/string>", "<dict><key>a&/key><true/></dict>", "<array><string>&/string></array>",
        ] {
            let error = #expect(throws: PropertyListError.self) {
                try PropertyListValue.read(Array("<plist>\(text)</plist>".utf8))
            }
            #expect(error?.problem.contains("‘&’") == true)
        }
    }

    @Test("An OpenStep dictionary has the same depth with and without braces")
    func openStepDictionaryHasTheSameDepthWithAndWithoutBraces() throws {
        func value(_ levels: Int, braces: Bool) -> Result<PropertyListValue, any Error> {
            let arrays = String(repeating: "(", count: levels - 1) + String(repeating: ")", count: levels - 1)
            let text = braces ? "{ a = \(arrays); }" : "a = \(arrays);"
            return Result { try PropertyListValue.read(Array(text.utf8)).value }
        }
        for braces in [true, false] {
            #expect(throws: PropertyListError.self) { try value(limit + 1, braces: braces).get() }
            let deepest = try value(limit, braces: braces).get()
            let written = try deepest.encoded(as: .xml)
            #expect(try PropertyListValue.read(written).value == deepest)
        }
    }

    @Test("A reference of a keyed archive that is too deep for XML is refused")
    func referenceOfAKeyedArchiveThatIsTooDeepForXMLIsRefused() throws {
        func nested(_ levels: Int) -> PropertyListValue {
            (0..<levels).reduce(PropertyListValue.uid(1)) { value, _ in .array([value]) }
        }
        let written = try nested(limit - 1).encoded(as: .xml)
        #expect(try PropertyListValue.read(written).value == nested(limit - 1))
        let error = #expect(throws: PropertyListError.self) { try nested(limit).encoded(as: .xml) }
        #expect(error?.reason == .limitExceeded)
        let binary = try nested(limit).encoded(as: .binary)
        #expect(try PropertyListValue.read(binary).value == nested(limit))
    }

    @Test("A binary file can be read again after a change removes unused objects")
    func binaryFileCanBeReadAgainAfterAChangeRemovesUnusedObjects() throws {
        // The arrays share one another, so that the values are four times the bytes of the file. Most
        // of these bytes belong to a value that nothing refers to after the change.
        let levels = 8
        let ballast = [UInt8](repeating: 0x61, count: 4_000)
        var objects: [[UInt8]] = [[0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x62]]
        objects.append([0x5F, 0x11] + BinaryBuilder.number(UInt64(ballast.count), 2) + ballast)
        for level in 0..<levels { objects.append([0xA3] + [UInt8](repeating: UInt8(5 + level), count: 3)) }
        objects.append([0xA0])
        var (document, values) = try PropertyListDocument.read(BinaryBuilder(objects).bytes)
        let shared = try #require(values["b"])
        try document.apply(["a": PropertyListValue?.none])
        #expect(try PropertyListDocument.read(document.bytes).values == ["b": shared])
        #expect(document.value(forKey: "b") == shared)
    }

    static let overlapping: [(String, BinaryBuilder)] = [
        (
            "strings",
            BinaryBuilder([[0xA4, 1, 2, 3, 4], [0x5F, 0x10, 200] + [UInt8](repeating: 0x61, count: 200)])
                .with { $0.offsets = [8, 13, 13, 13, 13] }.with { $0.count = 5 }
        ),
        (
            "arrays inside each other",
            BinaryBuilder([
                [0xAF, 0x10, 200] + (1...8).flatMap { [$0, 0xAF, 0x10, 180] }
                    + [UInt8](repeating: 9, count: 200), [0x09],
            ]).with { $0.offsets = [8] + (0..<8).map { 12 + 4 * $0 } + [243] }.with { $0.count = 10 }
        ),
    ]

    @Test("Overlapping objects are refused", arguments: overlapping)
    func overlappingObjectsAreRefused(_ name: String, _ file: BinaryBuilder) {
        let error = #expect(throws: PropertyListError.self) { try PropertyListValue.read(file.bytes) }
        #expect(error?.reason == .malformed)
        #expect(error?.problem.contains("overlaps others") == true)
    }
}
