import PropertyList

// Into a new file goes all that the deleted one held.
extension EditorState {
    /// Writes what was deleted with a suite's file again. It is shown until it is stored, and stays where that
    /// is refused.
    mutating func restore(_ id: String) throws -> [EditorEffect] {
        guard let index = suiteIndex(id), let lost = suites[index].lost else { return [] }
        // It is what was there.
        let effects = try restore(id, with: [:], nil, isAgreed: true)
        guard isStaging else {
            say("Written again: \(counted(lost.count)).")
            return effects
        }
        let left = suites[index].staged.count
        let waiting = left == 1 ? " 1 change waits to be written." : " \(left) changes wait to be written."
        say("Written again: \(held(lost.count)).\(left == 0 ? "" : waiting)")
        return effects
    }

    /// The same, with other values for some of the keys, or none.
    mutating func restore(
        _ id: String,
        with values: [String: PropertyListValue?],
        _ source: EditSource?,
        isAgreed: Bool = false
    ) throws -> [EditorEffect] {
        guard let index = suiteIndex(id), let lost = suites[index].lost else { return [] }
        let all = lost.mapValues { Optional($0) }.merging(values) { $1 }
        let changes = all.compactMapValues { $0.map { ValueChange(old: nil, new: $0) } }
        if changes.isEmpty { return [] }
        return try write(
            [Edit.Part(suite: id, changes: changes, restores: true, whole: .made(like: nil))],
            source,
            isAgreed: isAgreed
        )
    }

    /// The same, with what was to go to a place in it; nil where the suite's file is there.
    mutating func restore(with conflict: Conflict) throws -> [EditorEffect]? {
        let path = conflict.path
        guard let index = suiteIndex(conflict.suite), suites[index].isLost, let lost = suites[index].lost
        else { return nil }
        let whole: PropertyListValue
        if let old = suites[index].shownValue(forKey: path.key) {
            whole =
                suites[index].tree.node(at: path) == nil
                ? try old.inserting(conflict.new, at: path.inside)
                : try old.replacing(at: path.inside, with: conflict.new)
        } else if path.steps.count == 1 {
            whole = conflict.new.asWhole
        } else {
            throw Refusal("“\(path.key)” is gone.")
        }
        let effects = try restore(conflict.suite, with: [path.key: whole], conflict.source)
        suites[index].tree.select(path)
        let rest =
            isStaging ? "; what you have changed waits to be written" : ", with “\(path.lastName)” changed"
        say("Written again: \(isStaging ? held(lost.count) : counted(lost.count))\(rest).")
        return effects
    }

    /// Writes at once what was deleted, which nobody has changed, and returns what of these changes is left to
    /// wait.
    mutating func restoreBeforeStaging(_ parts: [Edit.Part]) -> ([EditorEffect], [Edit.Part]) {
        var effects: [EditorEffect] = []
        let left = parts.compactMap { part -> Edit.Part? in
            guard part.restores, let index = suiteIndex(part.suite), let lost = suites[index].lost else {
                return part
            }
            let old = Edit.Part(
                suite: part.suite,
                changes: lost.mapValues { ValueChange(old: nil, new: $0) },
                restores: true,
                whole: .made(like: nil)
            )
            effects += send([old], of: Edit(number: nextNumber(), parts: [old]), .edit(nil))
            let left = beyondRestoring(part)
            return left == part ? nil : left
        }
        return (effects, left)
    }

    /// What a change makes different from what was deleted; where that is nothing, the change itself.
    func beyondRestoring(_ part: Edit.Part) -> Edit.Part {
        guard part.restores, let lost = suiteIndex(part.suite).flatMap({ suites[$0].lost }) else {
            return part
        }
        var changes: [String: ValueChange] = [:]
        for key in Set(lost.keys).union(part.changes.keys) where part.changes[key]?.new != lost[key] {
            changes[key] = ValueChange(old: lost[key], new: part.changes[key]?.new)
        }
        return changes.isEmpty ? part : Edit.Part(suite: part.suite, changes: changes)
    }
}
