public import FoundationEssentials
public import PropertyList

/// The type of a setting's values.
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
    /// A dictionary with certain keys. It may have other keys too.
    case record([String: Field])
    /// An element or member that may be missing. Property lists can't express that, so a value with one is stored as JSON
    /// in `Data`, with null for it.
    case optional(ValueShape)

    /// A member of a ``record(_:)``.
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
    /// The shape without ``optional(_:)``.
    var wrapped: ValueShape { if case .optional(let shape) = self { shape.wrapped } else { self } }
}

/// The smallest and the largest allowed value; nil: no limit.
public struct Bounds<Bound: Comparable & Hashable & Sendable>: Sendable, Hashable {
    public var lower: Bound?
    public var upper: Bound?
    /// Whether values must be above the lower bound.
    public var excludesLower: Bool
    /// Whether values must be below the upper bound.
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

/// The strings that a setting can have.
public struct StringShape: Sendable, Hashable {
    /// The format of a string, with its name in JSON Schema (Validation, section 7.3).
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case uuid, uri
        /// A moment of RFC 3339, in a JSON file.
        case dateTime = "date-time"
        /// Data in a JSON file.
        case base64
    }

    public var format: Format?
    /// The number of characters, counted in Unicode scalars as in JSON Schema.
    public var length: Bounds<Int>

    public init(format: Format? = nil, length: Bounds<Int> = Bounds()) {
        self.format = format
        self.length = length
    }
}
