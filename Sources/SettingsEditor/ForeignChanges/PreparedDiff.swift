import PropertyList
import SettingsStore
import ValueDiff

/// A foreign change of a large value, parsed and compared on another thread, so that it delays no key.
public struct PreparedDiff: Sendable {
    let old: ValueNode
    let new: ValueNode
    let differences: TreeDiff

    /// Compares the changes that take long, and returns the results by sequence number.
    public static func of(_ changes: [Change]) -> [UInt64: PreparedDiff] {
        var read: [UInt64: PreparedDiff] = [:]
        for change in changes {
            guard change.isForeign, let old = change.old, let new = change.new, old.isMuch || new.isMuch
            else { continue }
            read[change.sequence] = PreparedDiff(old, new)
        }
        return read
    }

    init(_ old: PropertyListValue, _ new: PropertyListValue) {
        (self.old, self.new) = (ValueNode(old), ValueNode(new))
        differences = TreeDiff(self.old, self.new, limit: ChangeHighlights.places)
    }
}

extension PreparedDiff: Equatable {
    public static func == (a: PreparedDiff, b: PreparedDiff) -> Bool { a.old == b.old && a.new == b.new }
}

extension PropertyListValue {
    /// Whether parsing or comparing the value takes longer than a key may wait.
    fileprivate var isMuch: Bool {
        var left = 1 << 14
        return count(&left)
    }

    /// Counts bytes and values. Returns true when the limit is passed.
    private func count(_ left: inout Int) -> Bool {
        switch self {
        case .data(let data): left -= data.count
        case .string(let text): left -= text.utf8.count
        case .array(let elements):
            for element in elements where element.count(&left) { return true }
        case .dictionary(let entries):
            for entry in entries where entry.value.count(&left) { return true }
        case .boolean, .integer, .real, .date, .uid, .null, .number: break
        }
        left -= 8
        return left < 0
    }
}

extension TreeDiff {
    /// The nearest path in the new value.
    func nearest(to path: ValuePath) -> ValuePath {
        if moved.isEmpty { return path }
        var present = path
        for (place, step) in path.steps.enumerated() {
            guard case .index(let index) = step,
                let owners = moved[ValuePath(Array(present.steps[..<place]))]
            else { continue }
            // If the element is gone, the next one takes its place.
            let next = owners.firstIndex { $0.map { $0 >= index } ?? false } ?? max(0, owners.count - 1)
            let isThere = owners.indices.contains(next) && owners[next] == index
            present.steps[place] = .index(next)
            if !isThere { return ValuePath(Array(present.steps[...place])) }
        }
        return present
    }
}
