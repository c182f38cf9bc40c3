/// Which elements of two sequences are the same ones, in their order: as many as are found with work that is
/// bounded, whatever the sequences are.
///
/// What both begin and end with is found first. In between, elements that each of them has once part what
/// is left (as patience sorting finds the most of them that are in order); where there are none, as few
/// differences as possible are looked for (Myers, “An O(ND) Difference Algorithm”), up to a number.
struct Alignment: Sendable {
    /// For each of the old elements the new one that it is, if there is one; they rise.
    private(set) var partners: [Int?]

    /// - Parameter most: of so many elements in between, and no more, those are looked for that moved.
    init<Element: Hashable>(_ old: [Element], _ new: [Element], most: Int = .max) {
        partners = Array(repeating: nil, count: old.count)
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] {
            partners[start] = start
            start += 1
        }
        var end = 0
        while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] {
            end += 1
            partners[old.count - end] = new.count - end
        }
        if start + end == shorter || old.count + new.count - 2 * (start + end) > most { return }
        // Equal elements get equal numbers, which are quick to compare.
        var numbers: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let known = numbers[element] { return known }
            numbers[element] = numbers.count
            return numbers.count - 1
        }
        var search = AlignmentSearch(
            old: old[start..<old.count - end].map(number),
            new: new[start..<new.count - end].map(number)
        )
        search.run()
        for (place, partner) in search.partners.enumerated() {
            partners[start + place] = partner.map { $0 + start }
        }
    }
}

/// The search between what two sequences begin and end with.
private struct AlignmentSearch {
    let old: [Int]
    let new: [Int]
    var partners: [Int?]

    /// Sequences that are no longer together are compared as a whole.
    private static let short = 512
    /// Of longer ones so many differences are looked for.
    private static let mostDifferences = 256
    /// What is left is parted so often at most.
    private static let mostLevels = 24

    init(old: [Int], new: [Int]) {
        self.old = old
        self.new = new
        partners = Array(repeating: nil, count: old.count)
    }

    mutating func run() { align(old.indices, new.indices, levels: Self.mostLevels) }

    private mutating func align(_ a: Range<Int>, _ b: Range<Int>, levels: Int) {
        var (a, b) = (a, b)
        while !a.isEmpty, !b.isEmpty, old[a.lowerBound] == new[b.lowerBound] {
            partners[a.lowerBound] = b.lowerBound
            (a, b) = (a.dropFirst(), b.dropFirst())
        }
        while !a.isEmpty, !b.isEmpty, old[a.upperBound - 1] == new[b.upperBound - 1] {
            partners[a.upperBound - 1] = b.upperBound - 1
            (a, b) = (a.dropLast(), b.dropLast())
        }
        if a.isEmpty || b.isEmpty { return }
        let anchors = a.count + b.count > Self.short && levels > 0 ? anchors(a, b) : []
        if anchors.isEmpty { return findFewestDifferences(a, b) }
        var (oldStart, newStart) = (a.lowerBound, b.lowerBound)
        for (place, partner) in anchors {
            partners[place] = partner
            align(oldStart..<place, newStart..<partner, levels: levels - 1)
            (oldStart, newStart) = (place + 1, partner + 1)
        }
        align(oldStart..<a.upperBound, newStart..<b.upperBound, levels: levels - 1)
    }

    /// The most of the elements that each has once that are in the same order in both.
    private func anchors(_ a: Range<Int>, _ b: Range<Int>) -> [(old: Int, new: Int)] {
        var once: [Int: (old: Int?, new: Int?)] = [:]
        var often: Set<Int> = []
        for place in a where once.updateValue((place, nil), forKey: old[place]) != nil {
            often.insert(old[place])
        }
        for place in b {
            guard let known = once[new[place]] else { continue }
            if known.new != nil { often.insert(new[place]) }
            once[new[place]] = (known.old, place)
        }
        var pairs: [(old: Int, new: Int)] = []
        for place in a where !often.contains(old[place]) {
            if let partner = once[old[place]]?.new { pairs.append((place, partner)) }
        }
        // Of each length of a rising sequence the one that ends lowest.
        var ends: [Int] = []
        var before: [Int?] = []
        for (number, pair) in pairs.enumerated() {
            let length = ends.beginning { pairs[$0].new > pair.new }
            before.append(length > 0 ? ends[length - 1] : nil)
            if length == ends.count { ends.append(number) } else { ends[length] = number }
        }
        var rising: [(old: Int, new: Int)] = []
        var last = ends.last
        while let number = last {
            rising.append(pairs[number])
            last = before[number]
        }
        return rising.reversed()
    }

    private mutating func findFewestDifferences(_ a: Range<Int>, _ b: Range<Int>) {
        let all = a.count + b.count
        let most = all <= Self.short ? all : Self.mostDifferences
        // On each diagonal, by its number and `most`, how far of the old elements one comes.
        var furthest = Array(repeating: 0, count: 2 * most + 2)
        var trace: [[Int]] = []
        for differences in 0...most {
            trace.append(Array(furthest[(most - differences)...(most + differences)]))
            for diagonal in stride(from: -differences, through: differences, by: 2) {
                let index = diagonal + most
                let goesDown =
                    diagonal == -differences
                    || diagonal != differences && furthest[index - 1] < furthest[index + 1]
                var x = goesDown ? furthest[index + 1] : furthest[index - 1] + 1
                while x < a.count, x - diagonal < b.count,
                    old[a.lowerBound + x] == new[b.lowerBound + x - diagonal]
                {
                    x += 1
                }
                furthest[index] = x
                if x >= a.count, x - diagonal >= b.count { return goBack(through: trace, a, b) }
            }
        }
    }

    private mutating func goBack(through trace: [[Int]], _ a: Range<Int>, _ b: Range<Int>) {
        var (x, y) = (a.count, b.count)
        for differences in trace.indices.reversed() {
            let furthest = trace[differences]
            let diagonal = x - y
            func reached(_ diagonal: Int) -> Int { furthest[diagonal + differences] }
            var (startX, startY) = (0, 0)
            if differences > 0 {
                let goesDown =
                    diagonal == -differences
                    || diagonal != differences && reached(diagonal - 1) < reached(diagonal + 1)
                let from = goesDown ? diagonal + 1 : diagonal - 1
                startX = reached(from)
                startY = startX - from
            }
            while x > startX, y > startY {
                (x, y) = (x - 1, y - 1)
                partners[a.lowerBound + x] = b.lowerBound + y
            }
            (x, y) = (startX, startY)
        }
    }
}
