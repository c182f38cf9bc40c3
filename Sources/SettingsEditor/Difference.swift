import PropertyList

/// The innermost place that holds all in which two values differ, and what is there; nil for nothing.
struct Difference {
    var path: ValuePath
    var old: ValueNode?
    var new: ValueNode?

    /// - Parameters:
    ///   - isHidden: the value is a secret, of whose inside nothing is told.
    ///   - limit: containers with more in them are not looked into.
    init(_ change: ValueChange, of key: String, isHidden: Bool, limit: Int = 20_000) {
        path = [.key(key)]
        old = change.old.map(ValueNode.init)
        new = change.new.map(ValueNode.init)
        while !isHidden, let old, let new, let step = Self.step(between: old, new, limit) {
            path = path.appending(step.step)
            self.old = step.old
            self.new = step.new
        }
    }

    /// The key, or the way to what is inside.
    var name: String {
        path.steps.count == 1 ? path.lastName : String(path.description.dropFirst())
    }

    /// Both in a few words, which differ.
    ///
    /// - Parameter brief: one in a few words.
    func inWords(_ brief: (ValueNode?) -> String) -> (old: String, new: String) {
        let words = (old: brief(old), new: brief(new))
        guard words.old == words.new else { return words }
        guard let first = old?.string, let second = new?.string else {
            return (words.old, words.new + ", changed inside")
        }
        // From a little before the first character that differs.
        let start = max(0, zip(first, second).prefix { $0 == $1 }.count - 10)
        return (shortened("…" + first.dropFirst(start)), shortened("…" + second.dropFirst(start)))
    }

    private typealias Step = (step: PathStep, old: ValueNode?, new: ValueNode?)

    /// The way to the only one inside that differs; nil where there are several, or none.
    private static func step(between old: ValueNode, _ new: ValueNode, _ limit: Int) -> Step? {
        guard old.isContainer, new.isContainer, old.holdsElements == new.holdsElements,
            max(old.childCount, new.childCount) < limit
        else { return nil }
        return old.holdsElements
            ? element(between: old.children, new.children) : entry(between: old.children, new.children)
    }

    private static func element(between old: ValueChildren, _ new: ValueChildren) -> Step? {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start].node == new[start].node { start += 1 }
        var same = start
        while same < shorter, old[old.count - 1 - same + start].node == new[new.count - 1 - same + start].node
        {
            same += 1
        }
        guard same == max(old.count, new.count) - 1, start < max(old.count, new.count) else { return nil }
        // Of equal numbers one was replaced; else one was put in, or taken out.
        return (
            .index(start),
            old.count >= new.count ? old[start].node : nil,
            new.count >= old.count ? new[start].node : nil
        )
    }

    private static func entry(between old: ValueChildren, _ new: ValueChildren) -> Step? {
        var found: Step?
        for (step, node) in old {
            // Which of several members of one name has changed can't be told by the name.
            if node.json?.hasTwin == true { return nil }
            let other = new.place(of: step).map { new[$0].node }
            if other == node { continue }
            if found != nil { return nil }
            found = (step, node, other)
        }
        for (step, node) in new where old.place(of: step) == nil {
            if found != nil || node.json?.hasTwin == true { return nil }
            found = (step, nil, node)
        }
        return found
    }
}

extension ValueNode {
    /// Of a string what it says.
    fileprivate var string: String? {
        if let json { return json.string }
        if case .propertyList(.string(let text)) = content { return text }
        return nil
    }
}

extension EditorState {
    /// Where a change is, and what was and is there, in a few words, as far as they may be shown.
    func inWords(_ change: ValueChange, of key: String, in suite: String) -> (
        place: String, old: String, new: String
    ) {
        guard !hides(key, of: suite) else {
            return (key, brief(change.old, of: key, in: suite), brief(change.new, of: key, in: suite))
        }
        let difference = Difference(change, of: key, isHidden: false, limit: 1000)
        let words = difference.inWords { brief($0) }
        return (difference.name, words.old, words.new)
    }
}
