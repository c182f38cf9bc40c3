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
    /// A value that may be missing or null. Property lists have no null, so a value with such an element or member is stored as
    /// JSON in `Data`.
    case optional(ValueShape)
    /// An element or member that has a declaration of its own, with a title or certain values for example.
    case declared(SettingDeclaration)

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
    /// The shape without ``optional(_:)`` and ``declared(_:)``.
    var wrapped: ValueShape {
        switch self {
        case .optional(let shape): shape.wrapped
        case .declared(let declaration): declaration.shape.wrapped
        default: self
        }
    }

    /// The declaration of a member or element of this shape.
    var declaration: SettingDeclaration {
        if case .declared(let declaration) = self { declaration } else { SettingDeclaration(self) }
    }

    /// The shape of a child; nil if the shape says nothing about it.
    func child(at step: PathStep) -> ValueShape? {
        switch (wrapped, step) {
        case (.array(let element), .index): element
        case (.dictionary(let member), .key), (.dictionary(let member), .twin): member
        case (.record(let fields), .key(let name)), (.record(let fields), .twin(let name, _)):
            fields[name]?.shape
        default: nil
        }
    }

    /// Whether a part of a value must not be shown.
    var hasSecret: Bool {
        switch self {
        case .declared(let declaration): declaration.isSecret || declaration.shape.hasSecret
        case .optional(let shape), .array(let shape), .dictionary(let shape): shape.hasSecret
        case .record(let fields): fields.values.contains { $0.shape.hasSecret }
        default: false
        }
    }
}

extension SettingDeclaration {
    /// The declaration as the shape of a member or element.
    var asShape: ValueShape { self == SettingDeclaration(shape) ? shape : .declared(self) }
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
    /// A regular expression (ECMA-262) that has to match a part of the string. One that Swift can't read forbids nothing.
    public var pattern: String?

    public init(format: Format? = nil, length: Bounds<Int> = Bounds(), pattern: String? = nil) {
        self.format = format
        self.length = length
        self.pattern = pattern
    }
}
