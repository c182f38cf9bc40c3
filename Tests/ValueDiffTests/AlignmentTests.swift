import ProgramHarness
import Testing
import ValueDiff

@Suite("Aligning two sequences")
struct AlignmentTests {
    /// The elements with a partner. Checks that partners are equal and in order.
    private func common(_ old: [Int], _ new: [Int]) -> [Int] {
        let partners = Alignment(old, new).partners
        #expect(partners.count == old.count)
        let found = partners.compactMap { $0 }
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
        var same: [Int] = []
        for (place, partner) in partners.enumerated() {
            guard let partner else { continue }
            #expect(old[place] == new[partner])
            same.append(old[place])
        }
        return same
    }

    /// How many elements can be in common, by the plain table of all beginnings.
    private func most(_ a: [Int], _ b: [Int]) -> Int {
        var last = Array(repeating: 0, count: b.count + 1)
        for x in a {
            var row = [0]
            for (place, y) in b.enumerated() {
                row.append(x == y ? last[place] + 1 : max(last[place + 1], row[place]))
            }
            last = row
        }
        return last[b.count]
    }

    @Test("Short sequences have as few differences as possible", arguments: 0..<60 as Range<UInt64>)
    func short(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = Int.random(in: 1...8, using: &random)
        func sequence() -> [Int] {
            (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Int.random(in: 0..<letters, using: &random)
            }
        }
        let (a, b) = (sequence(), sequence())
        #expect(common(a, b).count == most(a, b))
    }

    @Test("In long sequences insertions and deletions are found, however far apart they are")
    func long() {
        let lines = Array(0..<100_000)
        var changed = lines
        changed.removeSubrange(90_000..<90_010)
        changed.insert(contentsOf: [-1, -2], at: 50_000)
        changed.insert(-3, at: 0)
        #expect(common(lines, changed).count == 99_990)
        // Repeated lines, such as empty ones.
        let sparse = lines.map { $0.isMultiple(of: 2) ? 0 : $0 }
        var other = sparse
        other.insert(contentsOf: [0, 7_000_001, 0], at: 40_000)
        #expect(common(sparse, other).count == 100_000)
    }

    @Test("Sequences with nothing in common, and equal sequences, need bounded work")
    func worst() {
        let zeros = Array(repeating: 0, count: 30_000)
        let alternating = (0..<30_000).map { $0 % 2 }
        _ = common(zeros, alternating)
        _ = common(alternating, alternating.reversed())
        #expect(common(Array(0..<30_000), Array(40_000..<70_000)).isEmpty)
        #expect(common(Array(0..<30_000), Array((0..<30_000).reversed())).count == 1)
    }
}
