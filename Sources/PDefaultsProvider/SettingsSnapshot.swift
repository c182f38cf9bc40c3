#if Configuration
import Configuration
import PropertyList
import SettingsStore

/// All values of a suite at one moment, with what was known of its secrets then.
struct SettingsSnapshot: ConfigSnapshot {
    let providerName: String
    let location: String
    /// Whether the values have the forms of JSON, in which data is Base64 for example.
    let storesJSON: Bool
    let values: SuiteSnapshot
    let secrets: SecretKeys

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        try lookUp(key, type).get()
    }

    /// - Throws: why the value can't be read as the type, or why the suite could not be read.
    func lookUp(_ key: AbsoluteConfigKey, _ type: ConfigType) -> Result<LookupResult, PDefaultsProviderError>
    {
        let name = key.components.joined(separator: ".")
        func failure(_ reason: String) -> Result<LookupResult, PDefaultsProviderError> {
            .failure(PDefaultsProviderError(key: name, location: location, reason: reason))
        }
        // Null in a JSON file is no value.
        guard let (found, isArgument) = find(key.components), found != .null else {
            // A suite that was never read may have the key.
            if let error = values.contentError, !values.hasBeenRead { return failure(error.reason) }
            return .success(LookupResult(encodedKey: name, value: nil))
        }
        let value = storesJSON && !isArgument ? type.shape.value(ofJSONForm: found) : found
        guard let content = value.content(as: type, isArgument: isArgument) else {
            return failure(value.reasonNotToConvert(to: type, isArgument: isArgument))
        }
        let result = ConfigValue(content, isSecret: secrets.contain(key.components))
        return .success(LookupResult(encodedKey: name, value: result))
    }

    /// Searches one layer after the other. A key counts only in the highest layer that has it: dictionaries are not
    /// merged.
    private func find(_ components: [String]) -> (value: PropertyListValue, isArgument: Bool)? {
        let lookups = values.lookups
        for (index, lookup) in lookups.enumerated() {
            let higher = lookups[..<index]
            let found = find(components[...]) { key in
                higher.contains { $0.value(key) != nil } ? nil : lookup.value(key)
            }
            if let found { return (found, lookup.layer == .arguments) }
        }
        return nil
    }

    /// Finds `a.b.c` as the key `a.b.c`, as member `c` of the dictionary `a.b`, and as what `b.c` finds in the dictionary
    /// `a`, in this order: the longest key wins. Each dictionary is searched once at most.
    private func find(_ components: ArraySlice<String>, _ member: (String) -> PropertyListValue?)
        -> PropertyListValue?
    {
        for count in stride(from: components.count, to: 0, by: -1) {
            guard let value = member(components.prefix(count).joined(separator: ".")) else { continue }
            let rest = components.dropFirst(count)
            if rest.isEmpty { return value }
            if case .dictionary(let members) = value, let found = find(rest, { members[$0] }) {
                return found
            }
        }
        return nil
    }

    /// Whether every lookup has the same result in both.
    func isSame(as other: SettingsSnapshot) -> Bool {
        values.lastChange == other.values.lastChange && values.contentError == other.values.contentError
            && values.hasBeenRead == other.values.hasBeenRead && secrets == other.secrets
    }
}

extension ConfigType {
    /// The shape of the values of this type. Only data looks different in a JSON file.
    fileprivate var shape: ValueShape {
        switch self {
        case .string, .int, .double, .bool: .anything
        case .bytes: .data
        case .stringArray, .intArray, .doubleArray, .boolArray: .array(of: .anything)
        case .byteChunkArray: .array(of: .data)
        }
    }
}

extension SettingsSnapshot: CustomStringConvertible {
    var description: String { "\(providerName)[\(values.stored.count) values]" }
}
#endif
