import Foundation
import ProgramHarness
import Testing

@testable import PropertyList

/// The content of a JSON text without its spelling, except for that of the leaves.
private indirect enum Model: Equatable {
    case object([(name: String, value: Model)])
    case array([Model])
    case leaf(String)

    init(_ node: JSONNode) {
        switch node.kind {
        case .object:
            self = .object(
                node.children.map { child in
                    guard case .key(let name) = child.step else { return ("", .leaf("no name")) }
                    return (name, Model(child.node))
                }
            )
        case .array: self = .array(node.children.map { Model($0.node) })
        default: self = .leaf(node.source)
        }
    }

    static func == (a: Model, b: Model) -> Bool {
        switch (a, b) {
        case (.object(let a), .object(let b)):
            a.elementsEqual(b) { $0.name == $1.name && $0.value == $1.value }
        case (.array(let a), .array(let b)): a == b
        case (.leaf(let a), .leaf(let b)): a == b
        default: false
        }
    }

    /// The paths of all values, beginning with the whole.
    var paths: [ValuePath] {
        let below: [(PathStep, Model)] =
            switch self {
            case .object(let members): members.map { (.key($0.name), $0.value) }
            case .array(let elements): elements.enumerated().map { (.index($0), $1) }
            case .leaf: []
            }
        return [[]] + below.flatMap { step, value in value.paths.map { ValuePath([step] + $0.steps) } }
    }

    subscript(steps: ArraySlice<PathStep>) -> Model {
        get {
            switch (self, steps.first) {
            case (.object(let members), .key(let name)?):
                members.first { $0.name == name }.map { $0.value[steps.dropFirst()] } ?? .leaf("none")
            case (.array(let elements), .index(let index)?): elements[index][steps.dropFirst()]
            default: self
            }
        }
        set {
            switch (self, steps.first) {
            case (.object(var members), .key(let name)?):
                for index in members.indices where members[index].name == name {
                    members[index].value[steps.dropFirst()] = newValue
                }
                self = .object(members)
            case (.array(var elements), .index(let index)?):
                elements[index][steps.dropFirst()] = newValue
                self = .array(elements)
            default: self = newValue
            }
        }
    }
}

/// Writes valid texts with a layout that no serializer would choose.
private struct Writer {
    var random: SeededGenerator
    var text = ""

    mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

    mutating func space() { text += pick(["", "", " ", "\n", "\r\n\t", "  "]) }

    mutating func string(_ prefix: String = "") -> String {
        let pieces = [
            "a", "é", #"\n"#, #"\""#, #"\\"#, #"\u00e9"#, #"\ud83d\ude00"#, "😀", "/", "]", "}", ",", ":", "{",
        ]
        return "\"" + prefix + (0..<Int.random(in: 0...4, using: &random)).map { _ in pick(pieces) }.joined()
            + "\""
    }

    mutating func value(depth: Int) {
        switch Int.random(in: 0...(depth < 4 ? 9 : 4), using: &random) {
        case 0: text += string()
        case 1: text += pick(["true", "false", "null"])
        case 2...4: text += pick(["0", "-0", "1e400", "-1.50E+07", "123456789012345678901", "0.1e-9"])
        case 5, 6: list("[", "]", depth) { _, _ in }
        default:
            list("{", "}", depth) { writer, place in
                // The number makes the names unique.
                writer.text += writer.string("\(place)")
                writer.space()
                writer.text += ":"
                writer.space()
            }
        }
    }

    mutating func list(_ open: String, _ close: String, _ depth: Int, _ name: (inout Writer, Int) -> Void) {
        text += open
        space()
        for place in 0..<Int.random(in: 0...4, using: &random) {
            if place > 0 {
                text += ","
                space()
            }
            name(&self, place)
            value(depth: depth + 1)
            space()
        }
        text += close
    }
}

@Suite("Random JSON texts")
struct JSONRandomTests {
    @Test(
        "Every edit at every path keeps all other bytes and has the wanted result",
        arguments: 0..<8
    )
    func everyEditAtEveryPathKeepsAllOtherBytesAndHasTheWantedResult(_ seed: UInt64) throws {
        for round in 0..<20 {
            var writer = Writer(random: SeededGenerator(seed: seed << 32 | UInt64(round)))
            writer.space()
            writer.list("{", "}", 0) { writer, place in
                writer.text += writer.string("\(place)")
                writer.text += ":"
                writer.space()
            }
            writer.space()
            let document = try JSONDocument(parsing: Data(writer.text.utf8))
            let model = Model(document.root)
            for path in model.paths {
                try replacing(document, model, path)
                try inserting(document, model, path)
                if !path.steps.isEmpty { try removing(document, model, path) }
                try renaming(document, model, path)
            }
        }
    }

    private func replacing(_ document: JSONDocument, _ model: Model, _ path: ValuePath) throws {
        let node = try #require(document.node(at: path))
        let new = try document.editing(.replace(.json("[\"new\"]")), at: path)
        var expected = model
        expected[path.steps[...]] = .array([.leaf("\"new\"")])
        #expect(Model(new.root) == expected)
        let old = document.storage.bytes
        #expect(Array(new.text) == bytes(old, replacing: node.range, with: "[\"new\"]"))
    }

    private func inserting(_ document: JSONDocument, _ model: Model, _ path: ValuePath) throws {
        let old = document.storage.bytes
        let node = try #require(document.node(at: path))
        var places: [(PathStep, Model)] = []
        switch model[path.steps[...]] {
        case .leaf: break
        case .object(let members): places = [(.key("new \\"), .object(members + [("new \\", .leaf("1"))]))]
        case .array(let elements):
            places = (0...elements.count).map { place in
                var elements = elements
                elements.insert(.leaf("1"), at: place)
                return (.index(place), .array(elements))
            }
        }
        for (step, changed) in places {
            let new = try document.editing(.insert(.json("1")), at: path.appending(step))
            var expected = model
            expected[path.steps[...]] = changed
            #expect(Model(new.root) == expected)
            if node.childCount > 0 {
                #expect(common(old, new.storage.bytes) >= old.count)
            } else {
                // The white space inside an empty container may be removed.
                #expect(new.storage.bytes.starts(with: old[...node.range.lowerBound]))
                #expect(
                    new.storage.bytes.reversed().starts(with: old[(node.range.upperBound - 1)...].reversed())
                )
            }
        }
    }

    private func removing(_ document: JSONDocument, _ model: Model, _ path: ValuePath) throws {
        let new = try document.editing(.remove, at: path)
        var expected = model
        let parent = path.steps.dropLast()[...]
        switch (model[parent], path.steps.last) {
        case (.object(let members), .key(let name)?):
            expected[parent] = .object(members.filter { $0.name != name })
        case (.array(var elements), .index(let index)?):
            elements.remove(at: index)
            expected[parent] = .array(elements)
        default: Issue.record("no container at \(path)")
        }
        #expect(Model(new.root) == expected)
        #expect(common(document.storage.bytes, new.storage.bytes) >= new.storage.bytes.count)
    }

    private func renaming(_ document: JSONDocument, _ model: Model, _ path: ValuePath) throws {
        guard case .key(let name)? = path.steps.last else { return }
        let new = try document.editing(.rename("new \n"), at: path)
        var expected = model
        let parent = path.steps.dropLast()[...]
        if case .object(let members) = model[parent] {
            expected[parent] = .object(members.map { ($0.name == name ? "new \n" : $0.name, $0.value) })
        }
        #expect(Model(new.root) == expected)
        let range = try #require(document.node(at: path)?.nameRange)
        let old = document.storage.bytes
        #expect(Array(new.text) == bytes(old, replacing: range, with: #""new \n""#))
    }

    private func bytes(_ old: [UInt8], replacing range: Range<Int>, with text: String) -> [UInt8] {
        var bytes = old
        bytes.replaceSubrange(range, with: text.utf8)
        return bytes
    }

    /// The number of bytes that two texts share at their starts and ends.
    private func common(_ a: [UInt8], _ b: [UInt8]) -> Int {
        let start = zip(a, b).prefix { $0 == $1 }.count
        return start + zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
    }

    private static let sample =
        "{\"a\\u00e9\\ud83d\\ude00\": [-1.5e+3, true, null, \"é😀\\\"\"], \"b\": {\"\": {}, \"c\":\r\n [false, 0]}}"

    @Test("Every truncated text is refused with an error")
    func everyTruncatedTextIsRefusedWithAnError() throws {
        let bytes = Array(Self.sample.utf8)
        #expect(throws: Never.self) { try JSONDocument(parsing: Data(bytes)) }
        for count in 0..<bytes.count {
            #expect(throws: PropertyListError.self) { try JSONDocument(parsing: Data(bytes[..<count])) }
        }
    }

    @Test("A text with one changed byte is refused, or read completely")
    func textWithOneChangedByteIsRefusedOrReadCompletely() throws {
        let bytes = Array(Self.sample.utf8)
        var accepted = 0
        for position in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var mutant = bytes
                mutant[position] = byte
                guard let document = try? JSONDocument(parsing: Data(mutant)) else { continue }
                accepted += 1
                #expect(document.text == Data(mutant))
                walk(document.root)
            }
        }
        #expect(accepted > bytes.count)
    }

    private func walk(_ node: JSONNode) {
        _ = (node.source, node.string, node.displayText(), node.editText)
        for (_, child) in node.children { walk(child) }
    }

    @Test("Foundation accepts the same texts, and arrays that end in a comma")
    func foundationAcceptsTheSameTextsAndArraysThatEndInAComma() {
        // Foundation also refuses half surrogate pairs, so the sample has none that a change could
        // break.
        let bytes = Array(Self.sample.replacing(#"\ud83d\ude00"#, with: "").utf8)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<4_000 {
            var mutant = bytes
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let position = Int.random(in: mutant.indices, using: &random)
                if Bool.random(using: &random) {
                    mutant[position] = Array("\"\\{}[],:0e-.+tfn u".utf8).randomElement(using: &random) ?? 0
                } else {
                    mutant.remove(at: position)
                }
            }
            let ours = Result { try JSONDocument(parsing: Data(mutant)) }
            let theirs = Result {
                try JSONSerialization.jsonObject(with: Data(mutant), options: .fragmentsAllowed)
            }
            let text = String(decoding: mutant, as: UTF8.self)
            switch (ours, theirs) {
            case (.success, .success), (.failure, .failure): break
            case (.success, .failure): Issue.record("only read here: \(text)")
            case (.failure(let error), .success):
                #expect("\(error)".contains("found “]” where a value is expected"), "\(text)")
            }
        }
    }
}
