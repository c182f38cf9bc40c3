/// A whole number as property lists have them: from `Int64.min` to `UInt64.max`.
public struct PropertyListInteger: Sendable, Hashable {
    /// The two's complement of a negative number, the number itself otherwise.
    private let bits: UInt64
    private let isNegative: Bool

    public init(_ value: Int) { self.init(Int64(value)) }

    public init(_ value: Int64) {
        bits = UInt64(bitPattern: value)
        isNegative = value < 0
    }

    public init(_ value: UInt64) {
        bits = value
        isNegative = false
    }

    /// The number, or nil where it lies outside `Int64.min...UInt64.max`.
    public init?<Source: BinaryInteger>(exactly source: Source) {
        if let value = Int64(exactly: source) {
            self.init(value)
        } else if let value = UInt64(exactly: source) {
            self.init(value)
        } else {
            return nil
        }
    }

    /// A decimal number with an optional sign, or nil where the text is none or is out of range.
    public init?(_ text: some StringProtocol) {
        if let value = Int64(text) {
            self.init(value)
        } else if let value = UInt64(text) {
            self.init(value)
        } else {
            return nil
        }
    }
}

extension FixedWidthInteger {
    /// The same number, or nil where this type has no room for it.
    public init?(exactly number: PropertyListInteger) {
        if let value = Int64(exactly: number) {
            self.init(exactly: value)
        } else {
            self.init(exactly: number.magnitude)
        }
    }
}

extension Int64 {
    /// The same number, or nil where it is above `Int64.max`.
    public init?(exactly number: PropertyListInteger) {
        guard number.isWithinInt64 else { return nil }
        self = number.wrapped
    }
}

extension Double {
    /// The nearest floating-point number.
    public init(_ number: PropertyListInteger) {
        self = number.isWithinInt64 ? Double(number.wrapped) : Double(number.magnitude)
    }
}

extension PropertyListInteger {
    /// The distance from zero.
    public var magnitude: UInt64 { isNegative ? 0 &- bits : bits }

    fileprivate var isWithinInt64: Bool { isNegative || bits <= UInt64(Int64.max) }
    fileprivate var wrapped: Int64 { Int64(bitPattern: bits) }
}

extension PropertyListInteger: Comparable {
    public static func < (a: Self, b: Self) -> Bool {
        switch (a.isNegative, b.isNegative) {
        case (true, false): true
        case (false, true): false
        // Two's complement keeps the order among negative numbers too.
        default: a.bits < b.bits
        }
    }
}

extension PropertyListInteger: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self.init(value) }
}

extension PropertyListInteger: CustomStringConvertible {
    public var description: String { isNegative ? "-\(magnitude)" : "\(bits)" }
}
