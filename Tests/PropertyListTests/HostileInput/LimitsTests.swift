import Foundation
import PropertyList
import Testing

@Suite("The limits of the readers")
struct LimitsTests {
    /// A dictionary that contains an array, with a key of a letter and two combining marks.
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

    @Test("Input at the limit is read, and one more is refused", arguments: Reader.allCases)
    func inputAtTheLimitIsReadAndOneMoreIsRefused(_ reader: Reader) throws {
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

    @Test("Shared objects may add up to a multiple of the file's size")
    func sharedObjectsMayAddUpToAMultipleOfTheFilesSize() throws {
        let references = { (object: UInt8) in [0xAF, 0x10, 60] + [UInt8](repeating: object, count: 60) }
        let file = BinaryBuilder([references(1), references(2), [0x09]]).bytes
        // One array, and sixty arrays of sixty values.
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

    @Test("A shared object counts with its depth at each reference", arguments: [false, true])
    func sharedObjectCountsWithItsDepthAtEachReference(_ hasSibling: Bool) throws {
        /// Nested arrays. The innermost one is referred to often enough to be shared.
        func file(below depth: Int) -> [UInt8] {
            // Object 0 is the top and object 1 is shared. Then come 60 arrays inside it and the arrays
            // around it.
            let around = (0..<depth).map { UInt8(62 + $0) }
            var objects: [[UInt8]] = [
                [0xA5, 2, 2, 1, 1, around.first ?? 1], hasSibling ? [0xA2, 2, 61] : [0xA1, 2],
            ]
            objects += (3...61).map { [0xA1, $0] } + [[0xA0]]
            objects += around.map { [0xA1, $0 == around.last ? 1 : $0 + 1] }
            return BinaryBuilder(objects).bytes
        }
        // The levels are the top, the arrays around the shared one, the shared one, and 60 inside it.
        #expect(throws: Never.self) { try PropertyListValue.read(file(below: 66)) }
        let error = #expect(throws: PropertyListError.self) { try PropertyListValue.read(file(below: 67)) }
        #expect(error?.reason == .limitExceeded)
    }

    static let files: [(name: String, bytes: [UInt8])] = [
        ("XML", Array("<plist><dict><key>a</key><true/></dict></plist>".utf8)),
        ("XML of unsorted keys", Array("<dict><key>b</key><true/><key>a</key><true/></dict>".utf8)),
        ("XML without entries", Array("<plist><dict/></plist>".utf8)),
        ("binary", (try? PropertyListValue.dictionary(["a": true]).encoded(as: .binary)) ?? []),
        ("the old style", Array("{ a = b; }".utf8)),
    ]

    static let large: [PropertyListValue] = [
        .string(String(repeating: "x", count: 400)), .string(String(repeating: "&", count: 80)),
        .data(Data(repeating: 1, count: 400)), .array(Array(repeating: 1, count: 40)),
        .array(Array(repeating: .array([]), count: 100)),
        .dictionary(Dictionary(uniqueKeysWithValues: (0..<40).map { ("key \($0)", true) })),
    ]

    @Test("A change that would make a file larger than the limit is refused", arguments: files, large)
    func changeThatWouldMakeAFileLargerThanTheLimitIsRefused(
        _ file: (name: String, bytes: [UInt8]),
        _ value: PropertyListValue
    ) throws {
        for keys in [["z"], (0..<10).map { "key \($0)" }] {
            let changes = Dictionary(uniqueKeysWithValues: keys.map { ($0, Optional(value)) })
            var document = try PropertyListDocument.read(file.bytes).document
            try document.apply(changes)
            let written = document.bytes

            var limits = PropertyListLimits()
            limits.size = written.count
            document = try PropertyListDocument.read(file.bytes, limits: limits).document
            try document.apply(changes)
            #expect(document.bytes == written)

            limits.size -= 1
            document = try PropertyListDocument.read(file.bytes, limits: limits).document
            let error = #expect(throws: PropertyListError.self) { try document.apply(changes) }
            #expect(error?.reason == .limitExceeded)
            #expect(document.bytes == file.bytes)
        }
    }

    @Test("The standard limits are the documented ones")
    func standardLimitsAreTheDocumentedOnes() {
        let limits = PropertyListLimits.standard
        #expect(limits.depth == 128)
        #expect(limits.size == 268_435_456)
        #expect(limits.expansion == 4)
        #expect(limits.combiningMarks == 256)
    }

    @Test("No limit allows a file of 4 GiB")
    func noLimitAllowsAFileOf4GiB() {
        var limits = PropertyListLimits()
        limits.size = .max
        #expect(limits.size == 4_294_967_295)
        limits.size = 0
        #expect(limits.size == 0)
    }
}
