public import PropertyList

/// The declared settings of a suite.
///
/// The declarations are stored as JSON Schema (2020-12) beside the suite. ``SettingsSuite/readSchema()`` reads them.
public struct SuiteSchema: Sendable, Hashable {
    /// By key.
    public var declarations: [String: SettingDeclaration]

    public init(_ declarations: [String: SettingDeclaration] = [:]) { self.declarations = declarations }

    public var isEmpty: Bool { declarations.isEmpty }

    /// The keys whose values must not be shown, also under their old names.
    public var secretKeys: Set<String> {
        var keys: Set<String> = []
        for (key, declaration) in declarations where declaration.isSecret {
            keys.insert(key)
            keys.formUnion(declaration.oldKeys.filter { declarations[$0] == nil })
        }
        return keys
    }

    /// The declaration of a key, or of a member or element inside its values; nil if there is none.
    public func declaration(at path: ValuePath) -> SettingDeclaration? {
        guard case .key(let key)? = path.steps.first, var found = declarations[key] else { return nil }
        for step in path.steps.dropFirst() {
            guard let shape = found.shape.child(at: step) else { return nil }
            found = shape.declaration
        }
        return found
    }

    /// - Parameter old: The value that is replaced. Members and elements that are equal in it are not checked.
    /// - Throws: why the key can't have the value. A key without a declaration can have any.
    public func validate(
        _ value: PropertyListValue,
        forKey key: String,
        replacing old: PropertyListValue? = nil
    ) throws(InvalidValueError) {
        if let problem = declarations[key]?.problem(with: value, replacing: old) {
            throw InvalidValueError(key: key, problem: problem)
        }
    }
}

/// Why a declared setting can't have a value.
public struct InvalidValueError: Error, Sendable, Hashable {
    public let key: String
    /// A sentence without its full stop.
    public let problem: String

    public init(key: String, problem: String) {
        self.key = key
        self.problem = problem
    }
}

extension InvalidValueError: CustomStringConvertible {
    public var description: String {
        "“\(MessageText.name(key))” can't have this value: \(MessageText.escaped(problem))"
    }
}
