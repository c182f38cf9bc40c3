import PropertyList

/// Changes that are made together, if the values that the decision was based on are still stored. Without the condition,
/// two programs that count in one key would lose counts.
struct ConditionalWrite: Sendable {
    let changes: [String: PropertyListValue?]
    let expected: [String: PropertyListValue?]
    let origin: ChangeOrigin
    /// If the suite is created or removed, no other key than the expected ones may be stored.
    let action: StorageWrite.SuiteAction

    init(
        changes: [String: PropertyListValue?],
        expected: [String: PropertyListValue?],
        origin: ChangeOrigin,
        action: StorageWrite.SuiteAction = .keep
    ) {
        self.changes = changes.mapValues { $0?.withOwnData }
        (self.expected, self.origin, self.action) = (expected, origin, action)
    }

    /// The values that differ from the expected ones, as an error; nil if there are none.
    func conflict(with values: PropertyListEntries) -> SettingsError? {
        var differing = Set(expected.filter { values[$0.key] != $0.value }.keys)
        switch action {
        case .keep: break
        case .create, .remove: differing.formUnion(values.keys.filter { !expected.keys.contains($0) })
        }
        if differing.isEmpty { return nil }
        let current = differing.map { ($0, values[$0]) }
        return .conflict(current: Dictionary(uniqueKeysWithValues: current))
    }
}
