import SettingsStore

/// The values of a suite that are hidden until the user asks for one.
struct Secrets: Sendable, Hashable {
    /// The keys that were declared secret at any time. They stay secret after the declaration is removed.
    private var keys: Set<String>
    /// Why the declarations cannot be read; nil if they can. Without declarations every key counts as secret.
    var doubt: String?
    /// The keys whose values the user wants to see.
    private var revealed: Set<String> = []

    init(_ keys: Set<String> = []) { self.keys = keys }

    func contains(_ key: String) -> Bool { doubt != nil || keys.contains(key) }

    /// Whether any value may be secret.
    var mayHide: Bool { doubt != nil || !keys.isEmpty }

    /// Whether a key's value is hidden.
    func hides(_ key: String) -> Bool { contains(key) && !revealed.contains(key) }

    /// Makes keys secret for good.
    mutating func insert(_ more: some Sequence<String>) { keys.formUnion(more) }

    /// Shows or hides a value.
    mutating func toggle(_ key: String) { if revealed.remove(key) == nil { revealed.insert(key) } }

    /// The secret keys, for a copy of the suite.
    func copied(with keys: some Sequence<String>) -> Set<String> { self.keys.union(keys.filter(contains)) }

    /// The same without revealed keys; nil if nothing is secret.
    var hidden: Secrets? {
        var hidden = self
        hidden.revealed = []
        return hidden == Secrets() ? nil : hidden
    }

    /// The keys that are hidden in only one of the two.
    ///
    /// - Parameter all: All existing keys, which matter if every key is secret.
    func differences(from other: Secrets, among all: () -> some Sequence<String>) -> [String] {
        if self == other { return [] }
        if doubt == nil, other.doubt == nil {
            let candidates = keys.symmetricDifference(other.keys)
                .union(revealed.symmetricDifference(other.revealed))
            return candidates.filter { hides($0) != other.hides($0) }
        }
        return all().filter { hides($0) != other.hides($0) }
    }
}

extension SuiteModel {
    /// Learns the secrets of a schema, and nothing else.
    ///
    /// - Parameter problem: Why the declarations cannot be read.
    mutating func learnSecrets(of schema: SuiteSchema, problem: String? = nil) {
        var secrets = secrets
        secrets.insert(schema.secretKeys)
        secrets.doubt = problem
        self.secrets = secrets
    }

    /// Makes a key secret that got the value of a secret key, or was one under another name.
    mutating func keepSecret(_ key: String) { secrets.insert([key]) }

    /// Whether a key's value is hidden.
    func hides(_ key: String) -> Bool { secrets.hides(key) }

    /// Shows or hides a secret.
    mutating func toggleSecret(_ key: String) { secrets.toggle(key) }
}
