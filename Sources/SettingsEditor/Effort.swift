import PropertyList

/// How much may be done before the user's next key is looked at, counted as work and not as time: one
/// for looking at a short name or value.
struct Effort: Sendable {
    private var left: Int

    init(_ left: Int) { self.left = left }

    static let unlimited = Effort(.max)
    /// What follows a key at once. A thousand takes about a quarter of a millisecond (as
    /// Sources/Benchmarks/table measures): with a slice that is under way and the screen a fifth of one.
    static let ofKey = Effort(100)
    /// What one drawing may do to tell more than the rows hold.
    static let ofScreen = Effort(300)

    var isLeft: Bool { left > 0 }

    mutating func spend(_ work: Int) { left = max(0, left - work) }

    mutating func spend(bytes: Int) { spend(bytes / 128) }

    /// Goes on with a reading, for as long as may be; the node at its end.
    mutating func goOn(_ reading: inout ValueReading) -> ValueNode? {
        let bytes = 48
        let amount = left < .max / bytes ? left * bytes : .max
        var rest = amount
        defer { spend((amount - rest) / bytes + 1) }
        return reading.goOn(&rest)
    }
}

extension EditorAction {
    /// For ``goOn(effort:)`` between two keys: the next one waits for no more than this.
    public static let effortBetweenKeys = 200
}
