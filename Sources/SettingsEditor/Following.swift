import PropertyList

/// Where a place of a value is once others have changed that value: names stay, and elements of arrays are looked
/// for among those that there are now.
struct Following: Sendable {
    /// Where it is; where that can't be told, or it is gone, as it was.
    private(set) var path: ValuePath
    /// Whether it is known which element it is, of each array on the way.
    private(set) var isCertain = true
    /// As near to that as one gets: what followed it where it is gone.
    private(set) var nearest: ValuePath

    /// A place in something that has not changed.
    init(_ path: ValuePath) {
        self.path = path
        nearest = path
    }

    /// - Parameters:
    ///   - path: From the value down.
    ///   - old: The value as it was; nil for none.
    ///   - isNear: Only what is nearest is wanted, which takes less in long arrays.
    init(_ path: ValuePath, from old: ValueNode?, to new: ValueNode?, isNear: Bool = false) {
        self.init(path)
        guard let last = path.steps.lastIndex(where: \.isIndex) else { return }
        var (old, new) = (old, new)
        var steps: [PathStep] = []
        for step in path.steps[...last] {
            guard let before = old, let after = new, before.opens(like: after) else {
                isCertain = false
                nearest = ValuePath(steps + path.steps[steps.count...])
                return
            }
            let (mine, theirs) = (before.children, after.children)
            guard case .index(let index) = step, before.holdsElements else {
                steps.append(step)
                old = mine.place(of: step).map { mine[$0].node }
                new = theirs.place(of: step).map { theirs[$0].node }
                continue
            }
            let element = ElementSearch(before, after).find(index, isNear: isNear)
            isCertain = isCertain && element.isCertain
            steps.append(.index(element.place))
            if element.isGone {
                nearest = ValuePath(steps)
                return
            }
            old = mine.indices.contains(index) ? mine[index].node : nil
            new = theirs.indices.contains(element.place) ? theirs[element.place].node : nil
        }
        nearest = ValuePath(steps + path.steps[(last + 1)...])
        if isCertain { self.path = nearest }
    }

    /// The same below what stands before both.
    func below(_ steps: [PathStep]) -> Following {
        var result = self
        result.path = ValuePath(steps + path.steps)
        result.nearest = ValuePath(steps + nearest.steps)
        return result
    }
}

/// Looks for elements of an array among those that it has now.
struct ElementSearch {
    private let old: ValueChildren
    private let new: ValueChildren
    private let pairs: Pairs
    /// Nothing has changed but for what was put in behind all.
    private let isAsBefore: Bool
    /// The places of equal elements, where many are looked for.
    private let equals: EqualElements?

    /// Both are arrays.
    ///
    /// - Parameters:
    ///   - most: of so many elements, and no more, those are looked for that moved.
    ///   - isForMany: Many will be looked for.
    init(_ old: ValueNode, _ new: ValueNode, most: Int = Differences.mostMoved, isForMany: Bool = false) {
        (self.old, self.new) = (old.children, new.children)
        let pairs = Pairs(old, new, most: most)
        self.pairs = pairs
        isAsBefore = pairs.areSame.indices.allSatisfy { pairs.areSame[$0] && pairs.partners[$0] == $0 }
        equals = isForMany && !isAsBefore ? EqualElements(old, new) : nil
    }

    func find(_ index: Int, isNear: Bool) -> (place: Int, isCertain: Bool, isGone: Bool) {
        guard old.indices.contains(index) else { return (index, false, false) }
        if isNear, pairs.areSame[index], let partner = pairs.partners[index],
            partner == index || old.count != new.count
        {
            return (partner, false, false)
        }
        if isAsBefore { return (index, true, false) }
        let mine = equals?.old(index) ?? old.indices.filter { old.isSame(at: index, as: old, at: $0) }
        let theirs = equals?.new(index) ?? new.indices.filter { old.isSame(at: index, as: new, at: $0) }
        // Of as many equal ones each is the one with its number among them.
        if mine.count == theirs.count, let number = mine.number(of: index),
            isMoved(index, to: theirs[number], isOnly: mine.count == 1)
        {
            return (theirs[number], true, false)
        }
        if mine.count == 1, theirs.isEmpty, let place = changedPlace(of: index) {
            return (place, true, false)
        }
        if old.count == new.count { return (index, false, false) }
        if let partner = pairs.partners[index] { return (partner, false, false) }
        let next = (index + 1..<old.count).first { pairs.partners[$0] != nil }.flatMap { pairs.partners[$0] }
        return (next ?? max(0, min(index, new.count - 1)), false, true)
    }

    /// Whether an equal element is the same one. Plain values that have changed places may also have been changed
    /// where they stand, as in a row of booleans.
    private func isMoved(_ index: Int, to place: Int, isOnly: Bool) -> Bool {
        if index == place { return true }
        guard old.count != new.count || old[index].node.isContainer else { return false }
        return isOnly || pairs.partners[index] == place
    }

    /// Where an element stands between its old neighbours that was changed itself; nil where it may be another
    /// one, since little of it is as it was.
    private func changedPlace(of index: Int) -> Int? {
        guard let place = pairs.partners[index] else { return nil }
        func isSame(_ index: Int, _ place: Int) -> Bool {
            old.indices.contains(index)
                ? pairs.areSame[index] && pairs.partners[index] == place : !new.indices.contains(place)
        }
        guard isSame(index - 1, place - 1), isSame(index + 1, place + 1) else { return nil }
        let (mine, theirs) = (old[index].node, new[place].node)
        if !mine.isContainer, !theirs.isContainer { return place }
        guard mine.opens(like: theirs) else { return nil }
        let same = Pairs(mine, theirs, most: Differences.mostMoved).areSame.count { $0 }
        return 2 * same > max(mine.childCount, theirs.childCount) ? place : nil
    }
}

extension [Int] {
    /// Where a number is among rising ones.
    fileprivate func number(of number: Int) -> Int? {
        let place = beginning { $0 >= number }
        return place < count && self[place] == number ? place : nil
    }
}

extension PathStep {
    fileprivate var isIndex: Bool { if case .index = self { true } else { false } }
}

extension Pairs {
    /// Where an element is now: it may have been moved past others.
    fileprivate func partner(of place: Int, _ mine: ValueChildren, _ theirs: ValueChildren) -> Int? {
        if areSame[place] { return partners[place] }
        return theirs.indices.first { mine.isSame(at: place, as: theirs, at: $0) } ?? partners[place]
    }
}

extension OpenPlaces {
    /// What was opened in a key's value is open where it is now.
    mutating func follow(_ key: String, from old: ValueNode, to new: ValueNode) {
        inside[.key(key)]?.follow(from: old, to: new)
    }

    /// Likewise, with the two compared beforehand. What is gone stays closed.
    mutating func follow(_ key: String, _ differences: Differences) {
        inside[.key(key)]?.follow(differences.moved, [])
    }

    private mutating func follow(_ moved: [ValuePath: [Int?]], _ path: ValuePath) {
        guard !inside.isEmpty, !moved.isEmpty else { return }
        let owners = moved[path]
        var followed: [PathStep: OpenPlaces] = [:]
        for (step, places) in inside {
            var now = step
            if let owners, case .index(let index) = step {
                guard let place = owners.firstIndex(of: index) else { continue }
                now = .index(place)
            }
            var places = places
            places.follow(moved, path.appending(now))
            followed[now] = places
        }
        inside = followed
    }

    private mutating func follow(from old: ValueNode, to new: ValueNode) {
        guard !inside.isEmpty, old.opens(like: new) else { return }
        let (mine, theirs) = (old.children, new.children)
        let pairs = old.holdsElements ? Pairs(old, new, most: Differences.mostMoved) : nil
        var followed: [PathStep: OpenPlaces] = [:]
        for (step, places) in inside {
            guard let place = mine.place(of: step) else {
                // It is not there at the moment; of an element nobody can say where it would be.
                if pairs == nil { followed[step] = places }
                continue
            }
            guard let partner = pairs.map({ $0.partner(of: place, mine, theirs) }) ?? theirs.place(of: step)
            else {
                if pairs == nil { followed[step] = places }
                continue
            }
            var places = places
            places.follow(from: mine[place].node, to: theirs[partner].node)
            followed[pairs == nil ? step : .index(partner)] = places
        }
        inside = followed
    }
}
