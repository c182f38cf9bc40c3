import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The parts of the editor's state")
struct SubStateTests {
    @Test("Clearing the filter of a pane without one clears the other pane's")
    func clearing() {
        var list = SuiteList()
        list.suites = [SuiteModel(id: "a", "a")]
        list.filter = Pattern("a")
        list.clearFilter(of: .keys)
        #expect(list.filter == nil)
    }

    @Test("Typing changes the line of the top modal and removes its problem")
    func typing() {
        var modals = ModalStack()
        var (prompts, killed) = (PromptHistory(), "")
        let nothing = modals.type(.insert("a"), &prompts, &killed)
        #expect(!nothing)
        var naming = NamePrompt(subject: .suite)
        naming.problem = "taken"
        modals.open(.naming(naming))
        let typed = modals.type(.insert("abc"), &prompts, &killed)
        #expect(typed)
        #expect(modals.top?.line?.text == "abc" && modals.top?.problem == nil)
        _ = modals.type(.paste("d\r\n"), &prompts, &killed)
        #expect(modals.top?.line?.text == "abcd")
        let other = modals.type(.confirm, &prompts, &killed)
        #expect(!other)
    }

    @Test("A search of a suite ends with a match, and ends without one if another suite is selected")
    func searching() throws {
        let suite = loadedSuite("s", ["a": 1, "b": 1])
        var search = SearchState()
        let pattern = try #require(Pattern("b"))
        func begin() {
            let rows = Search(for: pattern, from: [.key("a")], forwards: true)
            search.running = RunningSearch(suite: "s", search: rows)
        }
        begin()
        var budget = WorkBudget.unlimited
        let result = search.goOn(in: suite, &budget)
        #expect(result?.1 == .found([.key("b")]))
        #expect(search.running == nil)
        begin()
        let elsewhere = search.goOn(in: loadedSuite("t", [:]), &budget)
        #expect(elsewhere == nil && search.running == nil)
        search.count(pattern, in: suite)
        #expect(search.hits?.suite == "s")
        search.forgetHits()
        #expect(search.hits == nil)
    }
}
