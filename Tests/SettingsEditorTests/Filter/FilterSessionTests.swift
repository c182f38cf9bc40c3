import PropertyList
import Testing

@testable import SettingsEditor

@Suite("How far a filter has been applied")
struct FilterSessionTests {
    @Test("Entries are tried from the selection down, and then up")
    func order() {
        var session = FilterSession()
        session.filter = RowFilter(Pattern("a"), nil)
        session.start(at: 2)
        var order: [Int] = []
        while let index = session.nextEntry(of: 4) {
            #expect(!session.hasExamined(4))
            order.append(index)
            session.examine(index)
        }
        #expect(order == [2, 3, 1, 0])
        #expect(session.hasExamined(4))
    }

    @Test("The tried entries stay the same ones when an entry comes or goes before them")
    func moving() {
        var session = FilterSession()
        session.filter = RowFilter(Pattern("a"), nil)
        session.start(at: 2)
        session.examine(2)
        session.insertEntry(at: 0)
        #expect(session.examined == 3..<4)
        session.removeEntry(at: 1)
        #expect(session.examined == 2..<3)
        session.removeEntry(at: 2)
        #expect(session.examined == 2..<2)
    }
}
