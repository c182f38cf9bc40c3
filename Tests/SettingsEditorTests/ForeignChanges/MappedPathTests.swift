import PropertyList
import Testing

@testable import SettingsEditor

@Suite("Where paths lead after a change")
struct MappedPathTests {
    private func mapping(_ old: PropertyListValue, _ new: PropertyListValue) -> PathMapping {
        PathMapping(from: old, to: new)
    }

    @Test("A large change that was compared beforehand leads to the same elements")
    func prepared() {
        let old = PropertyListValue.array(
            (0..<50).map { .dictionary(["id": .integer(PropertyListInteger($0))]) }
        )
        let new = PropertyListValue.array(
            (10..<60).map { .dictionary(["id": .integer(PropertyListInteger($0))]) }
        )
        let diff = PreparedDiff(old, new)
        let prepared = PathMapping(from: old, diff.old, to: new, [diff])
        #expect(prepared.preparedNode != nil)
        for index in [10, 25, 49] {
            let path: ValuePath = [.index(index), .key("id")]
            #expect(prepared.nearest(to: path) == [.index(index - 10), .key("id")])
            #expect(prepared.target(of: path).path == prepared.nearest(to: path))
        }
        var paths = ExpandedPaths()
        for index in [3, 25] { paths.set(true, at: [.index(index)]) }
        #expect(prepared.expanded(paths).inside.keys.map { $0 } == [.index(15)])
    }

    @Test("Two changes in a row lead from the first value to the last one")
    func continued() {
        let mapping = mapping([1, 2], [0, 1, 2]).continued(to: [9, 0, 1, 2])
        #expect(mapping.target(of: [.index(0)]).path == [.index(2)])
    }
}
