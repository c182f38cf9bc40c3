import PropertyList

/// The parsed values on the screen that take long to parse: data, long strings and large dictionaries. Each is
/// parsed once while it is on the screen, between keys if it takes long.
struct ViewportCache: Sendable {
    private var read: [ValuePath: ValueNode] = [:]
    /// The rows that are not parsed yet, in order.
    private var unread: [(path: ValuePath, node: ValueNode)] = []
    /// The unfinished parsing of the first of them.
    private var underWay: (path: ValuePath, reading: ValueReading)?

    /// The parsed value of a path, if it is known.
    subscript(path: ValuePath) -> ValueNode? { read[path] }

    /// Whether a row is not parsed yet.
    var isReading: Bool { !unread.isEmpty }

    /// Takes over the parsed values of the rows on the screen, and forgets all others.
    mutating func look(at rows: [Row]) {
        unread = rows.lazy.filter(\.shown.isUnread).map { ($0.path, $0.shown) }
        if let path = underWay?.path, path != unread.first?.path { underWay = nil }
        if rows.isEmpty, read.isEmpty { return }
        let known = rows.lazy.filter { !$0.shown.isUnread }.map { ($0.path, $0.shown) }
        read = Dictionary(known) { first, _ in first }
    }

    /// Keeps the parsed value of a row while the row is on the screen.
    mutating func remember(_ row: Row) {
        if row.shown.mayHoldDocument { read[row.path] = row.shown }
    }

    mutating func remember(_ node: ValueNode, at path: ValuePath) { read[path] = node }

    mutating func forget(_ key: String) {
        for path in read.keys where path.key == key { read[path] = nil }
        unread.removeAll { $0.path.key == key }
        if underWay?.path.key == key { underWay = nil }
    }

    /// Continues parsing, as far as the budget allows.
    mutating func readOn(_ budget: inout WorkBudget) {
        while budget.isLeft, let (path, node) = unread.first {
            var reading = underWay?.reading ?? ValueReading(node)
            underWay = nil
            if let node = budget.goOn(&reading) {
                read[path] = node
                unread.removeFirst()
            } else {
                underWay = (path, reading)
            }
        }
    }

    /// Parses the value of a path completely.
    mutating func finishReading(_ path: ValuePath) {
        guard let place = unread.firstIndex(where: { $0.path == path }) else { return }
        var budget = WorkBudget.unlimited
        var reading = (place == 0 ? underWay?.reading : nil) ?? ValueReading(unread[place].node)
        if place == 0 { underWay = nil }
        while read[path] == nil { read[path] = budget.goOn(&reading) }
        unread.remove(at: place)
    }
}

extension ValueNode {
    var mayHoldDocument: Bool {
        if case .propertyList(let value) = content { value.mayHoldDocument } else { false }
    }
}
