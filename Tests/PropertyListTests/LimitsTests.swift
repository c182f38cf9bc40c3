import Foundation
import PropertyList
import Testing

@Suite("What the readers accept at the most")
struct LimitsTests {
    /// A dictionary with an array in it, and a key of a letter and two combining marks.
    static let value: PropertyListValue = ["a\u{323}\u{301}": [true]]

    enum Reader: CaseIterable {
        case xml, binary, openStep, json

        var bytes: [UInt8] {
            get throws {
                switch self {
                case .xml: try LimitsTests.value.encoded(as: .xml)
                case .binary: try LimitsTests.value.encoded(as: .binary)
                case .openStep: Array("{ \"a\u{323}\u{301}\" = (<*BY>); }".utf8)
                case .json: Array("{\"a\u{323}\u{301}\":[true]}".utf8)
                }
            }
        }

        func read(_ bytes: [UInt8], _ limits: PropertyListLimits) throws {
            guard self != .json else {
                _ = try JSONDocument(parsing: Data(bytes), limits: limits)
                return
            }
            let value = Result { try PropertyListValue.read(bytes, limits: limits).value }
            let document = Result { try PropertyListDocument.read(bytes, limits: limits).document }
            #expect((try? value.get() == LimitsTests.value) == (try? document.get().bytes == bytes))
            _ = try (value.get(), document.get())
        }
    }

    @Test("As much as the limit is read, one more is refused", arguments: Reader.allCases)
    func limit(_ reader: Reader) throws {
        let bytes = try reader.bytes
        let needed: [(WritableKeyPath<PropertyListLimits, Int>, Int)] = [
            (\.depth, 2), (\.size, bytes.count), (\.combiningMarks, 2),
        ]
        for (limit, needed) in needed {
            var limits = PropertyListLimits()
            limits[keyPath: limit] = needed
            #expect(throws: Never.self) { try reader.read(bytes, limits) }
            limits[keyPath: limit] = needed - 1
            let error = #expect(throws: PropertyListError.self) { try reader.read(bytes, limits) }
            #expect(error?.reason == .limitExceeded)
        }
    }

    @Test("Shared parts may add up to a multiple of the file's size, in values and in bytes")
    func expansion() throws {
        let references = { (object: UInt8) in [0xAF, 0x10, 60] + [UInt8](repeating: object, count: 60) }
        let file = BinaryBuilder([references(1), references(2), [0x09]]).bytes
        // An array, and sixty of sixty values.
        let values = 1 + 60 * 61
        var limits = PropertyListLimits()
        limits.expansion = values / file.count + 1
        #expect(throws: Never.self) { try PropertyListValue.read(file, limits: limits) }
        limits.expansion -= 1
        #expect(throws: PropertyListError.self) { try PropertyListValue.read(file, limits: limits) }

        let text = BinaryBuilder([
            references(1), [0x5F, 0x10, 200] + [UInt8](repeating: 0x61, count: 200),
        ]).bytes
        let bytes = 63 + 60 * 203
        limits.size = text.count
        limits.expansion = bytes / text.count + 1
        #expect(throws: Never.self) { try PropertyListValue.read(text, limits: limits) }
        limits.expansion -= 1
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue.read(text, limits: limits)
        }
        #expect(error?.reason == .limitExceeded)
        limits.size = bytes
        #expect(throws: Never.self) { try PropertyListValue.read(text, limits: limits) }
    }

    @Test("The standard limits are those of the documentation")
    func standard() {
        let limits = PropertyListLimits.standard
        #expect(limits.depth == 128)
        #expect(limits.size == 268_435_456)
        #expect(limits.expansion == 4)
        #expect(limits.combiningMarks == 256)
    }

    @Test("No file may have 4 GiB")
    func largestSize() {
        var limits = PropertyListLimits()
        limits.size = .max
        #expect(limits.size == 4_294_967_295)
        limits.size = 0
        #expect(limits.size == 0)
    }
}
