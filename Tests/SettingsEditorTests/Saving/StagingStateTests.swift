import Testing

@testable import SettingsEditor

@Suite("The keys of staged moves")
struct StagingStateTests {
    private func move(_ places: [(suite: String, key: String)], isMove: Bool = true) -> Transaction {
        let parts = places.map {
            Transaction.Part(suite: $0.suite, changes: [$0.key: ValueChange(old: 1, new: 2)])
        }
        return Transaction(number: 1, parts: parts, isMove: isMove)
    }

    @Test("The keys of a move belong together until one is taken out")
    func together() {
        var staging = StagingState(isOn: true)
        let (target, source) = (StagedKey("b", "n"), StagedKey("a", "n"))
        staging.tie(move([("b", "n"), ("a", "n")]))
        #expect(staging.tied([source]) == [source, target])
        #expect(staging.isMoved(target))
        #expect(staging.tied([StagedKey("a", "x")]) == [StagedKey("a", "x")])
        staging.untie(target)
        #expect(staging.tied([source]) == [source])
        #expect(!staging.isMoved(target))
    }

    @Test("A change that is no move ties nothing")
    func alone() {
        var staging = StagingState(isOn: true)
        staging.tie(move([("b", "n"), ("a", "n")], isMove: false))
        #expect(!staging.isMoved(StagedKey("a", "n")))
    }

    @Test("A value that is moved on is one move, in which the last target is written first")
    func movedOn() throws {
        var staging = StagingState(isOn: true)
        staging.tie(move([("b", "n"), ("a", "n")]))
        staging.tie(move([("c", "n"), ("b", "n")]))
        let keys = [StagedKey("c", "n"), StagedKey("b", "n"), StagedKey("a", "n")]
        let moves = staging.moves(of: Set(keys))
        #expect(moves.count == 1)
        let steps = try keys.map { try #require(moves.first?[$0]) }
        #expect(steps == steps.sorted() && Set(steps).count == 3)
    }

    @Test("Staged changes are taken as transactions, a move as one with its target first")
    func taking() {
        var list = SuiteList()
        list.suites = [
            loadedSuite("a", ["n": 1, "x": 1]), loadedSuite("b", [:]), loadedSuite("c", ["y": 1]),
        ]
        var staging = StagingState(isOn: true)
        let target = Transaction.Part(suite: "b", changes: ["n": ValueChange(old: nil, new: 1)])
        let source = Transaction.Part(suite: "a", changes: ["n": ValueChange(old: 1, new: nil)])
        staging.stage(Transaction(number: 1, parts: [target, source], isMove: true), in: &list)
        let other = Transaction.Part(suite: "c", changes: ["y": ValueChange(old: 1, new: 2)])
        staging.stage(Transaction(number: 2, parts: [other]), in: &list)
        let pending = list.suites.flatMap { suite in
            suite.staged.map {
                PendingChange(suite: suite.id, key: $0.key, change: $0.value, stored: $0.value.old)
            }
        }
        #expect(pending.count == 3)
        #expect(staging.companions(of: pending[0], in: list) == [StagedKey("b", "n")])
        var number = 10
        let transactions = staging.take(pending, from: &list) {
            number += 1
            return number
        }
        #expect(transactions.map { $0.parts.map(\.suite) } == [["b", "a"], ["c"]])
        #expect(transactions.map(\.number) == [11, 12])
        #expect(list.suites.map(\.staged.count) == [0, 0, 0])
    }
}
