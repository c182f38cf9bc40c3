import PropertyList
import ValueDiff

/// Where a path leads after a foreign change of the value. Names stay; array elements are looked for in the new
/// array.
struct PathMapping: Sendable {
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
    func below(_ steps: [PathStep]) -> PathMapping {
        var result = self
        result.path = ValuePath(steps + path.steps)
        result.nearest = ValuePath(steps + nearest.steps)
        return result
    }
}

extension PathStep {
    fileprivate var isIndex: Bool { if case .index = self { true } else { false } }
}

extension ElementMatching {
    /// Where an element is now: it may have been moved past others.
    fileprivate func partner(of place: Int, _ mine: ValueChildren, _ theirs: ValueChildren) -> Int? {
        if areSame[place] { return partners[place] }
        return theirs.indices.first { mine.isSame(at: place, as: theirs, at: $0) } ?? partners[place]
    }
}

extension ExpandedPaths {
    /// What was opened in a key's value is open where it is now.
    mutating func follow(_ key: String, from old: ValueNode, to new: ValueNode) {
        inside[.key(key)]?.follow(from: old, to: new)
    }

    /// Likewise, with the two compared beforehand. What is gone stays closed.
    mutating func follow(_ key: String, _ differences: TreeDiff) {
        inside[.key(key)]?.follow(differences.moved, [])
    }

    private mutating func follow(_ moved: [ValuePath: [Int?]], _ path: ValuePath) {
        guard !inside.isEmpty, !moved.isEmpty else { return }
        let owners = moved[path]
        var followed: [PathStep: ExpandedPaths] = [:]
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
        let pairs = old.holdsElements ? ElementMatching(old, new, most: TreeDiff.mostMoved) : nil
        var followed: [PathStep: ExpandedPaths] = [:]
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
