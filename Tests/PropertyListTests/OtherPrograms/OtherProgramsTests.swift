import Foundation
import PropertyList
import Testing

/// Other programs read the files of this package, and this package reads theirs.
@Suite("Property lists of other programs")
struct OtherProgramsTests {
    /// A value that all of them can hold.
    private static let shared: PropertyListValue = [
        "boolean": true, "integer": -5, "large": .integer(PropertyListInteger(UInt64.max)),
        "least": .integer(PropertyListInteger(Int64.min)), "sizes": [255, 256, 65535, 65536, 4_294_967_296],
        "real": 0.1, "zero": .real(-0.0), "infinite": [.real(.infinity), .real(-.infinity)], "huge": 1e300,
        "string": "<&> \"é\" 😀 \t\n", "empty": "", "data": .data(Data(0...255)), "none": .data(Data()),
        "date": .date(Date(timeIntervalSince1970: 1_709_251_199)), "": "empty key", "é": 1, "😀": 2,
        "\u{FFFD}": 3,
        "array": [[], [:], ["a": ["b": [1, 2.0, false]]]],
        "many": .array((0..<300).map { .string("element \($0)") }),
    ]

    @Test("Foundation reads the written files", arguments: [PropertyListFormat.xml, .binary])
    func foundationReadsTheWrittenFiles(_ format: PropertyListFormat) throws {
        let file = Data(try Self.shared.encoded(as: format))
        let object = try PropertyListSerialization.propertyList(from: file, format: nil)
        #expect(try Self.value(object) == Self.shared)
    }

    @Test("Files written by Foundation are read", arguments: [PropertyListFormat.xml, .binary])
    func filesWrittenByFoundationAreRead(_ format: PropertyListFormat) throws {
        let file = try PropertyListSerialization.data(
            fromPropertyList: Self.object(Self.shared),
            format: format == .xml ? .xml : .binary,
            options: 0
        )
        guard case .dictionary(var values) = try PropertyListValue.read(Array(file)).value,
            case .dictionary(var expected) = Self.shared
        else {
            Issue.record("not a dictionary")
            return
        }
        // Foundation on Linux drops the sign of a negative zero in XML.
        if format == .xml { (values["zero"], expected["zero"]) = (nil, nil) }
        #expect(values == expected)
        var document = try PropertyListDocument.read(Array(file)).document
        try document.apply(["boolean": false])
        expected["boolean"] = false
        if format == .binary { #expect(try PropertyListDocument.read(document.bytes).values == expected) }
    }

    @Test("A suite's file looks like Foundation's, except for the digits of reals")
    func suitesFileLooksLikeFoundationsExceptForTheDigitsOfReals() throws {
        guard case .dictionary(var values) = Self.shared else { return }
        for key in ["real", "zero", "huge", "array", "😀", "\u{FFFD}"] { values[key] = nil }
        let value = PropertyListValue.dictionary(values)
        let file = try PropertyListSerialization.data(
            fromPropertyList: Self.object(value),
            format: .xml,
            options: 0
        )
        #expect(
            String(decoding: try value.encoded(as: .xml), as: UTF8.self)
                == String(decoding: file, as: UTF8.self)
        )
    }

    @Test(
        "The written files pass through plistlib unchanged",
        arguments: [PropertyListFormat.xml, .binary]
    )
    func writtenFilesPassThroughPlistlibUnchanged(_ format: PropertyListFormat) throws {
        let other = format == .xml ? "FMT_BINARY" : "FMT_XML"
        let program = """
            import plistlib, sys
            value = plistlib.load(sys.stdin.buffer)
            plistlib.dump(value, sys.stdout.buffer, fmt=plistlib.\(other))
            """
        let written = try run("/usr/bin/python3", ["-c", program], input: Self.shared.encoded(as: format))
        let (value, readFormat) = try PropertyListValue.read(written)
        #expect(value == Self.shared)
        #expect(readFormat != format)
        let again = try run(
            "/usr/bin/python3",
            ["-c", program.replacing(other, with: format == .xml ? "FMT_XML" : "FMT_BINARY")],
            input: Self.shared.encoded(as: format)
        )
        #expect(try PropertyListValue.read(again).value == Self.shared)
        if format == .xml {
            guard case .dictionary(var values) = Self.shared else { return }
            // plistlib uses other names for these.
            values["infinite"] = nil
            let here = try PropertyListValue.dictionary(values).encoded(as: .xml)
            #expect(
                try run("/usr/bin/python3", ["-c", program.replacing(other, with: "FMT_XML")], input: here)
                    == here
            )
        }
    }

    @Test("References of keyed archives by plistlib are read")
    func referencesOfKeyedArchivesByPlistlibAreRead() throws {
        let program = """
            import plistlib, sys
            plistlib.dump({'a': [plistlib.UID(0), plistlib.UID(300), plistlib.UID(2**40)]}, sys.stdout.buffer, fmt=plistlib.FMT_BINARY)
            """
        let written = try run("/usr/bin/python3", ["-c", program], input: [])
        #expect(try PropertyListValue.read(written).value == ["a": [.uid(0), .uid(300), .uid(1 << 40)]])
    }

    @Test(
        "The written files pass through plistutil unchanged",
        .enabled(if: access("/usr/bin/plistutil", X_OK) == 0, "libplist-utils is not installed"),
        arguments: [PropertyListFormat.xml, .binary]
    )
    func writtenFilesPassThroughPlistutilUnchanged(_ format: PropertyListFormat) throws {
        guard case .dictionary(var values) = Self.shared else { return }
        // plistutil has no infinity in XML, no negative zero, and few digits of reals.
        for key in ["infinite", "zero", "real", "huge", "array"] { values[key] = nil }
        let value = PropertyListValue.dictionary(values)
        for other in ["bin", "xml"] {
            let written = try run("/usr/bin/plistutil", ["-f", other], input: value.encoded(as: format))
            #expect(try PropertyListValue.read(written).value == value, "\(other)")
        }
    }

    private static func object(_ value: PropertyListValue) -> Any {
        switch value {
        case .boolean(let value): value
        case .integer(let value): Int64(exactly: value).map { $0 as Any } ?? value.magnitude
        case .real(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array(let elements): elements.map(object)
        case .dictionary(let entries): entries.mapValues(object)
        case .uid: fatalError("Foundation has no public type for it")
        }
    }

    private static func value(_ object: Any) throws -> PropertyListValue {
        switch object {
        case let value as String: return .string(value)
        case let value as Date: return .date(value)
        case let value as Data: return .data(value)
        case let elements as [Any]: return .array(try elements.map(value))
        case let entries as [String: Any]: return .dictionary(try entries.mapValues(value))
        case let number as NSNumber:
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "c")
            where type(of: object) == Bool.self || number === NSNumber(value: number.boolValue):
                return .boolean(number.boolValue)
            case UInt8(ascii: "d"), UInt8(ascii: "f"): return .real(number.doubleValue)
            case UInt8(ascii: "Q"): return .integer(PropertyListInteger(number.uint64Value))
            default: return .integer(PropertyListInteger(number.int64Value))
            }
        default: throw CocoaError(.coderInvalidValue)
        }
    }

    private func run(_ path: String, _ arguments: [String], input: [UInt8]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("PropertyList-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
        try Data(input).write(to: source)
        try Data().write(to: target)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments =
            path.hasSuffix("plistutil") ? arguments + ["-i", source.path, "-o", target.path] : arguments
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput =
            path.hasSuffix("plistutil") ? FileHandle.nullDevice : try FileHandle(forWritingTo: target)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return Array(try Data(contentsOf: target))
    }
}
