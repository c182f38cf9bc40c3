import Foundation
import Testing

@testable import PropertyList

private func read(_ text: String) throws -> JSONDocument {
    try JSONDocument(parsing: Data(text.utf8))
}

@Suite("Reading JSON texts")
struct JSONDocumentTests {
    @Test(
        "A value has its kind and keeps its spelling",
        arguments: [
            ("{}", .object), ("[ ]", .array), (#""""#, .string), ("0", .number), ("-0", .number),
            ("-0.0e-00", .number), ("1e400", .number), ("1E+2", .number), ("0.10", .number),
            ("123456789012345678901234567890", .number), ("true", .boolean), ("false", .boolean),
            ("null", .null), (#""\ud800""#, .string), ("\"\u{7F}\u{2028}/\"", .string),
            (#"{"a":1,"a":2}"#, .object), ("[[[]],{}]", .array),
        ] as [(String, JSONNode.Kind)]
    )
    func valueHasItsKindAndKeepsItsSpelling(_ text: String, _ kind: JSONNode.Kind) throws {
        let spaced = "\t\r\n " + text + " \n"
        let document = try read(spaced)
        #expect(document.root.kind == kind)
        #expect(document.root.source == text)
        #expect(document.text == Data(spaced.utf8))
    }

    @Test(
        "A text that is not JSON is refused with position and expectation",
        arguments: [
            ("", 1, 1, "found the end of the text where a value is expected"),
            (" \n ", 2, 2, "found the end of the text where a value is expected"),
            ("{", 1, 2, "found the end of the text where a name in double quotes is expected"),
            ("[", 1, 2, "found the end of the text where a value is expected"),
            ("[1,]", 1, 4, "found “]” where a value is expected"),
            ("[,1]", 1, 2, "found “,” where a value is expected"),
            ("[1 2]", 1, 4, "found “2” where “,” or “]” is expected"),
            ("[1}", 1, 3, "found “}” where “,” or “]” is expected"),
            ("{\"a\":1,}", 1, 8, "found “}” where a name in double quotes is expected"),
            ("{\n  a: 1\n}", 2, 3, "found “a” where a name in double quotes is expected"),
            ("{\"a\" 1}", 1, 6, "found “1” where “:” is expected"),
            ("{\"a\":}", 1, 6, "found “}” where a value is expected"),
            ("{\"a\":1]", 1, 7, "found “]” where “,” or “}” is expected"),
            ("1 2", 1, 3, "found “2” where the end of the text is expected"),
            ("{}}", 1, 3, "found “}” where the end of the text is expected"),
            ("01", 1, 1, "a number has a leading 0"),
            ("-", 1, 2, "found the end of the text where a digit is expected"),
            ("1.", 1, 3, "found the end of the text where a digit is expected"),
            (".5", 1, 1, "found “.” where a value is expected"),
            ("+1", 1, 1, "found “+” where a value is expected"),
            ("1e", 1, 3, "found the end of the text where a digit is expected"),
            ("0x10", 1, 2, "found “x” where the end of the text is expected"),
            ("NaN", 1, 1, "found “N” where a value is expected"),
            ("nul", 1, 1, "found “n” where a value is expected"),
            ("True", 1, 1, "found “T” where a value is expected"),
            ("'a'", 1, 1, "found “'” where a value is expected"),
            ("\"a", 1, 1, "a string starts here and has no closing “\"”"),
            ("\"\\\"", 1, 1, "a string starts here and has no closing “\"”"),
            ("\"a\nb\"", 1, 3, "a string is not closed on its line"),
            ("\"a\tb\"", 1, 3, "a string contains the control character 0x09, which must be escaped"),
            ("\"\\x\"", 1, 2, "“\\” is not followed by one of \" \\ / b f n r t u"),
            ("\"\\u12g4\"", 1, 2, "“\\u” is not followed by four hexadecimal digits"),
            ("// x\n1", 1, 1, "found “/” where a value is expected"),
            ("é", 1, 1, "found “é” (U+00E9) where a value is expected"),
            ("[😀]", 1, 2, "found “😀” (U+1F600) where a value is expected"),
            ("[\u{A0}1]", 1, 2, "found U+00A0 where a value is expected"),
            ("[\u{202E}1]", 1, 2, "found U+202E where a value is expected"),
            ("1\0", 1, 2, "found the byte 0x00 where the end of the text is expected"),
        ]
    )
    func textThatIsNotJSONIsRefusedWithPositionAndExpectation(
        _ text: String,
        _ line: Int,
        _ column: Int,
        _ problem: String
    ) {
        #expect(throws: PropertyListError(.line(line, column: column), .malformed, problem)) {
            try read(text)
        }
    }

    @Test(
        "Bytes that are not UTF-8 are refused with their position",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
            [0xF0, 0x9F, 0x98],
        ] as [[UInt8]]
    )
    func bytesThatAreNotUTF8AreRefusedWithTheirPosition(_ bytes: [UInt8]) throws {
        let error = try #require(throws: PropertyListError.self) {
            try JSONDocument(parsing: Data(Array("[\"a\",\n\"b".utf8) + bytes + Array("\"]".utf8)))
        }
        #expect(error.place == .line(2, column: 3))
        #expect(error.problem.contains("is not UTF-8"))
    }

    @Test("One byte order mark is skipped and kept, a second one is refused")
    func oneByteOrderMarkIsSkippedAndKeptASecondOneIsRefused() throws {
        let marked = try read("\u{FEFF}{\"a\": 1}")
        #expect(marked.root.kind == .object)
        let edited = try marked.editing(.replace(.json("2")), at: [.key("a")])
        #expect(edited.text == Data("\u{FEFF}{\"a\": 2}".utf8))
        #expect(throws: PropertyListError.self) { try read("\u{FEFF}\u{FEFF}1") }
    }

    @Test(
        "Strings are decoded, and half a surrogate pair becomes U+FFFD",
        arguments: [
            (#""""#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"), (#""\u00e9\u0000""#, "é\0"),
            (#""\ud83d\uDE00!""#, "😀!"), ("\"日本語\"", "日本語"), (#""\ud800""#, "\u{FFFD}"),
            (#""\udc00\ud800x""#, "\u{FFFD}\u{FFFD}x"), (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"),
            (#""\ud800\n""#, "\u{FFFD}\n"), (#""\\u0041""#, "\\u0041"),
        ]
    )
    func stringsAreDecodedAndHalfASurrogatePairBecomesUFFFD(_ source: String, _ string: String) throws {
        let node = try read("[\(source)]").root.children[0].node
        #expect(node.string.map { Array($0.utf8) } == Array(string.utf8))
        #expect(node.source == source)
    }

    @Test(
        "A string written as JSON reads back as itself",
        arguments: ["", "plain", "\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F}", "é日😀\u{2028}", "e\u{301}"]
    )
    func stringWrittenAsJSONReadsBackAsItself(_ string: String) throws {
        let root = try read(jsonText(string)).root
        #expect(root.string.map { Array($0.utf8) } == Array(string.utf8))
    }

    @Test("Only characters that must be escaped are escaped")
    func onlyCharactersThatMustBeEscapedAreEscaped() {
        #expect(jsonText("a/é\u{1}\"\\\n") == #""a/é\u0001\"\\\n""#)
    }

    @Test("Members are found by name and elements by index")
    func membersAreFoundByNameAndElementsByIndex() throws {
        let document = try read(#"{"a": [10, {"b": null}], "": true, "é": 1}"#)
        #expect(document.node(at: [])?.kind == .object)
        #expect(document.node(at: [.key("a"), .index(0)])?.source == "10")
        #expect(document.node(at: [.key("a"), .index(1), .key("b")])?.kind == .null)
        #expect(document.node(at: [.key("")])?.source == "true")
        #expect(document.node(at: [.key("e\u{301}")])?.source == "1")
        #expect(document.node(at: [.key("b")]) == nil)
        #expect(document.node(at: [.index(0)]) == nil)
        #expect(document.node(at: [.key("a"), .index(2)]) == nil)
        #expect(document.node(at: [.key("a"), .index(-1)]) == nil)
        #expect(document.node(at: [.key("a"), .key("0")]) == nil)
        #expect(document.node(at: [.key("a"), .index(0), .index(0)]) == nil)
        #expect(document.root.children.map(\.step) == [.key("a"), .key(""), .key("é")])
        #expect(document.root.children.map(\.node.childCount) == [2, 0, 0])
    }

    @Test(
        "Members that share a name report it, and the first one is found",
        arguments: [
            (["a", "b", "a"], [true, false, true]), (["a", #"\u0061"#], [true, true]),
            (["é", "e\u{301}"], [true, true]), ([#"\ud800"#, #"\udfff"#], [true, true]),
            (["ab", "a", "abc"], [false, false, false]), (["", ""], [true, true]),
            (["a", "a", "a"], [true, true, true]),
        ]
    )
    func membersThatShareANameReportItAndTheFirstOneIsFound(_ names: [String], _ expected: [Bool]) throws {
        for others in [0, 20] {
            let otherNames = (0..<others).map { "other \($0)" }
            let members = (names + otherNames).enumerated().map { "\"\($1)\": \($0)" }
            let document = try read("{" + members.joined(separator: ", ") + "}")
            let nodes = document.root.children
            #expect(nodes.map(\.node.hasTwin) == expected + otherNames.map { _ in false })
            #expect(document.node(at: [nodes[0].step])?.source == "0")
            // Each member is also found by its own path.
            for (place, name) in names.enumerated() where expected[place] {
                let number = names[..<place].filter { nodes[place].step == .key($0) || $0 == name }.count
                let path: ValuePath = [.twin(name, number)]
                #expect(throws: ValueEditError.self) {
                    try document.editing(.replace(.json("0")), at: [.key(name)])
                }
                guard case .key(let decoded) = nodes[place].step, decoded == name else { continue }
                #expect(document.node(at: path)?.source == "\(place)")
                let edited = try document.editing(.replace(.json("[]")), at: path)
                #expect(edited.root.children[place].node.source == "[]")
                #expect(edited.root.childCount == document.root.childCount)
                let removed = try document.editing(.remove, at: path)
                #expect(
                    removed.root.children.map(\.node.source)
                        == nodes.map(\.node.source).filter { $0 != "\(place)" }
                )
                let renamed = try document.editing(.rename("another"), at: path)
                #expect(renamed.node(at: [.key("another")])?.source == "\(place)")
            }
        }
    }

    @Test("Size and depth are limited, and errors have a position")
    func sizeAndDepthAreLimitedAndErrorsHaveAPosition() throws {
        var limits = PropertyListLimits()
        limits.size = 10
        limits.depth = 2
        let tooLong = try #require(throws: PropertyListError.self) {
            try JSONDocument(parsing: Data("[1,2,3,4,5]".utf8), limits: limits)
        }
        #expect(tooLong.reason == .limitExceeded)
        #expect(tooLong.problem == "the text has 11 bytes, at most 10 are read")
        #expect(throws: Never.self) { try JSONDocument(parsing: Data("[{}, []]".utf8), limits: limits) }
        let tooDeep = try #require(throws: PropertyListError.self) {
            try JSONDocument(parsing: Data("[[\n[]]]".utf8), limits: limits)
        }
        #expect(tooDeep.reason == .limitExceeded)
        #expect(tooDeep.place == .line(2, column: 1))
    }

    @Test("The number of values is limited")
    func numberOfValuesIsLimited() throws {
        let bytes = Array("[1,{},\n3]".utf8)
        #expect(try JSONReader.read(bytes, limits: .standard, maximumCount: 4).entries.count == 4)
        #expect(
            throws: PropertyListError(.line(2, column: 1), .limitExceeded, "more than 3 values are not read")
        ) {
            try JSONReader.read(bytes, limits: .standard, maximumCount: 3)
        }
    }

    @Test(
        "A million brackets exceed the limit, and without a limit they can be read",
        arguments: ["[", "{\"\":"]
    )
    func millionBracketsExceedTheLimitAndWithoutALimitTheyCanBeRead(_ opening: String) throws {
        let text = String(repeating: opening, count: 1_000_000)
        let error = try #require(throws: PropertyListError.self) { try read(text) }
        #expect(error.reason == .limitExceeded)

        var limits = PropertyListLimits()
        limits.depth = .max
        let depth = 50_000
        let closing = opening == "[" ? "]" : "}"
        let whole = String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        let document = try JSONDocument(parsing: Data(whole.utf8), limits: limits)
        let step: PathStep = opening == "[" ? .index(0) : .key("")
        let deepest = ValuePath(Array(repeating: step, count: depth))
        #expect(document.node(at: deepest)?.source == "1")
    }

    @Test("In a large container, a child is found without a walk over the others")
    func inALargeContainerAChildIsFoundWithoutAWalkOverTheOthers() throws {
        let count = 100_000
        let array = try read("[" + (0..<count).map { "\($0)" }.joined(separator: ",") + "]")
        let object = try read("{" + (0..<count).map { "\"n\($0)\":\($0)" }.joined(separator: ",") + "}")
        for place in stride(from: 0, to: count, by: 10) {
            guard array.node(at: [.index(place)])?.sourceBytes.elementsEqual("\(place)".utf8) == true,
                object.node(at: [.key("n\(place)")])?.sourceBytes.elementsEqual("\(place)".utf8) == true
            else {
                Issue.record("child \(place) is missing")
                return
            }
        }
        #expect(array.root.children.count == count)
        #expect(object.root.children.last?.step == .key("n99999"))
    }

    @Test("A text that is a slice of other data is read from its own start")
    func textThatIsASliceOfOtherDataIsReadFromItsOwnStart() throws {
        let data = Data("xx[1]".utf8).dropFirst(2)
        #expect(try JSONDocument(parsing: data).root.childCount == 1)
    }
}
