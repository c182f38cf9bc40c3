import SettingsStore

/// Which of a suite's values are not shown until the user asks for one.
struct Secrets: Sendable, Hashable {
    /// Declared secret at any time since the editor was opened: what was hidden once does not show since a
    /// declaration went.
    private var keys: Set<String>
    /// Why what is declared can't be read; nil where it can. Nobody knows then which keys are secrets, so that
    /// all are taken for them.
    var doubt: String?
    /// What the user wants to see.
    private var revealed: Set<String> = []

    init(_ keys: Set<String> = []) { self.keys = keys }

    func contains(_ key: String) -> Bool { doubt != nil || keys.contains(key) }

    /// Whether a key's value is not to be shown.
    func hides(_ key: String) -> Bool { contains(key) && !revealed.contains(key) }

    /// Takes keys for secrets for good.
    mutating func insert(_ more: some Sequence<String>) { keys.formUnion(more) }

    /// Shows a value, or hides it again.
    mutating func toggle(_ key: String) { if revealed.remove(key) == nil { revealed.insert(key) } }

    /// The keys that are secrets where a suite is made that holds the same under these.
    func copied(with keys: some Sequence<String>) -> Set<String> { self.keys.union(keys.filter(contains)) }

    /// The same, with nothing revealed; nil where there is nothing to hide.
    var hidden: Secrets? {
        var hidden = self
        hidden.revealed = []
        return hidden == Secrets() ? nil : hidden
    }

    /// The keys of which one hides the value and the other does not.
    ///
    /// - Parameter all: the keys that there are, for where any may be one.
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
    /// Takes over what is not to be shown of what was declared, and nothing else.
    ///
    /// - Parameter problem: why nobody knows what is declared.
    mutating func learnSecrets(of schema: SuiteSchema, problem: String? = nil) {
        var secrets = secrets
        secrets.insert(schema.secretKeys)
        secrets.doubt = problem
        self.secrets = secrets
    }

    /// Takes a key for a secret that has another's value, or had it under another name.
    mutating func keepSecret(_ key: String) { secrets.insert([key]) }

    /// Whether a key's value is not to be shown.
    func hides(_ key: String) -> Bool { secrets.hides(key) }

    /// Shows a secret value, or hides it again.
    mutating func toggleSecret(_ key: String) { secrets.toggle(key) }
}
