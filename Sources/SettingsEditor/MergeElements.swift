import PropertyList

// Elements of an array that others have changed as well.
extension Merge {
    /// Between what two arrays begin and end with, so many elements of both are looked for where they may have
    /// moved; of more, one is compared with one.
    private static let mostMoved = 200_000
    /// So many are looked for one by one.
    private static let few = 32

    /// Has what a change does to elements take place where these are by now, and what it puts in stand behind, or
    /// else in front of, the element beside it.
    ///
    /// - Returns: false where it can't be told for each of them which one it is, others have changed one that
    ///   was to go, or they are too many; then nothing is done.
    mutating func follow(_ base: ValueNode, _ mine: ValueNode, _ theirs: ValueNode, _ path: ValuePath) -> Bool
    {
        let pairs = Pairs(base, mine, most: Self.mostMoved)
        let (former, own, others) = (base.children, mine.children, theirs.children)
        let changed = former.indices.filter { !pairs.areSame[$0] }
        let owners = pairs.owners
        let added = own.indices.filter { owners[$0] == nil }
        guard changed.count + added.count <= Self.mostPlaces else { return false }
        // They may be written otherwise.
        let search =
            base.isWrittenOtherwise(in: theirs)
            ? nil
            : ElementSearch(
                base,
                theirs,
                most: Self.mostMoved,
                isForMany: changed.count + added.count > Self.few
            )
        var found: [Int: Int?] = [:]
        func place(of index: Int) -> Int? {
            guard let search else { return index }
            if let known = found[index] { return known }
            let element = search.find(index, isNear: false)
            found[index] = .some(element.isCertain ? element.place : nil)
            return element.isCertain ? element.place : nil
        }
        var tasks: [(place: Int, task: Task)] = []
        for index in changed {
            guard let place = place(of: index), others.indices.contains(place) else { return false }
            if let partner = pairs.partners[index] {
                tasks.append((place, .change(former[index].node, own[partner].node)))
            } else if search == nil || former.isSame(at: index, as: others, at: place) {
                tasks.append((place, .removal(others[place].node)))
            } else {
                return false
            }
        }
        let neighbours = pairs.neighbours(owners)
        for index in added {
            if let found = neighbours.before[index].flatMap(place(of:)) {
                tasks.append((found + 1, .insertion(own[index].node)))
            } else if let found = neighbours.behind[index].flatMap(place(of:)) {
                tasks.append((found, .insertion(own[index].node)))
            } else {
                return false
            }
        }
        for (place, task) in tasks {
            let target = path.appending(.index(place))
            switch task {
            case .change(let old, let new): compare(old, new, others[place].node, target)
            case .removal(let old): put(nil, at: target, over: old)
            case .insertion(let new): insert(new, at: target)
            }
        }
        return true
    }

    private enum Task {
        case change(ValueNode, ValueNode)
        case removal(ValueNode)
        case insertion(ValueNode)
    }
}

extension Pairs {
    /// For each of the second the one of the first that the nearest before it has beside it, and the nearest
    /// behind it.
    ///
    /// - Parameter owners: ``owners``.
    fileprivate func neighbours(_ owners: [Int?]) -> (before: [Int?], behind: [Int?]) {
        func nearest(_ places: some Sequence<Int>) -> [Int?] {
            var result = owners
            var last: Int?
            for place in places {
                result[place] = last
                last = owners[place] ?? last
            }
            return result
        }
        return (nearest(owners.indices), nearest(owners.indices.reversed()))
    }
}
