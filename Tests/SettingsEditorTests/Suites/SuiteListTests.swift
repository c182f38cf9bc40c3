import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The list of suites")
struct SuiteListTests {
    private func list(_ ids: [String], selected: Int = 0) -> SuiteList {
        var list = SuiteList()
        list.places = [Place("/x", title: "/x")]
        list.places[0].isFirst = true
        _ = list.take(ids.map { SuiteListing(id: $0, title: $0) }, in: 0, now: 0, .unicode)
        list.selected = selected
        return list
    }

    @Test("A suite that is gone is dropped, unless it is in use or has values on the screen")
    func dropping() {
        var list = list(["a", "b", "c"], selected: 2)
        list.suites[1] = loadedSuite("b", ["k": 1])
        _ = list.take([SuiteListing(id: "c", title: "c")], in: 0, now: 1, .unicode)
        let new = list.dropUnlisted { $0 == "a" }
        #expect(new == nil)
        #expect(list.suites.map(\.id) == ["a", "b", "c"])
        _ = list.dropUnlisted { _ in false }
        #expect(list.suites.map(\.id) == ["b", "c"])
        #expect(list.suite?.id == "c")
    }

    @Test(
        "A search of titles goes on at the other end",
        arguments: [
            (0, true, 1, "ab", 2, false), (2, true, 1, "a", 1, true), (0, false, 1, "ba", 3, true),
            (0, true, 2, "ba", 3, false),
        ] as [(Int, Bool, Int, String, Int, Bool)]
    )
    func search(
        _ selected: Int,
        _ forwards: Bool,
        _ count: Int,
        _ found: String,
        _ number: Int,
        _ hasWrapped: Bool
    ) throws {
        var list = list(["a", "ab", "ba", "c"], selected: selected)
        let pattern = try #require(Pattern("a"))
        let hit = list.search(pattern, forwards: forwards, inclusive: false, count: count)
        #expect(hit?.suite == found)
        #expect(hit?.number == number && hit?.count == 3 && hit?.hasWrapped == hasWrapped)
        #expect(list.suite?.id == found)
    }

    @Test("A search of titles without a match keeps the selection")
    func nothingFound() throws {
        var list = list(["a", "b"], selected: 1)
        let hit = list.search(try #require(Pattern("z")), forwards: true, inclusive: true, count: 1)
        #expect(hit == nil)
        #expect(list.selected == 1)
    }

    @Test("A path is selected as soon as its suite is read; a path that is gone is reported")
    func goal() {
        var list = list(["a"])
        list.goal = ("a", [.key("k")])
        let early = list.goToGoal()
        #expect(early && list.goal != nil)
        list.suites[0] = loadedSuite("a", ["j": 1, "k": 2])
        let found = list.goToGoal()
        #expect(found && list.goal == nil)
        #expect(list.suite?.outline.selectedRow?.path == [.key("k")])
        list.goal = ("a", [.key("z")])
        let gone = list.goToGoal()
        #expect(!gone)
    }
}
