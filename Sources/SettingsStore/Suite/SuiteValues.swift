import PropertyList

/// The values of a suite in memory, and whether its content could be read. Part of ``SuiteState``.
///
/// This type decides where a value comes from: an argument of the process, the stored value, a registered default, or the
/// default of a property, in this order. It does not know which values are pending.
struct SuiteValues {
    /// The stored values, with the pending ones in their place.
    private(set) var stored = PropertyListEntries()
    /// Defaults that the program has registered.
    private(set) var registered: [String: PropertyListValue] = [:]
    /// Defaults that properties declare. They count for keys without a registered default.
    private var declaredDefaults: [String: PropertyListValue] = [:]
    /// The process's arguments, for keys that it has not set.
    private(set) var arguments: [String: PropertyListValue] = [:]

    /// Whether the storage was read, even without success.
    private(set) var isLoaded = false
    /// Whether the storage was read with success, or the suite has a copy of its content.
    private(set) var hasBeenRead = false
    /// Whether the suite exists, even if it is empty.
    private(set) var exists = false
    /// Why the content could not be read.
    private(set) var contentError: SettingsError? { didSet { hasOutage = contentError?.isOutage == true } }
    /// Whether the storage was out of reach when it was last used. Kept apart from the error, because each set asks for it.
    private(set) var hasOutage = false
    /// Why this process can't write, as the storage last said it.
    var readOnlyReason: String?
}

// MARK: - Looking up values

extension SuiteValues {
    mutating func value(forKey key: String) -> PropertyListValue? {
        if !arguments.isEmpty, let argument = arguments[key] { return argument }
        return stored.valueAskedFor(key) ?? registered[key] ?? declaredDefaults[key]
    }

    mutating func storedValue(forKey key: String) -> PropertyListValue? { stored.valueAskedFor(key) }

    /// All defaults that a reader of the suite finds.
    var defaults: [String: PropertyListValue] { declaredDefaults.merging(registered) { $1 } }

    /// Whether there is anything that a reading could differ from.
    var isKnown: Bool { isLoaded || !stored.isEmpty }
}

// MARK: - Defaults and arguments

extension SuiteValues {
    mutating func adopt(arguments: [String: PropertyListValue]) { self.arguments = arguments }

    /// The first registration of a key counts.
    ///
    /// - Returns: the keys that were registered before with another value, sorted.
    mutating func register(_ defaults: [String: PropertyListValue]) -> [String] {
        var differing: [String] = []
        for (key, value) in defaults {
            if let first = registered[key] {
                if first != value { differing.append(key) }
            } else {
                registered[key] = value
            }
        }
        return differing.sorted()
    }

    /// The first declaration of a key counts, and is returned.
    mutating func declareDefault(_ value: PropertyListValue, forKey key: String) -> PropertyListValue {
        if let first = declaredDefaults[key] { return first }
        declaredDefaults[key] = value
        return value
    }
}

// MARK: - Changing values

extension SuiteValues {
    /// A value that this process sets. From now on the key's argument does not count.
    ///
    /// - Returns: the previous value.
    mutating func set(_ value: PropertyListValue?, forKey key: String) -> PropertyListValue? {
        if !arguments.isEmpty { arguments[key] = nil }
        return replace(value, forKey: key)
    }

    /// A value that the storage has.
    ///
    /// - Returns: the previous value.
    mutating func replace(_ value: PropertyListValue?, forKey key: String) -> PropertyListValue? {
        let old = stored[key]
        stored[key] = value
        return old
    }

    /// The first reading, which needs no comparison.
    mutating func adoptAll(_ values: PropertyListEntries) { stored = values }
}

// MARK: - Knowing the content

extension SuiteValues {
    mutating func readingSucceeded(exists: Bool, outage: SettingsError?) {
        self.exists = exists
        contentError = outage
        isLoaded = true
        hasBeenRead = true
    }

    mutating func readingFailed(_ error: SettingsError) {
        contentError = error
        isLoaded = true
    }

    /// A write found that the content can't be read or reached.
    mutating func writingFailed(_ error: SettingsError) {
        switch error {
        case .unreadable, .notAFile, .unreachable, .unconfirmed, .unfinished: contentError = error
        default: break
        }
    }

    /// Unreadable content was set aside.
    mutating func recovered(exists: Bool) {
        contentError = nil
        self.exists = exists
        isLoaded = true
        hasBeenRead = true
    }

    mutating func noteExistence(after action: StorageWrite.SuiteAction) {
        switch action {
        case .keep: break
        case .create: exists = true
        case .remove: exists = !stored.isEmpty
        }
    }

    /// A value is stored, so the suite exists.
    mutating func noteStoredValue() { exists = true }

    /// A forked child reads the values again when it first uses them.
    mutating func forget() { isLoaded = false }
}
