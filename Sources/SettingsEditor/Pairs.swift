import PropertyList

/// How what lies in a second container, or the elements of a second sequence, stand to those of a first.
struct Pairs: Sendable {
    /// For each of the first the one of the second beside it, if there is one.
    private(set) var partners: [Int?]
    /// Whether those two are the same.
    private(set) var areSame: [Bool]
    /// How many the second has.
    let count: Int

    /// The same elements stand beside each other; between them the others do one for one, as if they had
    /// been changed.
    ///
    /// - Parameter most: of more elements those that moved are looked for only where few differ.
    init<Element: Hashable>(_ first: [Element], _ second: [Element], most: Int = .max) {
        partners = Alignment(first, second, most: most).partners
        areSame = partners.map { $0 != nil }
        count = second.count
        var (start, next) = (0, 0)
        for place in 0...first.count {
            let end = place < first.count ? partners[place] : second.count
            guard let end else { continue }
            for (old, new) in zip(start..<place, next..<end) {
                partners[old] = new
                areSame[old] = first[old] == second[new]
            }
            (start, next) = (place + 1, end + 1)
        }
    }

    /// In arrays the elements as above, in all else what has the same name.
    ///
    /// Both open alike; see ``ValueNode/opens(like:)``.
    init(_ first: ValueNode, _ second: ValueNode, most: Int = .max) {
        if first.holdsElements {
            if first.json == nil {
                self.init(first.elements, second.elements, most: most)
            } else {
                self.init(first.jsonElements, second.jsonElements, most: most)
            }
            return
        }
        let (mine, theirs) = (first.children, second.children)
        var partners: [Int?] = Array(repeating: nil, count: mine.count)
        var areSame = Array(repeating: false, count: mine.count)
        // Mostly they are in the same order.
        var next = 0
        for place in mine.indices {
            let step = mine.step(at: place)
            let isNext = next < theirs.count && theirs.step(at: next) == step
            guard let partner = isNext ? next : theirs.place(of: step) else { continue }
            partners[place] = partner
            areSame[place] = mine.isSame(at: place, as: theirs, at: partner)
            next = partner + 1
        }
        self.init(partners: partners, areSame: areSame, count: theirs.count)
    }

    private init(partners: [Int?], areSame: [Bool], count: Int) {
        (self.partners, self.areSame, self.count) = (partners, areSame, count)
    }
}

/// Where in two arrays the elements stand that are equal to one of the first.
struct EqualElements: Sendable {
    private var numbers: [Int] = []
    /// By number.
    private var old: [[Int]] = []
    private var new: [[Int]] = []

    init(_ first: ValueNode, _ second: ValueNode) {
        if first.json == nil {
            self.init(first.elements, second.elements)
        } else {
            self.init(first.jsonElements, second.jsonElements)
        }
    }

    private init<Element: Hashable>(_ first: [Element], _ second: [Element]) {
        var known: [Element: Int] = [:]
        for (place, element) in first.enumerated() {
            let number = known[element] ?? old.count
            if number == old.count {
                known[element] = number
                old.append([])
                new.append([])
            }
            numbers.append(number)
            old[number].append(place)
        }
        for (place, element) in second.enumerated() {
            if let number = known[element] { new[number].append(place) }
        }
    }

    /// Those of the first that are equal to the one at a place, itself among them.
    func old(_ place: Int) -> [Int] { old[numbers[place]] }

    /// Those of the second.
    func new(_ place: Int) -> [Int] { new[numbers[place]] }
}

extension ValueNode {
    /// Whether what is inside the two can be compared.
    func opens(like other: ValueNode) -> Bool {
        guard isContainer, other.isContainer, holdsElements == other.holdsElements,
            (json == nil) == (other.json == nil)
        else { return false }
        guard case .propertyList(let mine) = content, case .propertyList(let theirs) = other.content else {
            return true
        }
        return mine.kind == theirs.kind
    }

    /// Those of a property list's array.
    fileprivate var elements: [PropertyListValue] {
        let list = if case .propertyList(let list, _)? = embedded { list } else { value }
        if case .array(let elements)? = list { return elements }
        return []
    }

    private var value: PropertyListValue? {
        if case .propertyList(let value) = content { value } else { nil }
    }

    fileprivate var jsonElements: [JSONNode] { json?.children.map(\.node) ?? [] }
}

/// Sequences beside each other, from their start to their end.
enum Stretch: Sendable, Hashable {
    /// The same in all, from these places on.
    case same([Int], count: Int)
    /// In each the place that stands in this row, if there is one; of all but the first whether it is the same
    /// as in that.
    case row([Int?], areSame: [Bool])
}

/// Lays others beside a first sequence, each as it stands to that. What the first lacks comes where it stands
/// behind what both have; of two others in one row if they are one.
///
/// - Parameter areOne: Whether two elements, each told by the number of its sequence and its place, belong beside
///   each other that the first lacks.
func stretches(
    _ count: Int,
    _ others: [Pairs],
    areOne: (_ a: (part: Int, place: Int), _ b: (part: Int, place: Int)) -> Bool = { _, _ in true }
) -> [Stretch] {
    var result: [Stretch] = []
    var same: (starts: [Int], count: Int)?
    func endSame() {
        if let (starts, count) = same { result.append(.same(starts, count: count)) }
        same = nil
    }
    let added = others.map { $0.added }
    for place in 0...count {
        if added.contains(where: { $0[place] != nil }) {
            endSame()
            result += rows(of: added.map { $0[place, default: []] }, areOne)
        }
        if place == count { break }
        let partners = others.map { $0.partners[place] }
        let areSame = others.map { $0.areSame[place] }
        guard areSame.allSatisfy({ $0 }) else {
            endSame()
            result.append(.row([place] + partners, areSame: areSame))
            continue
        }
        let places = [place] + partners.map { $0 ?? 0 }
        if let (starts, count) = same, zip(starts, places).allSatisfy({ $0 + count == $1 }) {
            same = (starts, count + 1)
        } else {
            endSame()
            same = (places, 1)
        }
    }
    endSame()
    return result
}

/// Rows of what the first of some sequences lacks at a place.
private func rows(
    of added: [[Int]],
    _ areOne: (_ a: (part: Int, place: Int), _ b: (part: Int, place: Int)) -> Bool
) -> [Stretch] {
    var left = added.map { $0[...] }
    var rows: [Stretch] = []
    while let first = left.indices.first(where: { !left[$0].isEmpty }) {
        var cells: [Int?] = Array(repeating: nil, count: added.count + 1)
        let place = left[first].removeFirst()
        cells[first + 1] = place
        for other in left.indices.dropFirst(first + 1) {
            guard let next = left[other].first, areOne((first + 1, place), (other + 1, next)) else {
                continue
            }
            cells[other + 1] = next
            left[other].removeFirst()
        }
        rows.append(.row(cells, areSame: added.map { _ in false }))
    }
    return rows
}

extension Pairs {
    /// Whether one of those that both have has another place in the second.
    var areMoved: Bool { partners.enumerated().contains { $1 != nil && $0 != $1 } }

    /// For each of the second the one of the first beside it, if there is one.
    var owners: [Int?] {
        var owners: [Int?] = Array(repeating: nil, count: count)
        for (place, partner) in partners.enumerated() { if let partner { owners[partner] = place } }
        return owners
    }

    /// What the first lacks, by the place of the first before which it stands.
    fileprivate var added: [Int: [Int]] {
        let owners = owners
        var added: [Int: [Int]] = [:]
        var before = partners.prefix { $0 == nil }.count
        for (place, owner) in owners.enumerated() {
            guard let owner else {
                added[before, default: []].append(place)
                continue
            }
            before = owner + 1
            // Behind what is gone there.
            while before < partners.count, partners[before] == nil { before += 1 }
        }
        return added
    }
}
