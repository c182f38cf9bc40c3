// `refusal(of:)` encodes the value, which takes longer than everything else that a set does. Almost all values are small
// and simple, and every storage accepts those, so only the others are encoded. Without this, each set of a property
// would encode its value twice.

import PropertyList

extension SettingsSuite {
    /// ``refusal(of:forKey:)`` for values that a storage might refuse; nil at once for values that every storage
    /// accepts.
    package func refusalOfUnusual(_ value: PropertyListValue, forKey key: String) -> SettingsError? {
        !storesJSON && isUsual(key) && isUsual(value, depth: 0) ? nil : refusal(of: value, forKey: key)
    }
}

/// A usual value is smaller than this. The exact numbers do not matter, as long as no storage refuses such a value.
private let usualDepth = 3
private let usualCount = 16
private let usualSize = 1000

private func isUsual(_ value: PropertyListValue, depth: Int) -> Bool {
    if depth > usualDepth { return false }
    return switch value {
    case .boolean, .integer, .real: true
    case .data(let data): data.count <= usualSize
    case .string(let text): isUsual(text)
    case .array(let elements):
        elements.count <= usualCount && elements.allSatisfy { isUsual($0, depth: depth + 1) }
    case .dictionary(let members):
        members.count <= usualCount
            && members.allSatisfy { isUsual($0.key) && isUsual($0.value, depth: depth + 1) }
    case .date, .uid, .null, .number: false
    }
}

/// Whether the text is short and has no control characters, U+FFFE or U+FFFF, which XML refuses. The UTF-8 bytes of the
/// last two begin with 0xEF.
private func isUsual(_ text: String) -> Bool {
    text.utf8.count <= usualSize && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0xEF }
}
