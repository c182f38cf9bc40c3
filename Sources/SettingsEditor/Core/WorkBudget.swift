import PropertyList

/// How much work may be done before the next key is handled. One unit is one look at a short name or value, so that
/// tests do not depend on time.
struct WorkBudget: Sendable {
    private var left: Int

    init(_ left: Int) { self.left = left }

    static let unlimited = WorkBudget(.max)
    /// The work that directly follows a key. A thousand units take about a quarter of a millisecond, as
    /// Sources/Benchmarks/table measures.
    static let ofKey = WorkBudget(100)
    /// The work that one drawing may do in addition to the rows.
    static let ofScreen = WorkBudget(300)

    var isLeft: Bool { left > 0 }

    mutating func spend(_ work: Int) { left = max(0, left - work) }

    mutating func spend(bytes: Int) { spend(bytes / 128) }

    /// Continues parsing, as far as the budget allows. Returns the node at the end.
    mutating func goOn(_ reading: inout ValueReading) -> ValueNode? {
        let bytes = 48
        let amount = left < .max / bytes ? left * bytes : .max
        var rest = amount
        defer { spend((amount - rest) / bytes + 1) }
        return reading.goOn(&rest)
    }
}

extension Work {
    /// For ``goOn(budget:)`` between two keys. The next key waits no longer than this takes.
    public static let budgetBetweenKeys = 200
}
