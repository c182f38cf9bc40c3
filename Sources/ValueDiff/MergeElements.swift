import PropertyList

// Merges arrays that both sides have changed: each change is applied to its element, wherever the element is now.
extension ThreeWayMerge {
    /// In longer arrays moved elements are found only if few elements differ.
    private static let mostMoved = 200_000
    /// Up to this number elements are looked for one by one.
    private static let few = 32

    /// Applies the changes of an array's elements to where the elements are now. An inserted element follows its
    /// former predecessor, or else precedes its former successor.
    ///
    /// - Returns: False, with nothing done, if an element cannot be followed with certainty, if `theirs` changed
    ///   an element that `mine` removed, or if too many elements changed.
    mutating func mergeElements(
        _ base: ValueNode,
        _ mine: ValueNode,
        _ theirs: ValueNode,
        _ path: ValuePath
    ) -> Bool {
        let matching = ElementMatching(base, mine, most: Self.mostMoved)
        let (former, own, others) = (base.children, mine.children, theirs.children)
        let changed = former.indices.filter { !matching.areSame[$0] }
        let owners = matching.owners
        let added = own.indices.filter { owners[$0] == nil }
        guard changed.count + added.count <= Self.mostPlaces else { return false }
        // If the arrays differ only in white space, every element has kept its index.
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
            if let partner = matching.partners[index] {
                tasks.append((place, .change(former[index].node, own[partner].node)))
            } else if search == nil || former.isSame(at: index, as: others, at: place) {
                tasks.append((place, .removal(others[place].node)))
            } else {
                return false
            }
        }
        let neighbours = matching.neighbours(owners)
        for index in added {
            if let found = neighbours.before[index].flatMap(place(of:)) {
                tasks.append((found + 1, .insertion(own[index].node)))
            } else if let found = neighbours.after[index].flatMap(place(of:)) {
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

extension ElementMatching {
    /// For each child of the second container the partner of its nearest predecessor that has one, and of its
    /// nearest such successor.
    ///
    /// - Parameter owners: ``owners``, which is computed only once.
    fileprivate func neighbours(_ owners: [Int?]) -> (before: [Int?], after: [Int?]) {
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
