import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

@Suite("The parts of the editor's state")
struct SubStateTests {
    @Test("A clock never goes back, and keeps the last known date")
    func clock() {
        var clock = EditorClock()
        let date = Date(timeIntervalSinceReferenceDate: 5)
        clock.tick(2, date)
        clock.tick(1, nil)
        #expect(clock.now == 2)
        #expect(clock.date == date)
    }

    @Test("A count starts with 1 to 9 and has an end")
    func count() {
        var input = KeyInput()
        input.type(digit: 0)
        #expect(input.count == nil)
        for digit in [1, 0, 7] { input.type(digit: digit) }
        #expect(input.count == 107)
        for _ in 0..<20 { input.type(digit: 9) }
        #expect(input.count == 999_999_999)
    }

    @Test("A message expires when its time is over; one without an end stays")
    func messages() {
        var line = StatusLine()
        line.say("first")
        line.expire(now: 1000)
        #expect(line.message?.text == "first")
        line.message = StatusMessage(text: "second", until: 5)
        line.expire(now: 4.9)
        #expect(line.message?.text == "second")
        line.expire(now: 5)
        #expect(line.message == nil)
    }

    @Test("A filter leaves suites, and finds the selected one only among all")
    func suites() {
        var list = SuiteList()
        #expect(list.suite == nil)
        list.suites = ["a", "ab", "b"].map { SuiteModel(id: $0, title: $0) }
        list.selected = 2
        #expect(list.suite?.id == "b")
        #expect(list.index(of: "ab") == 1)
        #expect(list.index(of: "ab", near: 0) == 1)
        #expect(list.index(of: "a", near: 2) == 0)
        #expect(list.index(of: "c") == nil)
        list.filter = Pattern("a")
        #expect(list.shown == [0, 1])
    }

    @Test("A new suite is inserted in order, and the selection stays on its suite")
    func newSuite() {
        var list = SuiteList()
        list.suites = ["a", "c"].map { SuiteModel(id: $0, title: $0) }
        list.selected = 1
        let index = list.insert("b")
        #expect(index == 1)
        #expect(list.suite?.id == "c")
        #expect(list.suites.map(\.id) == ["a", "b", "c"])
        #expect(list.suites[1].presence == .new)
    }

    @Test("A suite is loaded once, also if it is selected again")
    func loading() {
        var list = SuiteList()
        list.suites = ["a", "b"].map { SuiteModel(id: $0, title: $0) }
        list.selected = 1
        let first = list.loadSelected()
        let second = list.loadSelected()
        #expect(first == [.load("b")] && second.isEmpty)
        let restored = list.makeRoom(for: "c")
        #expect(restored == [.load("c")])
        #expect(list.index(of: "c") == 2)
    }

    @Test("Clearing the filter of a pane without one clears the other pane's")
    func clearing() {
        var list = SuiteList()
        list.suites = [SuiteModel(id: "a", title: "a")]
        list.filter = Pattern("a")
        list.clearFilter(of: .keys)
        #expect(list.filter == nil)
    }

    @Test("Numbers are given once")
    func numbers() {
        var history = HistoryState()
        let numbers: [Int] = (0..<3).map { _ in history.nextNumber() }
        #expect(numbers == [1, 2, 3])
    }

    @Test("The top modal is the last that was opened, and the screen is the last that covers the panes")
    func modals() {
        var modals = ModalStack()
        #expect(modals.top == nil && modals.screen == nil)
        modals.open(.naming(NamePrompt(subject: .suite)))
        modals.open(.history(HistoryScreen()))
        #expect(modals.all.count == 1)
        let question = Modal.question(Confirmation(text: "?", subject: .quit))
        modals.push(question)
        #expect(modals.top == question)
        #expect(modals.screen == .history(HistoryScreen()))
        modals.replaceTop(.choosingLevel(LevelPrompt()))
        #expect(modals.all.count == 2)
        modals.push(.help(HelpScreen(mode: .level)))
        #expect(modals.screen == modals.top)
        modals.pop()
        modals.pop()
        #expect(modals.top == .history(HistoryScreen()))
        modals.closeAll()
        #expect(modals.isEmpty)
        modals.pop()
        #expect(modals.isEmpty)
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

    @Test("A command removes the previous message, unless it could not be shown yet")
    func beginning() {
        var line = StatusLine()
        line.say("first")
        line.stray = .escape
        line.beginCommand(isShown: false)
        #expect(line.message?.text == "first" && line.stray == nil)
        line.beginCommand(isShown: true)
        #expect(line.message == nil)
    }

    @Test("The message about an outage is replaced once, and only while it is shown")
    func outage() {
        var line = StatusLine()
        let notice = Notice(text: "Not written", isProblem: true)
        line.outageNotice = notice
        let other = line.endOutage(shown: nil)
        #expect(other == nil && line.outageNotice == nil)
        line.outageNotice = notice
        let shown = line.endOutage(shown: notice)
        #expect(shown == "Not written: the cluster was unreachable. It answers again, so repeat your change.")
        let again = line.endOutage(shown: notice)
        #expect(again == nil)
        line.endWaiting()
        #expect(line.message == nil)
        line.tellOfWaiting()
        line.endWaiting()
        #expect(line.message?.text == "Stored: the cluster answers again.")
    }

    @Test("The history records own writes and foreign changes, newest first on the screen")
    func records() {
        var history = HistoryState()
        let format = ValueFormat(date: nil, zone: { _ in 0 })
        let changes = ["b": ValueChange(old: 1, new: 2), "a": ValueChange(old: 1, new: 1)]
        let write = Write(id: WriteID(number: 1), suite: "s", changes: changes, whole: .made(like: nil))
        history.record(write, at: nil, format)
        history.record(
            [Change(key: "c", old: nil, new: 1, origin: .otherProcess, sequence: 1)],
            [:],
            of: "s",
            at: nil,
            format
        )
        history.record(.gone, of: ["t"], at: nil)
        #expect(history.journal.entries.map(\.suite) == ["s", "s", "s", "t"])
        #expect(history.journal.entries.map { $0.ofKey?.key } == ["b", nil, "c", nil])
        #expect(history.journal.entries.map(\.isOwn) == [true, true, false, false])
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

    @Test("Copied values keep their names, unless they are elements")
    func copied() {
        var suite = loadedSuite("s", ["a": 1, "l": [2]])
        suite.keepSecret("a")
        var clipboard = EditorClipboard()
        clipboard.keep([[.key("a")], [.key("l"), .index(0)], [.key("z")]], of: suite)
        #expect(clipboard.clips.map(\.name) == ["a", nil])
        #expect(clipboard.clips.map(\.isSecret) == [true, false])
    }
}
