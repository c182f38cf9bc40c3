public import PropertyList

/// What a program says about one of its settings: what it is for, and which values it takes.
public struct SettingDeclaration: Sendable, Hashable {
    public var shape: ValueShape
    /// Of JSON in data what is in it; nil where that is not told.
    public var content: ValueShape?
    /// The only values there are; empty where the shape alone decides.
    public var cases: [SettingCase]
    /// What shows while nothing is stored; nil where that is nothing, or is not told.
    public var defaultValue: PropertyListValue?
    /// A few words for people.
    public var title: String?
    /// A sentence or more about what the setting does.
    public var help: String?
    /// Whether the value is not to be shown: a password, a token.
    public var isSecret: Bool
    /// What to use instead of a setting that is going to be given up: a sentence, which may be empty.
    /// Nil where it is not.
    public var deprecation: String?
    /// Names that the setting had before.
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

/// One of the values that a setting can have.
public struct SettingCase: Sendable, Hashable {
    public var value: PropertyListValue
    /// What people call it, where the value does not say it.
    public var title: String?

    public init(_ value: PropertyListValue, title: String? = nil) {
        self.value = value
        self.title = title
    }
}

extension SettingDeclaration {
    /// The same setting as another declaration in the program says it: this one comes first, the other
    /// one fills in what is not said here.
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
    /// What both take, for two of one kind.
    package func narrowed(by other: ValueShape) -> ValueShape {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): .integer(a.narrowed(by: b))
        case (.real(let a), .real(let b)): .real(a.narrowed(by: b))
        case (.date(let a), .date(let b)): .date(a.narrowed(by: b))
        case (.string(let a), .string(let b)):
            .string(StringShape(format: a.format ?? b.format, length: a.length.narrowed(by: b.length)))
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
