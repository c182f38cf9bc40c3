import PropertyList
import SettingsStore
import ValueDiff

/// A foreign change of a large value, parsed and compared on another thread, so that it delays no key.
public struct PreparedDiff: Sendable {
    let old: ValueNode
    let new: ValueNode
    let differences: TreeDiff

    /// Those of the changes that take long, by their numbers.
    ///
    /// - Parameter announce: is called with their keys before the first of them is read.
    public static func of(
        _ changes: [Change],
        announce: (_ keys: [String]) -> Void = { _ in }
    ) -> [UInt64: PreparedDiff] {
        let long = changes.compactMap { change -> (Change, PropertyListValue, PropertyListValue)? in
            guard change.isForeign, let old = change.old, let new = change.new, old.isMuch || new.isMuch
            else {
                return nil
            }
            return (change, old, new)
        }
        if long.isEmpty { return [:] }
        announce(Set(long.map(\.0.key)).sorted())
        var read: [UInt64: PreparedDiff] = [:]
        for (change, old, new) in long { read[change.sequence] = PreparedDiff(old, new) }
        return read
    }

    init(_ old: PropertyListValue, _ new: PropertyListValue) {
        (self.old, self.new) = (ValueNode(old), ValueNode(new))
        differences = TreeDiff(self.old, self.new, limit: ChangeHighlights.places)
    }

    /// Whether it is about what a key holds now.
    func isOf(_ value: PropertyListValue) -> Bool { new.content == .propertyList(value) }
}

extension PreparedDiff: Equatable {
    public static func == (a: PreparedDiff, b: PreparedDiff) -> Bool { a.old == b.old && a.new == b.new }
}

extension PropertyListValue {
    /// Whether it takes longer than a moment to read it, or to compare it with another one.
    fileprivate var isMuch: Bool {
        var left = 1 << 14
        return count(&left)
    }

    /// Whether that suffices no longer, in bytes and values.
    private func count(_ left: inout Int) -> Bool {
        switch self {
        case .data(let data): left -= data.count
        case .string(let text): left -= text.utf8.count
        case .array(let elements):
            for element in elements where element.count(&left) { return true }
        case .dictionary(let entries):
            for entry in entries where entry.value.count(&left) { return true }
        case .boolean, .integer, .real, .date, .uid: break
        }
        left -= 8
        return left < 0
    }
}

extension TreeDiff {
    /// Where a place of the old value is in the new one, or what is nearest to it.
    func nearest(to path: ValuePath) -> ValuePath {
        if moved.isEmpty { return path }
        var present = path
        for (place, step) in path.steps.enumerated() {
            guard case .index(let index) = step,
                let owners = moved[ValuePath(Array(present.steps[..<place]))]
            else { continue }
            // What stands behind it comes next where it is gone.
            let next = owners.firstIndex { $0.map { $0 >= index } ?? false } ?? max(0, owners.count - 1)
            let isThere = owners.indices.contains(next) && owners[next] == index
            present.steps[place] = .index(next)
            if !isThere { return ValuePath(Array(present.steps[...place])) }
        }
        return present
    }
}
