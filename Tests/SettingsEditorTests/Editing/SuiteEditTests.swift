import PropertyList
import Testing

@testable import SettingsEditor

@Suite("The change of one suite that a command computes")
struct SuiteEditTests {
    private let suite = loadedSuite(
        "s",
        ["flag": true, "list": [1, 2, 3], "name": "Ann", "map": ["a": 1, "on": false]]
    )

    private func refusal(_ body: () throws -> SuiteEdit?) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return reason(of: error)
        }
    }

    private func row(_ path: ValuePath) throws -> Row {
        Row(path: path, shown: try #require(suite.outline.node(at: path)), isOpen: false)
    }

    @Test("A value replaces a stored one, or is inserted before an element")
    func putting() throws {
        let replaced = try suite.putting(.propertyList("Eve"), at: [.key("name")], inserting: false)
        #expect(replaced.values == ["name": "Eve"])
        #expect(replaced.selected == [.key("name")])
        let inserted = try suite.putting(.propertyList(9), at: [.key("list"), .index(1)], inserting: true)
        #expect(inserted.values == ["list": [1, 9, 2, 3]])
        #expect(inserted.isInserted)
        let new = try suite.putting(.propertyList(1), at: [.key("new")], inserting: true)
        #expect(new.values == ["new": 1])
    }

    @Test("A new key needs a free name, and a value inside a key needs the key")
    func puttingRefused() {
        let taken = refusal { try suite.putting(.propertyList(1), at: [.key("name")], inserting: true) }
        #expect(taken == "“name” already exists.")
        let gone = refusal {
            try suite.putting(.propertyList(1), at: [.key("x"), .index(0)], inserting: false)
        }
        #expect(gone == "“x” is gone.")
    }

    @Test("Deleting removes keys and elements, also several elements of one array")
    func deleting() throws {
        let edit = try suite.deleting([
            [.key("list"), .index(0)], [.key("name")], [.key("list"), .index(2)],
        ])
        #expect(edit.values == ["list": [2], "name": nil])
        #expect(edit.deselected.count == 3)
        #expect(edit.message == "Deleted 3 rows. Press u to undo.")
    }

    @Test("Toggling turns several booleans of one key around at once, and refuses other values")
    func flipping() throws {
        let edit = try suite.flipping([[.key("flag")], [.key("map"), .key("on")]])
        #expect(edit.values == ["flag": false, "map": ["a": 1, "on": true]])
        let text = refusal { try suite.flipping([[.key("name")]]) }
        #expect(text == "Only true and false can be toggled.")
    }

    @Test(
        "An element moves as far as the array goes",
        arguments: [
            (0, false, 1, [2, 1, 3], 1), (0, false, 9, [2, 3, 1], 2), (2, true, 2, [3, 1, 2], 0),
        ] as [(Int, Bool, Int, [Int], Int)]
    )
    func moving(_ place: Int, _ up: Bool, _ times: Int, _ expected: [Int], _ selected: Int) throws {
        let edit = try suite.moving(row([.key("list"), .index(place)]), up: up, times: times)
        let values = expected.map { PropertyListValue.integer(PropertyListInteger(Int64($0))) }
        #expect(edit.values == ["list": .array(values)])
        #expect(edit.selected == [.key("list"), .index(selected)])
        #expect(edit.isMove)
    }

    @Test("The first element cannot move up, and a key cannot move")
    func movingRefused() throws {
        let (first, key) = (try row([.key("list"), .index(0)]), try row([.key("name")]))
        let atStart = refusal { try suite.moving(first, up: true, times: 1) }
        #expect(atStart == "It is already the first element.")
        let ofKey = refusal { try suite.moving(key, up: true, times: 1) }
        #expect(ofKey == "Only elements of an array can be moved.")
    }

    @Test("A new name moves a value, keeps a secret secret and is refused if it is taken")
    func renaming() throws {
        var suite = suite
        suite.keepSecret("name")
        let edit = try #require(try suite.renaming([.key("name")], to: "nick"))
        #expect(edit.values == ["name": nil, "nick": "Ann"])
        #expect(edit.secrets == ["nick"])
        #expect(edit.selected == [.key("nick")])
        let member = try #require(try suite.renaming([.key("map"), .key("a")], to: "b"))
        #expect(member.values == ["map": ["b": 1, "on": false]])
        let same = try suite.renaming([.key("name")], to: "name")
        #expect(same == nil)
        let taken = refusal { try suite.renaming([.key("name")], to: "flag") }
        #expect(taken == "“flag” already exists.")
        let empty = refusal { try suite.renaming([.key("name")], to: "") }
        #expect(empty == "Type a name.")
    }

    @Test("Copied values are inserted as elements, or under their own names")
    func inserting() throws {
        let clips = ["x", "y"].map {
            Clip(name: $0, content: .propertyList(.string($0)), isSecret: $0 == "y")
        }
        let elements = try suite.inserting(clips, in: [.key("list")], from: 1)
        #expect(elements.values == ["list": [1, "x", "y", 2, 3]])
        #expect(elements.selected == [.key("list"), .index(1)])
        let keys = try suite.inserting(clips, in: [], isJSON: false)
        #expect(keys.values == ["x": "x", "y": "y"])
        #expect(keys.secrets == ["y"])
        let members = try suite.inserting(clips, in: [.key("map")], isJSON: false)
        #expect(members.values == ["map": ["a": 1, "on": false, "x": "x", "y": "y"]])
    }

    @Test("A free name is as similar as possible")
    func names() {
        let suite = loadedSuite("s", ["a": 1, "b": 1, "b copy": 1])
        #expect(suite.freeName("c", in: []) == "c")
        #expect(suite.freeName("a", in: []) == "a copy")
        #expect(suite.freeName("b", in: []) == "b copy 2")
    }
}
