/// Which elements of two sequences are the same ones, in their order: as many as are found with work that is
/// bounded, whatever the sequences are.
///
/// What both begin and end with is found first. In between, elements that each of them has once part what
/// is left (as patience sorting finds the most of them that are in order); where there are none, as few
/// differences as possible are looked for (Myers, “An O(ND) Difference Algorithm”), up to a number.
struct Alignment: Sendable {
    /// For each of the old elements the new one that it is, if there is one; they rise.
    private(set) var partners: [Int?]

    /// - Parameter most: of more elements in between those are looked for only where few differ.
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
        if start + end == shorter { return }
        let (before, after) = (Array(old[start..<old.count - end]), Array(new[start..<new.count - end]))
        var found: [Int?]
        if before.count + after.count > most {
            var search = AlignmentSearch(old: before, new: after)
            search.findFew()
            found = search.partners
        } else {
            found = Self.partners(before, after)
        }
        for (place, partner) in found.enumerated() { partners[start + place] = partner.map { $0 + start } }
    }

    private static func partners<Element: Hashable>(_ old: [Element], _ new: [Element]) -> [Int?] {
        // Equal elements get equal numbers, which are quick to compare.
        var numbers: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let known = numbers[element] { return known }
            numbers[element] = numbers.count
            return numbers.count - 1
        }
        var search = AlignmentSearch(old: old.map(number), new: new.map(number))
        search.run()
        return search.partners
    }
}

/// The search between what two sequences begin and end with.
private struct AlignmentSearch<Element: Hashable> {
    let old: [Element]
    let new: [Element]
    var partners: [Int?]

    /// Sequences that are no longer together are compared as a whole.
    private static var short: Int { 512 }
    /// Of longer ones so many differences are looked for.
    private static var mostDifferences: Int { 256 }
    /// Where no more than few are looked for.
    private static var fewDifferences: Int { 64 }
    /// What is left is parted so often at most.
    private static var mostLevels: Int { 24 }

    init(old: [Element], new: [Element]) {
        self.old = old
        self.new = new
        partners = Array(repeating: nil, count: old.count)
    }

    mutating func run() { align(old.indices, new.indices, levels: Self.mostLevels) }

    /// The same where few elements differ, and nothing otherwise. It takes hardly longer than to compare each with
    /// one other.
    mutating func findFew() {
        findFewestDifferences(old.indices, new.indices, most: Self.fewDifferences)
    }

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
        if anchors.isEmpty {
            let all = a.count + b.count
            return findFewestDifferences(a, b, most: all <= Self.short ? all : Self.mostDifferences)
        }
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
        var once: [Element: (old: Int?, new: Int?)] = [:]
        var often: Set<Element> = []
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

    private mutating func findFewestDifferences(_ a: Range<Int>, _ b: Range<Int>, most: Int) {
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
