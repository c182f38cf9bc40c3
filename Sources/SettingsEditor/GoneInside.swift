import PropertyList

/// What others have deleted inside a value.
struct GoneInside: Sendable, Hashable {
    struct Place: Sendable, Hashable {
        /// What it lay in, where that is now, from the value down.
        let parent: ValuePath
        /// Where it was, likewise.
        let path: ValuePath
        let node: ValueNode
    }

    private(set) var places: [Place] = []
    /// There may be more.
    private(set) var isCut: Bool

    /// - Parameter limit: so many are kept.
    init(_ differences: Differences, limit: Int = .max) {
        isCut = differences.count > differences.places.count
        // An element that has come in elsewhere in its array was moved there.
        var come: [Place: Int] = [:]
        for place in differences.places where place.old == nil && place.target.endsWithIndex {
            if let moved = Place(place, place.new) { come[moved.anywhere, default: 0] += 1 }
        }
        for place in differences.places where place.new == nil {
            guard let gone = Place(place, place.old) else { continue }
            if place.target.endsWithIndex, let count = come[gone.anywhere], count > 0 {
                come[gone.anywhere] = count - 1
                continue
            }
            if places.count == limit {
                isCut = true
                return
            }
            places.append(gone)
        }
    }

    /// What lay in a place, or if that is open directly in it.
    ///
    /// - Parameter path: from the value down.
    func inside(_ path: ValuePath, isOpen: Bool = false) -> GoneInside {
        var result = self
        result.places = places.filter { isOpen ? $0.parent == path : $0.parent.starts(with: path) }
        return result
    }

    /// Whether a change does nothing but put back what is gone from a value.
    static func isPutBack(by change: ValueChange, from former: PropertyListValue) -> Bool {
        guard let old = change.old.map(ValueNode.init), let new = change.new.map(ValueNode.init) else {
            return false
        }
        let own = Differences(new, old, limit: Merge.mostPlaces)
        let put = GoneInside(own)
        guard own.count == put.places.count, !put.isCut, !put.places.isEmpty else { return false }
        var gone: [Place: Int] = [:]
        for place in GoneInside(Differences(ValueNode(former), old, limit: Merge.mostPlaces)).places {
            gone[place.anywhere, default: 0] += 1
        }
        return put.places.allSatisfy { place in
            gone[place.anywhere, default: 0] -= 1
            return gone[place.anywhere, default: 0] >= 0
        }
    }

    mutating func dropAll(where isThere: (ValuePath) -> Bool) { places.removeAll { isThere($0.path) } }

    /// What is gone from a place, in a few words; nil where nothing is.
    func text(from path: ValuePath, isOpen: Bool, _ spelling: ValueSpelling) -> String? {
        let inside = inside(path, isOpen: isOpen)
        guard let first = inside.places.first else { return nil }
        let more = inside.places.count - 1
        let rest = isCut ? ", and more" : more == 0 ? "" : ", \(more) more"
        return "\(first.path(from: path)) was \(brief(first.node, spelling))\(rest)"
    }
}

extension GoneInside.Place {
    fileprivate init?(_ place: Differences.Place, _ node: ValueNode?) {
        guard let parent = place.target.parent, let node else { return nil }
        self.init(parent: parent, path: place.path, node: node)
    }

    /// The same wherever it was in what it lay in.
    fileprivate var anywhere: Self { Self(parent: parent, path: [], node: node) }

    /// Where it was, from a place on that it lay in.
    func path(from place: ValuePath) -> ValuePath {
        ValuePath(Array(parent.steps.dropFirst(place.steps.count)) + path.steps.suffix(1))
    }
}

extension SuiteModel {
    /// What a key that others have changed would hold without that, with what waits to be written over it; nil
    /// for other keys.
    func formerValue(_ key: String) -> PropertyListValue?? {
        guard let former = changedByOthers[key] else { return nil }
        guard let change = staged[key] else { return .some(former) }
        return .some(carried(former, by: change))
    }

    /// What a key would hold without what others have changed, behind a change of the user's own: what that puts
    /// back of it was there.
    func carried(_ former: PropertyListValue?, by change: ValueChange) -> PropertyListValue? {
        if let former, GoneInside.isPutBack(by: change, from: former) { return former }
        return Merge(change, over: former).value
    }

    /// What others have deleted inside a place, of which that may be told.
    func gone(inside path: ValuePath) -> GoneInside? {
        guard !hides(path.key), let old = formerValue(path.key) ?? nil,
            let new = value(forKey: path.key)
        else { return nil }
        let differences = Differences(ValueNode(old), ValueNode(new), limit: Merge.mostPlaces)
        let gone = GoneInside(differences).inside(path.inside)
        return gone.places.isEmpty ? nil : gone
    }

    /// What a key holds with that put back.
    fileprivate func value(puttingBack gone: GoneInside, intoKey key: String) throws -> PropertyListValue {
        guard let former = formerValue(key) ?? nil, !gone.isCut else {
            throw Refusal("Not put back: too much of “\(key)” has changed.")
        }
        let without = try former.editing(gone.places.map { ValueEdit(.remove, at: $0.path) })
        let merge = Merge(ValueChange(old: without, new: former), over: value(forKey: key))
        guard merge.clashes.isEmpty, let value = merge.value else {
            throw Refusal("Not put back: nobody can tell where it belongs in what “\(key)” holds now.")
        }
        return value
    }
}

extension EditorState {
    func question(puttingBack gone: GoneInside, into path: ValuePath, of suite: String, again: Bool = false)
        -> Question
    {
        let places = gone.places.prefix(5).map {
            "\($0.path(from: path.inside)) (\(brief($0.node, of: path.key, in: suite)))"
        }
        let more = gone.isCut || gone.places.count > 5 ? ", …" : ""
        return Question(
            text: (again ? "It has changed meanwhile. " : "")
                + "Put back what others have deleted in “\(path.lastName)”: "
                + "\(places.joined(separator: ", "))\(more)?",
            subject: .putBack(suite: suite, path, gone)
        )
    }

    mutating func putBack(_ gone: GoneInside, into path: ValuePath, of id: String) throws -> [EditorEffect] {
        input = nil
        guard let index = suiteIndex(id), let current = suites[index].gone(inside: path) else {
            throw Refusal("Nothing of it is gone any more.")
        }
        guard current == gone else {
            input = .question(question(puttingBack: current, into: path, of: id, again: true))
            return []
        }
        let effects = try write(
            [path.key: suites[index].value(puttingBack: gone, intoKey: path.key)],
            of: id
        )
        let what =
            gone.places.count == 1 ? "“\(gone.places[0].path.lastName)”" : "\(gone.places.count) places"
        say("Put back \(what) into “\(path.lastName)”.")
        return effects
    }
}
