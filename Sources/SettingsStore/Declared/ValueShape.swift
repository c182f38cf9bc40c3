public import FoundationEssentials
public import PropertyList

/// What values a setting can have, as far as a type says it.
public indirect enum ValueShape: Sendable, Hashable {
    case anything
    case boolean
    case integer(Bounds<PropertyListInteger> = Bounds())
    case real(Bounds<Double> = Bounds())
    case string(StringShape = StringShape())
    case date(Bounds<Date> = Bounds())
    case data
    /// JSON in `Data`, as `Codable` values are stored.
    case json
    case array(of: ValueShape)
    /// A dictionary of any keys.
    case dictionary(of: ValueShape)
    /// A dictionary of certain keys; others may stand beside them.
    case record([String: Field])
    /// An element or an entry that may be missing. Property lists have no place for that, so whole values
    /// with one are JSON in `Data`, with null there.
    case optional(ValueShape)

    /// An entry of a ``record(_:)``.
    public struct Field: Sendable, Hashable {
        public var shape: ValueShape
        public var isRequired: Bool

        public init(_ shape: ValueShape, isRequired: Bool = true) {
            self.shape = shape
            self.isRequired = isRequired
        }
    }
}

extension ValueShape {
    /// The shape of what is not missing.
    var wrapped: ValueShape { if case .optional(let shape) = self { shape.wrapped } else { self } }
}

/// The smallest and the largest value that is allowed, as far as there are any.
public struct Bounds<Bound: Comparable & Hashable & Sendable>: Sendable, Hashable {
    public var lower: Bound?
    public var upper: Bound?
    /// Whether values must lie above the lower bound.
    public var excludesLower: Bool
    /// Whether values must lie below the upper bound.
    public var excludesUpper: Bool

    public init(
        _ lower: Bound? = nil,
        _ upper: Bound? = nil,
        excludesLower: Bool = false,
        excludesUpper: Bool = false
    ) {
        self.lower = lower
        self.upper = upper
        self.excludesLower = excludesLower
        self.excludesUpper = excludesUpper
    }

    public init(_ range: ClosedRange<Bound>) { self.init(range.lowerBound, range.upperBound) }

    public var isEmpty: Bool { lower == nil && upper == nil }
}

/// What strings a setting can have.
public struct StringShape: Sendable, Hashable {
    /// What the text of a string stands for, by the names that JSON Schema has for it (Validation,
    /// section 7.3).
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case uuid, uri
    }

    public var format: Format?
    /// How many characters it has, counted as JSON Schema does: in Unicode scalars.
    public var length: Bounds<Int>

    public init(format: Format? = nil, length: Bounds<Int> = Bounds()) {
        self.format = format
        self.length = length
    }
}
