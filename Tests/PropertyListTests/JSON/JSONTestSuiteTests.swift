import Foundation
import Testing

@testable import PropertyList

private let folder = ProcessInfo.processInfo.environment["JSON_TEST_SUITE"]

/// Reads every file of JSONTestSuite (github.com/nst/JSONTestSuite) as a suite. `Tests/long` explains how to run this.
///
/// The names of the files say what a reader of RFC 8259 does: `y_` is accepted, `n_` is refused, and `i_` may be either.
@Suite("JSONTestSuite", .enabled(if: folder != nil, "JSON_TEST_SUITE names no copy of the suite"))
struct JSONTestSuiteTests {
    /// The files that break RFC 8259 only by a comment or by a comma behind the last member or element.
    private static let extensions: Set<String> = [
        "n_array_extra_comma.json", "n_array_number_and_comma.json", "n_object_trailing_comma.json",
        "n_object_trailing_comment.json", "n_object_trailing_comment_slash_open.json",
        "n_structure_object_with_comment.json",
    ]

    private static func files(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
        let folder = try #require(folder) + "/test_parsing/"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return try names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.map { name in
            (name, [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + name))))
        }
    }

    private static func read(_ bytes: [UInt8], _ format: PropertyListFormat? = .json) -> Result<
        PropertyListFormat, PropertyListError
    > {
        Result { () throws(PropertyListError) in
            try PropertyListDocument.read(bytes, expecting: format).document.format
        }
    }

    @Test("Valid files with an object at the top are read, and the others are not called damaged")
    func accepted() throws {
        let files = try Self.files("y_")
        #expect(files.count >= 95)
        for (name, bytes) in files {
            #expect(throws: Never.self, "\(name)") { try JSONDocument(parsing: Data(bytes)) }
            // A file is read by the name that says JSON, and as one whose name says nothing.
            for format in [PropertyListFormat.json, nil] {
                switch Self.read(bytes, format) {
                case .success(let found): #expect(found == .json || bytes == Array("{}".utf8), "\(name)")
                case .failure(let error):
                    #expect(bytes.first { !ASCII.isWhiteSpace($0) } != UInt8(ascii: "{"), "\(name): \(error)")
                    #expect(error.reason == .unsupported, "\(name): \(error)")
                }
            }
        }
    }

    @Test("Invalid files are refused, except for comments and a comma at the end")
    func refused() throws {
        let files = try Self.files("n_")
        #expect(files.count >= 188)
        for (name, bytes) in files {
            #expect(throws: PropertyListError.self, "\(name)") { try JSONDocument(parsing: Data(bytes)) }
            switch Self.read(bytes) {
            case .success: #expect(Self.extensions.contains(name), "\(name)")
            case .failure(let error):
                #expect(!"\(error)".isEmpty)
                if Self.extensions.contains(name) {
                    #expect(error.reason == .unsupported, "\(name): \(error)")
                }
            }
        }
    }

    @Test("Files that RFC 8259 leaves open end in values or in an error")
    func either() throws {
        for (_, bytes) in try Self.files("i_") {
            _ = Self.read(bytes)
            _ = Self.read(bytes, nil)
        }
    }
}
