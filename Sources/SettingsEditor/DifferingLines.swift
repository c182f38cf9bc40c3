import PropertyList

/// Where values that open alike differ.
struct Differing {
    /// Of each value the places that another has otherwise or not at all, and what they hold, in a few words.
    private(set) var places: [[ValuePath: String]]
    /// The values that differ from another as a whole.
    private var whole: Set<Int> = []
    /// A value and the first place in which it differs.
    private var first: (number: Int, path: ValuePath)?

    init(_ nodes: [ValueNode?], _ spelling: ValueSpelling) {
        places = nodes.map { _ in [:] }
        for first in nodes.indices {
            for second in nodes.indices where second > first { compare(first, second, nodes, spelling) }
        }
    }

    func isWhole(_ number: Int) -> Range<Int>? { whole.contains(number) ? ComparedLine.whole : nil }

    private mutating func compare(
        _ one: Int,
        _ other: Int,
        _ nodes: [ValueNode?],
        _ spelling: ValueSpelling
    ) {
        guard let old = nodes[one], let new = nodes[other], old.opens(like: new) else {
            if Differences(nodes[one], nodes[other], limit: 0).count > 0 { whole.formUnion([one, other]) }
            return
        }
        for place in Differences(old, new, limit: 5000).places {
            // What is the same but for its spelling has nothing to mark.
            if place.path.steps.isEmpty { continue }
            let (before, after) = excerpts(place.old, place.new, spelling, limit: 200)
            if place.old != nil { add(place.path, before, one) }
            if place.new != nil { add(place.path, after, other) }
        }
    }

    private mutating func add(_ path: ValuePath, _ text: String, _ number: Int) {
        if first == nil { first = (number, path) }
        // What is told of one pair may not be where another begins to differ.
        if places[number][path] == nil { places[number][path] = text }
    }

    /// Where to begin if more than so many lines lie before the first difference; nil at the start.
    func start(among nodes: [ValueNode?], behind lines: Int) -> ValuePath? {
        guard let first, let node = nodes[first.number] else { return nil }
        var walk = Walk(node, from: first.path.steps[...], forwards: false)
        var (before, start) = (0, first.path)
        while before < lines, walk.next() != nil {
            before += 1
            if before == lines / 10 { start = ValuePath(walk.steps) }
        }
        // What lies before the first difference is the same in all.
        guard before == lines, nodes.allSatisfy({ $0?.node(at: start) != nil }) else { return nil }
        return start
    }
}

// Texts.
extension String {
    /// A carriage return before the end of a line stays in it.
    var splitIntoLines: [String] {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
}

/// The lines that differ from another text's, and in which of their characters.
func differences(of mine: [String], from theirs: [String]?) -> [(Int, Range<Int>)] {
    guard let theirs else { return mine.indices.map { ($0, ComparedLine.whole) } }
    let shorter = min(mine.count, theirs.count)
    let start = (0..<shorter).first { mine[$0] != theirs[$0] } ?? shorter
    let end =
        (0..<shorter - start).first { mine[mine.count - 1 - $0] != theirs[theirs.count - 1 - $0] }
        ?? shorter - start
    let middle = start..<mine.count - end
    let others = start..<theirs.count - end
    if middle.count == others.count {
        return middle.filter { mine[$0] != theirs[$0] }.map {
            ($0, difference(of: mine[$0], from: theirs[$0]))
        }
    }
    // Of many lines the search for those that moved takes too long.
    guard middle.count * others.count < 1 << 16 else { return middle.map { ($0, ComparedLine.whole) } }
    if middle.isEmpty {
        // Something is missing there.
        return [(min(start, mine.count - 1), 0..<1)]
    }
    let changes = mine[middle].difference(from: theirs[others])
    return changes.insertions.map {
        if case .insert(let offset, _, _) = $0 {
            (start + offset, ComparedLine.whole)
        } else {
            (start, ComparedLine.whole)
        }
    }
}

/// The characters of a line in which it differs from another.
private func difference(of mine: String, from theirs: String) -> Range<Int> {
    let (mine, theirs) = (Array(mine), Array(theirs))
    let shorter = min(mine.count, theirs.count)
    let start = (0..<shorter).first { mine[$0] != theirs[$0] } ?? shorter
    let end =
        (0..<shorter - start).first { mine[mine.count - 1 - $0] != theirs[theirs.count - 1 - $0] }
        ?? shorter - start
    // Where something is missing, what follows.
    return start..<max(start + 1, mine.count - end)
}
