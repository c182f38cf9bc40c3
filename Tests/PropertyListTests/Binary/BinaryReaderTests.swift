import Foundation
import PropertyList
import Testing

/// Builds a binary property list from its objects, including files that no writer would produce.
struct BinaryBuilder {
    var header = "bplist00"
    var objects: [[UInt8]]
    var top: UInt64 = 0
    var referenceSize: UInt8 = 1
    var offsetSize: UInt8 = 2
    /// Replaces the number of objects in the trailer.
    var count: UInt64?
    var tableStart: UInt64?
    var offsets: [UInt64]?

    init(_ objects: [UInt8]...) { self.objects = objects }

    init(_ objects: [[UInt8]], top: UInt64 = 0) {
        self.objects = objects
        self.top = top
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    var bytes: [UInt8] {
        var result = Array(header.utf8)
        var places: [UInt64] = []
        for object in objects {
            places.append(UInt64(result.count))
            result += object
        }
        let start = UInt64(result.count)
        for offset in offsets ?? places { result += Self.number(offset, Int(offsetSize)) }
        result += [0, 0, 0, 0, 0, 0, offsetSize, referenceSize]
        result += Self.number(count ?? UInt64(objects.count), 8) + Self.number(top, 8)
        return result + Self.number(tableStart ?? start, 8)
    }

    static func number(_ number: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { (place: Int) -> UInt8 in
            place < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(8 * place)) : 0
        }
    }
}

@Suite("Reading binary property lists")
struct BinaryReaderTests {
    static let values: [(String, [UInt8], PropertyListValue)] = [
        ("false", [0x08], false), ("true", [0x09], true),
        ("one byte has no sign", [0x10, 0xFF], 255), ("two bytes", [0x11, 0xFF, 0xFE], 65534),
        ("four bytes", [0x12, 0xFF, 0xFF, 0xFF, 0xFF], 4_294_967_295),
        ("eight bytes have a sign", [0x13] + [UInt8](repeating: 0xFF, count: 8), -1),
        (
            "sixteen bytes", [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8),
            .integer(PropertyListInteger(UInt64.max))
        ),
        ("sixteen negative bytes", [0x14] + [UInt8](repeating: 0xFF, count: 16), -1),
        ("a real of four bytes", [0x22, 0x3D, 0xCC, 0xCC, 0xCD], .real(Double(Float(0.1)))),
        ("a real of eight bytes", [0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], 1.5),
        (
            "a date with a fraction", [0x33, 0xBF, 0xF8, 0, 0, 0, 0, 0, 0],
            .date(Date(timeIntervalSinceReferenceDate: -1.5))
        ),
        ("data", [0x42, 1, 2], .data(Data([1, 2]))), ("no data", [0x40], .data(Data())),
        ("a long count", [0x4F, 0x10, 2, 1, 2], .data(Data([1, 2]))),
        ("a count of eight bytes", [0x5F, 0x13, 0, 0, 0, 0, 0, 0, 0, 1, 0x61], "a"),
        ("ASCII", [0x52, 0x61, 0x1B], "a\u{1B}"), ("UTF-16", [0x62, 0xD8, 0x3D, 0xDE, 0x00], "😀"),
        ("UTF-16 of ASCII", [0x61, 0, 0x61], "a"), ("uid of one byte", [0x80, 7], .uid(7)),
        ("uid of three bytes", [0x82, 1, 0, 0], .uid(65536)),
        ("uid of sixteen bytes", [0x8F] + BinaryBuilder.number(9, 16), .uid(9)),
        ("empty array", [0xA0], []), ("empty dictionary", [0xD0], [:]),
    ]

    @Test("Every kind of object is read as its value", arguments: values)
    func everyKindOfObjectIsReadAsItsValue(_ name: String, _ object: [UInt8], _ expected: PropertyListValue)
        throws
    {
        let (value, format) = try PropertyListValue.read(BinaryBuilder(object).bytes)
        #expect(value == expected)
        #expect(format == .binary)
        #expect(
            try PropertyListValue.read(BinaryBuilder(object).with { $0.header = "bplist01" }.bytes).value
                == expected
        )
    }

    /// Only what the whole messages in `ReasonsTests` leave out.
    static let refused: [(String, BinaryBuilder, Int, String)] = [
        ("the set that crashes Foundation", BinaryBuilder([0xC1, 0x00]), 8, "a set"),
        ("ordered set", BinaryBuilder([0xB0]), 8, "a set"), ("fill", BinaryBuilder([0x0F]), 8, "marker 0xf"),
        ("integer of 32 bytes", BinaryBuilder([0x15]), 8, "marker"),
        ("real of two bytes", BinaryBuilder([0x21, 0, 0]), 8, "marker"),
        ("date of four", BinaryBuilder([0x32]), 8, "marker"),
        (
            "integer above 64 bits with the sign of a negative one below",
            BinaryBuilder([0x14] + BinaryBuilder.number(1, 8) + BinaryBuilder.number(.max, 8)), 8,
            "is not between"
        ),
        (
            "integer below 64 bits",
            BinaryBuilder([0x14] + [UInt8](repeating: 0xFF, count: 8) + BinaryBuilder.number(0, 8)), 8,
            "is not between"
        ),
        ("infinite date", BinaryBuilder([0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]), 8, "finite"),
        ("lone surrogate", BinaryBuilder([0x63, 0, 0x61, 0xD8, 0x3D, 0, 0x61]), 11, "half of a character"),
        ("string too short", BinaryBuilder([0x53, 0x61]), 8, "beyond"),
        ("count too large", BinaryBuilder([0x4F, 0x13] + [UInt8](repeating: 0xFF, count: 8)), 8, "beyond"),
        ("count of 16 bytes", BinaryBuilder([0x4F, 0x14] + BinaryBuilder.number(0, 16)), 9, "length"),
        ("array too long", BinaryBuilder([0xAE, 0]), 8, "beyond"),
        ("array in itself", BinaryBuilder([0xA1, 0]), 8, "itself"),
        ("cycle", BinaryBuilder([0xA1, 1], [0xD1, 2, 0], [0x51, 0x61]), 8, "itself"),
        ("version 10", BinaryBuilder([0x09]).with { $0.header = "bplist10" }, 6, "version"),
        ("reference size", BinaryBuilder([0x09]).with { $0.referenceSize = 9 }, 17, "cut off"),
        ("endless objects", BinaryBuilder([0x09]).with { $0.count = .max }, 19, "number of objects"),
        (
            "overflowing objects", BinaryBuilder([0x09]).with { $0.count = 1 << 63 + 1 }, 19,
            "number of objects"
        ),
        ("no object", BinaryBuilder([0x09]).with { $0.count = 0 }, 19, "number of objects"),
        ("negative top", BinaryBuilder([0x09]).with { $0.top = .max }, 27, "top object"),
        ("table in the trailer", BinaryBuilder([0x09]).with { $0.tableStart = 11 }, 35, "table"),
        ("table beyond", BinaryBuilder([0x09]).with { $0.tableStart = .max }, 35, "table"),
        ("object in the table", BinaryBuilder([0x09]).with { $0.offsets = [9] }, 9, "outside"),
        ("object beyond", BinaryBuilder([0x09]).with { $0.offsets = [0xFFFF] }, 9, "outside"),
    ]

    @Test("Malformed files are refused with the offset of the error", arguments: refused)
    func malformedFilesAreRefusedWithTheOffsetOfTheError(
        _ name: String,
        _ file: BinaryBuilder,
        offset: Int,
        problem: String
    ) throws {
        let error = try #require(throws: PropertyListError.self) { try PropertyListValue.read(file.bytes) }
        #expect(error.problem.contains(problem), "\(error)")
        #expect(error.place == .offset(offset), "\(error)")
    }

    @Test("The first of two equal keys wins")
    func firstOfTwoEqualKeysWins() throws {
        let file = BinaryBuilder([0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x10, 1], [0x10, 2])
        #expect(try PropertyListValue.read(file.bytes).value == ["a": 1])
    }

    @Test("A long string with many references is stored once, up to the limit")
    func longStringWithManyReferencesIsStoredOnceUpToTheLimit() throws {
        func file(references: Int) -> [UInt8] {
            let text = [UInt8](repeating: 0x61, count: 60_000)
            return BinaryBuilder(
                [0xAF, 0x11] + BinaryBuilder.number(UInt64(references), 2)
                    + [UInt8](repeating: 1, count: references),
                [0x5F, 0x11] + BinaryBuilder.number(60_000, 2) + text
            ).with { $0.offsetSize = 4 }.bytes
        }
        guard case .array(let elements) = try PropertyListValue.read(file(references: 4_000)).value else {
            Issue.record("not an array")
            return
        }
        #expect(elements.count == 4_000)
        #expect(elements[0] == elements[3_999])
        // Comparing two such values would take time proportional to the square of the file's size.
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue.read(file(references: 5_000))
        }
        #expect(error?.reason == .limitExceeded)
    }

    @Test("References that multiply the values are refused at once", arguments: [20, 60, 200])
    func referencesThatMultiplyTheValuesAreRefusedAtOnce(_ levels: Int) throws {
        var objects = (0..<levels).map { level -> [UInt8] in [0xA2, UInt8(level + 1), UInt8(level + 1)] }
        objects.append([0x51, 0x61])
        let error = try #require(throws: PropertyListError.self) {
            try PropertyListValue.read(BinaryBuilder(objects).bytes)
        }
        #expect(error.reason == .limitExceeded)
    }

    @Test("The depth limit holds on every path to a shared object")
    func depthLimitHoldsOnEveryPathToASharedObject() throws {
        func chain(_ levels: Int) -> [UInt8] {
            let objects = (0..<levels - 1).map { [0xA1] + BinaryBuilder.number(UInt64($0 + 1), 2) } + [[0xA0]]
            return BinaryBuilder(objects).with { $0.referenceSize = 2 }.bytes
        }
        #expect(throws: Never.self) { try PropertyListValue.read(chain(128)) }
        let error = try #require(throws: PropertyListError.self) { try PropertyListValue.read(chain(129)) }
        #expect(error.reason == .limitExceeded)
        #expect(throws: PropertyListError.self) { try PropertyListValue.read(chain(30_000)) }

        var limits = PropertyListLimits()
        limits.depth = 4
        // [x, x, [x]] with x = [[]]. With one more level, the last x is too deep.
        let shared: [[UInt8]] = [[0xA3, 1, 1, 3], [0xA1, 2], [0xA0], [0xA1, 1]]
        #expect(throws: Never.self) {
            try PropertyListValue.read(BinaryBuilder(shared).bytes, limits: limits)
        }
        limits.depth = 3
        #expect(throws: PropertyListError.self) {
            try PropertyListValue.read(BinaryBuilder(shared).bytes, limits: limits)
        }
    }
}
