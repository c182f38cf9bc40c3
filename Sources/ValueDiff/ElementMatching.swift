import PropertyList

/// Decides which elements of two sequences, or which children of two containers, are compared with each other.
package struct ElementMatching: Sendable {
    /// For each child of the first the index of its partner in the second; nil if it has none.
    package private(set) var partners: [Int?]
    /// For each child of the first whether its partner is equal.
    package private(set) var areSame: [Bool]
    /// The number of children of the second.
    package let count: Int

    /// Matches equal elements in order. The elements between them are paired one by one, as if they had been
    /// edited.
    ///
    /// - Parameter most: In longer sequences moved elements are looked for only if few elements differ.
    package init<Element: Hashable>(_ first: [Element], _ second: [Element], most: Int = .max) {
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

    /// Matches array elements as above, and members of dictionaries and objects by name.
    ///
    /// - Precondition: `first.opens(like: second)`.
    package init(_ first: ValueNode, _ second: ValueNode, most: Int = .max) {
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
        // The order is usually the same.
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

/// Finds all elements of two arrays that are equal to an element of the first.
struct EqualElements: Sendable {
    private var numbers: [Int] = []
    /// Indexes by the number of the value.
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

    /// The indexes in the first array of the elements that equal the one at `place`, which is included.
    func old(_ place: Int) -> [Int] { old[numbers[place]] }

    /// The indexes in the second array of the elements that equal the first array's at `place`.
    func new(_ place: Int) -> [Int] { new[numbers[place]] }
}

extension ValueNode {
    /// Whether both are containers of the same kind, so that their children can be compared.
    package func opens(like other: ValueNode) -> Bool {
        guard isContainer, other.isContainer, holdsElements == other.holdsElements,
            (json == nil) == (other.json == nil)
        else { return false }
        guard case .propertyList(let mine) = content, case .propertyList(let theirs) = other.content else {
            return true
        }
        return mine.kind == theirs.kind
    }

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

/// A part of several sequences that are laid beside each other.
package enum Stretch: Sendable, Hashable {
    /// `count` elements are equal in all sequences, from these indexes on.
    case same([Int], count: Int)
    /// One row: the index in each sequence, or nil if it has no element here, and for each sequence after the
    /// first whether its element equals the first one's.
    case row([Int?], areSame: [Bool])
}

/// Lays sequences beside a first one, each according to its matching with the first.
///
/// Elements that the first sequence lacks follow the last common element before them.
///
/// - Parameter areOne: Whether two such elements of different sequences belong into one row. Each is named by
///   the number of its sequence and its index.
package func stretches(
    _ count: Int,
    _ others: [ElementMatching],
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

/// The rows of elements that the first sequence lacks at one index.
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

extension ElementMatching {
    package var areMoved: Bool { partners.enumerated().contains { $1 != nil && $0 != $1 } }

    /// For each child of the second the index of its partner in the first; nil if it has none.
    package var owners: [Int?] {
        var owners: [Int?] = Array(repeating: nil, count: count)
        for (place, partner) in partners.enumerated() { if let partner { owners[partner] = place } }
        return owners
    }

    /// The elements that the first lacks, by the index of the first's element that follows them.
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
            // After the elements that were removed there.
            while before < partners.count, partners[before] == nil { before += 1 }
        }
        return added
    }
}
