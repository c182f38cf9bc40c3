import PropertyList

/// Changes that take place together, if the values that they rest on are still there.
struct ConditionalWrite: Sendable {
    let changes: [String: PropertyListValue?]
    let expected: [String: PropertyListValue?]
    let origin: ChangeOrigin
    /// Unless it stays, nothing else may be stored than what is expected.
    var whole = StorageWrite.Whole.stays
    /// Likewise, though it stays.
    var expectsAll = false

    /// What is there instead of what was expected; nil where all is as expected.
    func conflict(with values: PropertyListEntries) -> SettingsError? {
        var differing = Set(expected.filter { values[$0.key] != $0.value }.keys)
        var expectsAll = expectsAll
        if case .stays = whole {} else { expectsAll = true }
        if expectsAll { differing.formUnion(values.keys.filter { !expected.keys.contains($0) }) }
        if differing.isEmpty { return nil }
        let current = differing.map { ($0, values[$0]) }
        return .conflict(current: Dictionary(uniqueKeysWithValues: current))
    }
}
