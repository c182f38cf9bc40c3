import PropertyList

/// How much work may be done before the next key is handled. The unit is one look at a short name or value, so
/// that tests do not depend on time.
struct WorkBudget: Sendable {
    private var left: Int

    init(_ left: Int) { self.left = left }

    static let unlimited = WorkBudget(.max)
    /// The work that directly follows a key. A thousand takes about a quarter of a millisecond (as
    /// Sources/Benchmarks/table measures): with a slice that is under way and the screen a fifth of one.
    static let ofKey = WorkBudget(100)
    /// The work that one drawing may do beyond the rows themselves.
    static let ofScreen = WorkBudget(300)

    var isLeft: Bool { left > 0 }

    mutating func spend(_ work: Int) { left = max(0, left - work) }

    mutating func spend(bytes: Int) { spend(bytes / 128) }

    /// Continues a reading as far as the budget goes; returns the node at its end.
    mutating func goOn(_ reading: inout ValueReading) -> ValueNode? {
        let bytes = 48
        let amount = left < .max / bytes ? left * bytes : .max
        var rest = amount
        defer { spend((amount - rest) / bytes + 1) }
        return reading.goOn(&rest)
    }
}

extension Work {
    /// For ``goOn(budget:)`` between two keys: the next one waits for no more than this.
    public static let budgetBetweenKeys = 200
}
