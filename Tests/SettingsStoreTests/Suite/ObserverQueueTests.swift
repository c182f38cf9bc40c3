import PropertyList
import Testing

@testable import SettingsStore

@Suite("Notifications that a forked child inherits")
struct ObserverQueueTests {
    private var queue = ObserverQueue()

    private func replaced(_ old: PropertyListValue?, by new: PropertyListValue?) -> SuiteValues.Replaced {
        SuiteValues.Replaced(old: old, new: new, layered: nil)
    }

    init() {
        _ = queue.join(Observer(ofKey: nil) { _ in }, nil)
    }

    /// Delivers everything.
    private mutating func drain() -> [SuiteEvent] {
        let isFirst = queue.begin()
        #expect(isFirst)
        var events: [SuiteEvent] = []
        while let (event, _) = queue.next() { events.append(event) }
        return events
    }

    private func changes(in events: [SuiteEvent]) -> [Change] {
        events.compactMap { if case .change(let change) = $0 { change } else { nil } }
    }

    @Test("A child delivers one change for each key, however many its parent had not delivered")
    mutating func coalesced() {
        queue.add("delivered", replaced(nil, by: 0), .set(by: nil))
        _ = queue.begin()
        _ = queue.next()
        for number in 1...1_000 {
            let number = PropertyListValue.integer(PropertyListInteger(number))
            queue.add("a", replaced(nil, by: number), .set(by: nil))
            queue.add("b", replaced(7, by: number), .otherProcess)
        }
        queue.add("c", replaced(1, by: nil), .reset(by: nil))
        queue.add("a", replaced(1_000, by: 5), .set(by: nil))
        queue.resetInChild()
        let merged = changes(in: drain())
        #expect(
            merged == [
                Change(key: "b", old: 7, new: 1_000, origin: .otherProcess, sequence: 2),
                Change(key: "c", old: 1, new: nil, origin: .reset(by: nil), sequence: 3),
                Change(key: "a", old: nil, new: 5, origin: .set(by: nil), sequence: 4),
            ]
        )
        queue.add("a", replaced(5, by: 6), .set(by: nil))
        let next = changes(in: drain())
        #expect(next.map(\.sequence) == [5])
    }

    @Test("A child delivers its parent's last status and no failure")
    mutating func statusAlone() {
        for count in 1...3 {
            var status = SuiteStatus()
            status.pendingKeys = count
            queue.add(.status(status))
            queue.add(.failed(.overwritten(path: "/suite.plist")))
        }
        queue.resetInChild()
        let events = drain()
        #expect(events.count == 1)
        guard case .status(let status)? = events.first else {
            Issue.record("no status")
            return
        }
        #expect(status.pendingKeys == 3)
    }
}
