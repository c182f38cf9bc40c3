import PropertyList

/// Finds the elements of an array in a later version of the array, so that an edit, a cursor or a merge follows the
/// element and not its index.
package struct ElementSearch {
    private let old: ValueChildren
    private let new: ValueChildren
    private let matching: ElementMatching
    /// Elements were only appended.
    private let isAsBefore: Bool
    /// The indexes of equal elements, if many elements are looked for.
    private let equals: EqualElements?

    /// - Precondition: Both are arrays.
    /// - Parameters:
    ///   - most: In longer arrays moved elements are found only if few elements differ.
    ///   - isForMany: Many elements will be looked for.
    package init(_ old: ValueNode, _ new: ValueNode, most: Int = TreeDiff.mostMoved, isForMany: Bool = false)
    {
        (self.old, self.new) = (old.children, new.children)
        let matching = ElementMatching(old, new, most: most)
        self.matching = matching
        isAsBefore = matching.areSame.indices.allSatisfy {
            matching.areSame[$0] && matching.partners[$0] == $0
        }
        equals = isForMany && !isAsBefore ? EqualElements(old, new) : nil
    }

    /// The index of an old element in the new array.
    ///
    /// `isCertain` is false if another element may have taken its place. `isGone` is true if the element was
    /// removed; `place` is then the index of the element that followed it.
    ///
    /// - Parameter isNear: The nearest index is enough, which takes less time in long arrays.
    package func find(_ index: Int, isNear: Bool) -> (place: Int, isCertain: Bool, isGone: Bool) {
        guard old.indices.contains(index) else { return (index, false, false) }
        if isNear, matching.areSame[index], let partner = matching.partners[index],
            partner == index || old.count != new.count
        {
            return (partner, false, false)
        }
        if isAsBefore { return (index, true, false) }
        let mine = equals?.old(index) ?? old.indices.filter { old.isSame(at: index, as: old, at: $0) }
        let theirs = equals?.new(index) ?? new.indices.filter { old.isSame(at: index, as: new, at: $0) }
        // If the number of equal elements has not changed, each keeps its number among them.
        if mine.count == theirs.count, let number = mine.number(of: index),
            isMoved(index, to: theirs[number], isOnly: mine.count == 1)
        {
            return (theirs[number], true, false)
        }
        if mine.count == 1, theirs.isEmpty, let place = changedPlace(of: index) {
            return (place, true, false)
        }
        if old.count == new.count { return (index, false, false) }
        if let partner = matching.partners[index] { return (partner, false, false) }
        let next = (index + 1..<old.count).first { matching.partners[$0] != nil }.flatMap {
            matching.partners[$0]
        }
        return (next ?? max(0, min(index, new.count - 1)), false, true)
    }

    /// Whether an equal element is the same one. Plain values that seem to have moved may also have been edited
    /// where they are, as in an array of booleans.
    private func isMoved(_ index: Int, to place: Int, isOnly: Bool) -> Bool {
        if index == place { return true }
        guard old.count != new.count || old[index].node.isContainer else { return false }
        return isOnly || matching.partners[index] == place
    }

    /// The index of an edited element between its old neighbours; nil if too little of it is unchanged, so that
    /// it may be another element.
    private func changedPlace(of index: Int) -> Int? {
        guard let place = matching.partners[index] else { return nil }
        func isSame(_ index: Int, _ place: Int) -> Bool {
            old.indices.contains(index)
                ? matching.areSame[index] && matching.partners[index] == place : !new.indices.contains(place)
        }
        guard isSame(index - 1, place - 1), isSame(index + 1, place + 1) else { return nil }
        let (mine, theirs) = (old[index].node, new[place].node)
        if !mine.isContainer, !theirs.isContainer { return place }
        guard mine.opens(like: theirs) else { return nil }
        let same = ElementMatching(mine, theirs, most: TreeDiff.mostMoved).areSame.count { $0 }
        return 2 * same > max(mine.childCount, theirs.childCount) ? place : nil
    }
}

extension [Int] {
    /// The index of a number in an array of rising numbers.
    fileprivate func number(of number: Int) -> Int? {
        let place = partitionPoint { $0 >= number }
        return place < count && self[place] == number ? place : nil
    }
}
