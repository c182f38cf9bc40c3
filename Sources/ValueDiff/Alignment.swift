/// Finds elements that two sequences have in common, in the same order.
///
/// The work is bounded, because foreign changes are compared while the user types.
///
/// The common prefix and suffix are matched first. Elements that occur once in both sequences then divide the
/// rest (patience diff). If there are none, Myers' algorithm looks for the fewest differences (“An O(ND)
/// Difference Algorithm”), up to a limit.
package struct Alignment: Sendable {
    /// For each old element the index of the same new element; nil if it has none. The indexes rise.
    package private(set) var partners: [Int?]

    /// - Parameter most: If more elements than this remain between prefix and suffix, only a few differences
    ///   are looked for.
    package init<Element: Hashable>(_ old: [Element], _ new: [Element], most: Int = .max) {
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

/// The search between the common prefix and the common suffix.
private struct AlignmentSearch<Element: Hashable> {
    let old: [Element]
    let new: [Element]
    var partners: [Int?]

    /// Sequences of this combined length are compared without a limit.
    private static var short: Int { 512 }
    /// The limit of differences in longer sequences.
    private static var mostDifferences: Int { 256 }
    private static var fewDifferences: Int { 64 }
    /// How often unique elements may divide the rest.
    private static var mostLevels: Int { 24 }

    init(old: [Element], new: [Element]) {
        self.old = old
        self.new = new
        partners = Array(repeating: nil, count: old.count)
    }

    mutating func run() { align(old.indices, new.indices, levels: Self.mostLevels) }

    /// Finds partners if few elements differ, and none otherwise. The cost is close to one comparison per
    /// element.
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

    /// The longest list of elements that occur once in both ranges and have the same order in both.
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
        // For each length the rising sequence with the lowest end.
        var ends: [Int] = []
        var before: [Int?] = []
        for (number, pair) in pairs.enumerated() {
            let length = ends.partitionPoint { pairs[$0].new > pair.new }
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
        // How many old elements are reached on each diagonal; the index is the diagonal's number plus `most`.
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

extension Array {
    /// The index of the first element that satisfies a predicate, in an array whose elements are ordered by it.
    func partitionPoint(where belongs: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
