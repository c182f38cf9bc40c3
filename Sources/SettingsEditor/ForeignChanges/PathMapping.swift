import PropertyList
import ValueDiff

/// The new paths of the values inside a key after the key has changed.
///
/// Another program can insert an element into an array while the user's cursor, draft or expanded row is below it.
/// ``SuiteModel/updateRows(_:changedByOthers:_:)`` makes one mapping for each key that changed. The cursor, the expanded
/// paths, the filter and the modals ask that mapping. Without it they would keep an index, and the next key would act
/// on another element.
struct PathMapping: Sendable {
    /// The new path of one value.
    struct Target: Sendable {
        /// The new path; the old path if the new one is not certain.
        fileprivate(set) var path: ValuePath
        /// Whether the element of each array on the path is known.
        fileprivate(set) var isCertain = true
        /// The nearest path that exists. If the value is gone, this is the path of the value that followed it.
        fileprivate(set) var nearest: ValuePath

        /// A path whose value has not moved.
        init(_ path: ValuePath) { (self.path, nearest) = (path, path) }

        /// The same for paths that start with these steps.
        func below(_ steps: [PathStep]) -> Target {
            var result = self
            result.path = ValuePath(steps + path.steps)
            result.nearest = ValuePath(steps + nearest.steps)
            return result
        }
    }

    /// The values, if they were parsed already. Most mappings are never asked, and parsing takes long.
    private var oldNode, newNode: ValueNode?
    private let old, new: PropertyListValue?
    /// The differences of a large value, which were computed on another thread, oldest first.
    private let prepared: [TreeDiff]

    /// - Parameters:
    ///   - node: The old value, if it was parsed already.
    ///   - prepared: The changes that lead to the new value, if they were compared beforehand.
    init(
        from old: PropertyListValue?,
        _ node: ValueNode? = nil,
        to new: PropertyListValue?,
        _ prepared: [PreparedDiff] = []
    ) {
        (self.old, self.new, oldNode) = (old, new, node)
        guard let new, let last = prepared.last, last.new.content == .propertyList(new) else {
            self.prepared = []
            return
        }
        newNode = last.new
        self.prepared = prepared.first?.old == node ? prepared.map(\.differences) : []
    }

    /// The mapping between two values that were parsed already.
    init(from old: ValueNode?, to new: ValueNode?) {
        (oldNode, newNode) = (old, new)
        (self.old, self.new, prepared) = (nil, nil, [])
    }

    /// The mapping from the same value to a later one.
    func continued(to new: PropertyListValue?) -> PathMapping { PathMapping(from: old, oldNode, to: new) }

    /// The new value, if it was parsed beforehand.
    var preparedNode: ValueNode? { newNode }

    /// The same mapping, to a new value that was parsed already.
    func reading(_ new: ValueNode?) -> PathMapping {
        var result = self
        result.newNode = new
        return result
    }

    /// Parses both values, so that several paths can be asked for.
    mutating func read() { (oldNode, newNode) = (parsedOld, parsedNew) }

    private var parsedOld: ValueNode? { oldNode ?? old.map(ValueNode.init) }
    private var parsedNew: ValueNode? { newNode ?? new.map(ValueNode.init) }

    /// The new path of a value.
    func target(of path: ValuePath) -> Target { search(for: path, isNear: false) }

    /// The nearest path that exists. In long arrays, this takes less time than ``target(of:)``.
    func nearest(to path: ValuePath) -> ValuePath {
        prepared.isEmpty
            ? search(for: path, isNear: true).nearest : prepared.reduce(path) { $1.nearest(to: $0) }
    }

    /// The paths that stay expanded. An element that is gone is left out.
    func expanded(_ paths: ExpandedPaths) -> ExpandedPaths {
        if !prepared.isEmpty { return prepared.reduce(paths) { $0.moved($1.moved, []) } }
        guard let old = parsedOld, let new = parsedNew else { return paths }
        return paths.moved(from: old, to: new)
    }

    private func search(for path: ValuePath, isNear: Bool) -> Target {
        var target = Target(path)
        guard let last = path.steps.lastIndex(where: \.isIndex) else { return target }
        var (old, new) = (parsedOld, parsedNew)
        var steps: [PathStep] = []
        for step in path.steps[...last] {
            guard let before = old, let after = new, before.opens(like: after) else {
                target.isCertain = false
                target.nearest = ValuePath(steps + path.steps[steps.count...])
                return target
            }
            let (mine, theirs) = (before.children, after.children)
            guard case .index(let index) = step, before.holdsElements else {
                steps.append(step)
                old = mine.place(of: step).map { mine[$0].node }
                new = theirs.place(of: step).map { theirs[$0].node }
                continue
            }
            let element = ElementSearch(before, after).find(index, isNear: isNear)
            target.isCertain = target.isCertain && element.isCertain
            steps.append(.index(element.place))
            if element.isGone {
                target.nearest = ValuePath(steps)
                return target
            }
            old = mine.indices.contains(index) ? mine[index].node : nil
            new = theirs.indices.contains(element.place) ? theirs[element.place].node : nil
        }
        target.nearest = ValuePath(steps + path.steps[(last + 1)...])
        if target.isCertain { target.path = target.nearest }
        return target
    }
}

extension PathStep {
    fileprivate var isIndex: Bool { if case .index = self { true } else { false } }
}

extension ExpandedPaths {
    /// The paths after array elements moved, as ``TreeDiff/moved`` says.
    fileprivate func moved(_ moved: [ValuePath: [Int?]], _ path: ValuePath) -> ExpandedPaths {
        guard !inside.isEmpty, !moved.isEmpty else { return self }
        let owners = moved[path]
        return mapInside { step, places in
            var now = step
            if let owners, case .index(let index) = step {
                guard let place = owners.firstIndex(of: index) else { return nil }
                now = .index(place)
            }
            return (now, places.moved(moved, path.appending(now)))
        }
    }

    /// The paths after a value changed. A member that is missing may come back, and stays expanded.
    fileprivate func moved(from old: ValueNode, to new: ValueNode) -> ExpandedPaths {
        guard !inside.isEmpty, old.opens(like: new) else { return self }
        let (mine, theirs) = (old.children, new.children)
        guard old.holdsElements else {
            return mapInside { step, places in
                guard let place = mine.place(of: step), let partner = theirs.place(of: step) else {
                    return (step, places)
                }
                return (step, places.moved(from: mine[place].node, to: theirs[partner].node))
            }
        }
        let search = ElementSearch(old, new, isForMany: inside.count > Self.few)
        return mapInside { step, places in
            guard let place = mine.place(of: step) else { return nil }
            let element = search.find(place, isNear: true)
            guard !element.isGone, theirs.indices.contains(element.place) else { return nil }
            let inside = places.moved(from: mine[place].node, to: theirs[element.place].node)
            return (.index(element.place), inside)
        }
    }

    /// The number of expanded elements that are looked for one by one.
    private static let few = 8

    private func mapInside(
        _ transform: (PathStep, ExpandedPaths) -> (PathStep, ExpandedPaths)?
    ) -> ExpandedPaths {
        var result = self
        result.inside = [:]
        for (step, places) in inside {
            if let (step, places) = transform(step, places) { result.inside[step] = places }
        }
        return result
    }
}
