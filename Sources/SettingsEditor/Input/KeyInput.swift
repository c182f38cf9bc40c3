/// The part of a command that was typed so far.
struct KeyInput: Sendable {
    /// How often the next movement is done.
    var count: Int?
    /// Whether the next key is inserted as it is.
    var insertsNext = false

    private static let maximum = 999_999_999

    /// Appends a digit to the count.
    mutating func type(digit: Int) {
        // A count that starts with 0 would do nothing.
        guard digit > 0 || count != nil else { return }
        count = min((count ?? 0) * 10 + digit, Self.maximum)
    }
}
