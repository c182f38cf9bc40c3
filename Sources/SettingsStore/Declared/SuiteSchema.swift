public import PropertyList

/// The settings that the programs of a suite have declared.
///
/// It is kept as JSON Schema (2020-12) beside the suite's file, for ``SettingsSuite/readSchema()``.
public struct SuiteSchema: Sendable, Hashable {
    /// By key.
    public var declarations: [String: SettingDeclaration]

    public init(_ declarations: [String: SettingDeclaration] = [:]) { self.declarations = declarations }

    public var isEmpty: Bool { declarations.isEmpty }

    /// The keys whose values are not to be shown, by the names that they had before, too.
    public var secretKeys: Set<String> {
        var keys: Set<String> = []
        for (key, declaration) in declarations where declaration.isSecret {
            keys.insert(key)
            keys.formUnion(declaration.oldKeys.filter { declarations[$0] == nil })
        }
        return keys
    }

    /// - Throws: why the key can't have the value. Keys that nobody declared take any.
    public func validate(_ value: PropertyListValue, forKey key: String) throws(InvalidValueError) {
        if let problem = declarations[key]?.problem(with: value) {
            throw InvalidValueError(key: key, problem: problem)
        }
    }
}

/// Why a value is none that a declared setting can have.
public struct InvalidValueError: Error, Sendable, Hashable {
    public let key: String
    /// What is wrong; a sentence without its full stop.
    public let problem: String

    public init(key: String, problem: String) {
        self.key = key
        self.problem = problem
    }
}

extension InvalidValueError: CustomStringConvertible {
    public var description: String { "“\(key)” can't have this value: \(problem)" }
}
