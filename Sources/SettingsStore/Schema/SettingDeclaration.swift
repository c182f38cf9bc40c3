public import PropertyList

/// A program's description of one of its settings: its purpose and its values.
public struct SettingDeclaration: Sendable, Hashable {
    public var shape: ValueShape
    /// The only allowed values; empty if all values of the shape are allowed.
    public var cases: [SettingCase]
    /// The value of a key without a stored value; nil if there is none, or if the program does not declare it.
    public var defaultValue: PropertyListValue?
    /// A short name for people.
    public var title: String?
    /// A description of the setting, in one or more sentences.
    public var help: String?
    /// Whether the value must not be shown, as for a password or a token.
    public var isSecret: Bool
    /// A sentence, which may be empty, that says what to use instead of a deprecated setting; nil if the setting is not
    /// deprecated.
    public var deprecation: String?
    /// Previous names of the setting.
    public var oldKeys: [String]

    public init(
        _ shape: ValueShape,
        cases: [SettingCase] = [],
        defaultValue: PropertyListValue? = nil,
        title: String? = nil,
        help: String? = nil,
        isSecret: Bool = false,
        deprecation: String? = nil,
        oldKeys: [String] = []
    ) {
        self.shape = shape
        self.cases = cases
        self.defaultValue = defaultValue
        self.title = title
        self.help = help
        self.isSecret = isSecret
        self.deprecation = deprecation
        self.oldKeys = oldKeys
    }
}

/// One of the allowed values of a setting.
public struct SettingCase: Sendable, Hashable {
    public var value: PropertyListValue
    /// A name for people; nil if the value speaks for itself.
    public var title: String?

    public init(_ value: PropertyListValue, title: String? = nil) {
        self.value = value
        self.title = title
    }
}

extension SettingDeclaration {
    /// Combines two declarations of the same setting. The other one adds what this one does not say.
    func completed(by other: SettingDeclaration) -> SettingDeclaration {
        var both = self
        if shape.kind == other.shape.kind {
            both.shape = shape.narrowed(by: other.shape)
            if cases.isEmpty { both.cases = other.cases }
        }
        both.defaultValue = defaultValue ?? other.defaultValue
        both.title = title ?? other.title
        both.help = help ?? other.help
        both.isSecret = isSecret || other.isSecret
        both.deprecation = deprecation ?? other.deprecation
        both.oldKeys = oldKeys + other.oldKeys.filter { !oldKeys.contains($0) }
        return both
    }
}

extension ValueShape {
    /// The values that both shapes allow, if they have the same kind. Of two patterns, the first counts.
    package func narrowed(by other: ValueShape) -> ValueShape {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): .integer(a.narrowed(by: b))
        case (.real(let a), .real(let b)): .real(a.narrowed(by: b))
        case (.date(let a), .date(let b)): .date(a.narrowed(by: b))
        case (.string(let a), .string(let b)):
            .string(
                StringShape(
                    format: a.format ?? b.format,
                    length: a.length.narrowed(by: b.length),
                    pattern: a.pattern ?? b.pattern
                )
            )
        case (.record(let a), .record(let b)): .record(a.merging(b) { first, _ in first })
        case (.optional(let a), .optional(let b)): .optional(a.narrowed(by: b))
        case (.optional(let a), _): a.narrowed(by: other)
        case (_, .optional(let b)): narrowed(by: b)
        default: self
        }
    }
}

extension Bounds {
    fileprivate func narrowed(by other: Bounds) -> Bounds {
        var both = self
        if let lower = other.lower, self.lower.map({ lower > $0 }) ?? true {
            (both.lower, both.excludesLower) = (lower, other.excludesLower)
        }
        if let upper = other.upper, self.upper.map({ upper < $0 }) ?? true {
            (both.upper, both.excludesUpper) = (upper, other.excludesUpper)
        }
        return both
    }
}
