import PropertyList
import Testing

@testable import SettingsEditor

@Suite("The change of one suite that a command computes")
struct SuiteEditTests {
    private let suite = loadedSuite(
        "s",
        ["list": [1, 2, 3], "name": "Ann", "map": ["a": 1, "on": false]]
    )

    private func refusal(_ body: () throws -> SuiteEdit?) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return reason(of: error)
        }
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
}
