import PropertyList

// Elements of an array that others have changed as well.
extension Merge {
    /// Each takes as long as it takes to look through the array.
    private static let mostElements = 64

    /// Has what a change does to elements take place where these are by now, and what it puts in stand behind, or
    /// else in front of, the element beside it.
    ///
    /// - Returns: false where it can't be told for each of them which one it is, or others have changed one that
    ///   was to go; then nothing is done.
    mutating func follow(_ base: ValueNode, _ mine: ValueNode, _ theirs: ValueNode, _ path: ValuePath) -> Bool
    {
        let pairs = Pairs(base, mine, most: Differences.mostMoved)
        let (former, own, others) = (base.children, mine.children, theirs.children)
        let changed = former.indices.filter { !pairs.areSame[$0] }
        let known = Set(pairs.partners.compactMap { $0 })
        let added = own.indices.filter { !known.contains($0) }
        guard changed.count + added.count <= Self.mostElements else { return false }
        let search = ElementSearch(base, theirs)
        func place(of index: Int) -> Int? {
            let found = search.find(index, isNear: false)
            return found.isCertain ? found.place : nil
        }
        // Where each has to take place, the last one first, so that the numbers of those before stay.
        var tasks: [(place: Int, isInsertion: Bool, order: Int, task: Task)] = []
        for index in changed {
            guard let place = place(of: index), others.indices.contains(place) else { return false }
            if let partner = pairs.partners[index] {
                tasks.append((place, false, 0, .change(former[index].node, own[partner].node)))
            } else if former.isSame(at: index, as: others, at: place) {
                tasks.append((place, false, 0, .removal))
            } else {
                return false
            }
        }
        for (order, index) in added.enumerated() {
            let before = pairs.partners.lastIndex { $0.map { $0 < index } ?? false }
            let behind = pairs.partners.firstIndex { $0.map { $0 > index } ?? false }
            let place: Int
            if let found = before.flatMap(place(of:)) {
                place = found + 1
            } else if let found = behind.flatMap(place(of:)) {
                place = found
            } else {
                return false
            }
            tasks.append((place, true, order, .insertion(own[index].node)))
        }
        tasks.sort { a, b in
            if a.place != b.place { return a.place > b.place }
            // What is put in in front of an element comes once that is done with.
            if a.isInsertion != b.isInsertion { return b.isInsertion }
            return a.order > b.order
        }
        for (place, _, _, task) in tasks {
            let target = path.appending(.index(place))
            switch task {
            case .change(let old, let new): compare(old, new, others[place].node, target)
            case .removal: add(Step(path: target, isThere: true, new: nil))
            case .insertion(let new): add(Step(path: target, isThere: false, new: new))
            }
        }
        return true
    }

    private enum Task {
        case change(ValueNode, ValueNode)
        case removal
        case insertion(ValueNode)
    }
}
