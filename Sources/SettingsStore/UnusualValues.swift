import PropertyList

extension SettingsSuite {
    /// ``refusal(of:forKey:)``, which waits for a commit under way, for what some file or service may have no
    /// place for: nil at once for values that all have.
    package func refusalOfUnusual(_ value: PropertyListValue, forKey key: String) -> SettingsError? {
        isUsual(key) && isUsual(value, depth: 0) ? nil : refusal(of: value, forKey: key)
    }
}

private func isUsual(_ value: PropertyListValue, depth: Int) -> Bool {
    if depth > 3 { return false }
    return switch value {
    case .boolean, .integer, .real: true
    case .data(let data): data.count <= 1000
    case .string(let text): isUsual(text)
    case .array(let elements): elements.count <= 16 && elements.allSatisfy { isUsual($0, depth: depth + 1) }
    case .dictionary(let entries):
        entries.count <= 16 && entries.allSatisfy { isUsual($0.key) && isUsual($0.value, depth: depth + 1) }
    case .date, .uid: false
    }
}

/// Whether it is short and without control characters, and U+FFFE and U+FFFF, which begin with 0xEF.
private func isUsual(_ text: String) -> Bool {
    text.utf8.count <= 1000 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0xEF }
}
