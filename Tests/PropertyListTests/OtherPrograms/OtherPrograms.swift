import Foundation
import ProgramHarness
import PropertyList

/// Another program that reads and writes property lists.
enum OtherProgram: String, CaseIterable {
    case foundation = "Foundation"
    case plistlib, plistutil

    /// Returns the values that the program preserves: it reads each file and writes it in the given
    /// format, and the result is read here. An element is nil if the program refuses the file, or
    /// writes one that cannot be read.
    func values(
        of files: [[UInt8]],
        writtenAs format: PropertyListFormat
    ) throws -> [PropertyListValue?] {
        try rewritten(files, format).map { file in
            guard let file else { return nil }
            return try? PropertyListValue.read(file).value
        }
    }

    private func rewritten(_ files: [[UInt8]], _ format: PropertyListFormat) throws -> [[UInt8]?] {
        switch self {
        case .foundation: files.map { Self.rewrittenByFoundation($0, format) }
        case .plistlib: try Self.rewrittenByPlistlib(files, format)
        case .plistutil: try files.map { try Self.rewrittenByPlistutil($0, format) }
        }
    }

    private static func rewrittenByFoundation(_ file: [UInt8], _ format: PropertyListFormat) -> [UInt8]? {
        guard let object = try? PropertyListSerialization.propertyList(from: Data(file), format: nil)
        else { return nil }
        let data = try? PropertyListSerialization.data(
            fromPropertyList: object,
            format: format == .xml ? .xml : .binary,
            options: 0
        )
        return data.map(Array.init)
    }

    /// All files in one run, because Python takes long to start.
    private static func rewrittenByPlistlib(
        _ files: [[UInt8]],
        _ format: PropertyListFormat
    ) throws -> [[UInt8]?] {
        let program = """
            import plistlib, sys
            for number in range(int(sys.argv[2])):
                path = f'{sys.argv[1]}/{number}'
                try:
                    with open(path, 'rb') as file: value = plistlib.load(file)
                    written = plistlib.dumps(value, fmt=plistlib.\(format == .xml ? "FMT_XML" : "FMT_BINARY"))
                    with open(path + '.out', 'wb') as file: file.write(written)
                except Exception: pass
            """
        let folder = try TemporaryFolder()
        for (number, file) in files.enumerated() { try Data(file).write(to: folder.url("\(number)")) }
        let result = try run("/usr/bin/python3", ["-c", program, folder.path, "\(files.count)"])
        guard result.ending == .exit(0) else { throw HarnessError(result.errors) }
        return files.indices.map { try? Array(Data(contentsOf: folder.url("\($0).out"))) }
    }

    private static func rewrittenByPlistutil(
        _ file: [UInt8],
        _ format: PropertyListFormat
    ) throws -> [UInt8]? {
        let folder = try TemporaryFolder()
        try Data(file).write(to: folder.url("in"))
        let result = try run(
            "/usr/bin/plistutil",
            ["-f", format == .xml ? "xml" : "bin", "-i", folder.file("in"), "-o", folder.file("out")]
        )
        guard result.ending == .exit(0) else { return nil }
        return try? Array(Data(contentsOf: folder.url("out")))
    }

    /// The program's version in the form that the article uses.
    var version: String {
        get throws {
            switch self {
            case .foundation:
                #if swift(>=6.4)
                "another than 6.3"
                #elseif swift(>=6.3)
                "Foundation of Swift 6.3"
                #else
                "another than 6.3"
                #endif
            case .plistlib:
                try "plistlib of "
                    + run("/usr/bin/python3", ["--version"]).output.split(separator: ".").prefix(2)
                    .joined(separator: ".")
            case .plistutil:
                try run("/usr/bin/plistutil", ["--version"]).output
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }
    }
}

extension TemporaryFolder {
    fileprivate func url(_ name: String) -> URL { URL(fileURLWithPath: file(name)) }
}
