import PropertyList
import Testing

@testable import SettingsEditor

@Suite("Where paths lead after a change")
struct MappedPathTests {
    private func mapping(_ old: PropertyListValue, _ new: PropertyListValue) -> PathMapping {
        PathMapping(from: old, to: new)
    }

    @Test("A path follows its element, and says whether that is certain")
    func targets() {
        let moved = mapping([1, 2, 3], [0, 1, 2, 3]).target(of: [.index(1)])
        #expect(moved.path == [.index(2)] && moved.isCertain)
        let unsure = mapping([1, 2, 3], [4, 5]).target(of: [.index(1)])
        #expect(unsure.path == [.index(1)] && !unsure.isCertain)
        let member = mapping(["a": 1], ["b": 2]).target(of: [.key("a")])
        #expect(member.path == [.key("a")] && member.isCertain)
    }

    @Test("The nearest path of a deleted element is the one that followed it")
    func nearest() {
        #expect(mapping([1, 2, 3], [1, 3]).nearest(to: [.index(1)]) == [.index(1)])
        #expect(mapping([1, 2, 3], [1, 2]).nearest(to: [.index(2)]) == [.index(1)])
        #expect(
            mapping([[1], [2]], [[0], [1], [2]]).nearest(to: [.index(1), .index(0)]) == [
                .index(2), .index(0),
            ]
        )
    }

    @Test("Expanded elements stay expanded at their new indexes, and deleted ones are forgotten")
    func expanded() {
        var paths = ExpandedPaths()
        for index in [0, 1] { paths.set(true, at: [.index(index)]) }
        let old: PropertyListValue = [["a": 1], ["b": 2]]
        let inserted = mapping(old, [["z": 0], ["a": 1], ["b": 2]]).expanded(paths)
        #expect(
            inserted.inside.filter(\.value.isOpen).keys.sorted { "\($0)" < "\($1)" } == [
                .index(1), .index(2),
            ]
        )
        let removed = mapping(old, [["b": 2]]).expanded(paths)
        #expect(removed.inside.keys.map { $0 } == [.index(0)])
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
