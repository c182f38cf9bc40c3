/// An integer of a property list, from `Int64.min` to `UInt64.max`.
///
/// `Int64` and `UInt64` each cover only a part of that range, and `Int128` would also accept numbers
/// that no format can hold.
public struct PropertyListInteger: Sendable, Hashable {
    /// The two's complement bits of a negative number, or the number itself.
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

    /// Converts an integer, or returns nil if it is outside `Int64.min...UInt64.max`.
    @inlinable
    public init?<Source: BinaryInteger>(exactly source: Source) {
        if let value = Int64(exactly: source) {
            self.init(value)
        } else if let value = UInt64(exactly: source) {
            self.init(value)
        } else {
            return nil
        }
    }

    /// Parses a decimal number with an optional sign, or returns nil if the text is not a number or is
    /// out of range.
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
    /// Converts a property-list integer, or returns nil if this type cannot hold it.
    public init?(exactly number: PropertyListInteger) {
        if let value = Int64(exactly: number) {
            self.init(exactly: value)
        } else {
            self.init(exactly: number.magnitude)
        }
    }
}

extension Int64 {
    /// Converts a property-list integer, or returns nil if it is above `Int64.max`.
    public init?(exactly number: PropertyListInteger) {
        guard number.isWithinInt64 else { return nil }
        self = number.wrapped
    }
}

extension Double {
    /// The floating-point number nearest to the integer.
    public init(_ number: PropertyListInteger) {
        self = number.isWithinInt64 ? Double(number.wrapped) : Double(number.magnitude)
    }
}

extension PropertyListInteger {
    /// The absolute value.
    public var magnitude: UInt64 { isNegative ? 0 &- bits : bits }

    fileprivate var isWithinInt64: Bool { isNegative || bits <= UInt64(Int64.max) }
    fileprivate var wrapped: Int64 { Int64(bitPattern: bits) }
}

extension PropertyListInteger: Comparable {
    public static func < (a: Self, b: Self) -> Bool {
        switch (a.isNegative, b.isNegative) {
        case (true, false): true
        case (false, true): false
        // Two's complement keeps the order of negative numbers.
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
