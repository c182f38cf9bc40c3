import OpenCombine

// With this, a class that is `ObservableObject` and `Codable` needs no code of its own for its
// `@Published` members. OpenCombine leaves it out, as Combine does.

// swift-format-ignore: AvoidRetroactiveConformances
extension Published: @retroactive Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws { self.init(initialValue: try Value(from: decoder)) }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Published: @retroactive Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        // The value can only be had from the publisher, which sends it at once.
        var copy = self
        var value: Value?
        copy.projectedValue.sink { value = $0 }.cancel()
        try value?.encode(to: encoder)
    }
}
