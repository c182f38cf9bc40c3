import PropertyList

/// The values of a suite in memory, and whether its content could be read. Part of ``SuiteState``.
///
/// This type decides where a value comes from: from the highest layer that has the key (``SettingsLayer``). It does not
/// know which values are pending.
struct SuiteValues {
    /// The stored values, with the pending ones in their place.
    private(set) var stored = PropertyListEntries()
    /// Defaults that the program has registered.
    private(set) var registered: [String: PropertyListValue] = [:]
    /// Defaults that properties declare. They count for keys without a registered default.
    private var declaredDefaults: [String: PropertyListValue] = [:]
    /// The process's arguments, for keys that it has not set.
    private(set) var arguments: [String: PropertyListValue] = [:] { didSet { updateIsLayered() } }
    /// The files of the other layers.
    private(set) var layers = LayerValues() { didSet { updateIsLayered() } }
    /// Whether the files of the other layers were read.
    private(set) var knowsLayers = false
    /// The files of the other layers that could not be used.
    private(set) var layerProblems: [LayerProblem] = []
    /// Whether any layer besides the user's has values. Kept apart, because each reading asks for it.
    private(set) var isLayered = false

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
        let value = isLayered ? layeredValue(forKey: key)?.value : stored.valueAskedFor(key)
        return value ?? registered[key] ?? declaredDefaults[key]
    }

    /// The value that programs read, without the defaults of this process.
    func layeredValue(forKey key: String) -> LayeredValue? {
        func own() -> LayeredValue? { stored[key].map { LayeredValue(value: $0, layer: .user) } }
        if !isLayered { return own() }
        return layers.lockedValue(forKey: key)
            ?? arguments[key].map { LayeredValue(value: $0, layer: .arguments) }
            ?? layers.higherValue(forKey: key) ?? own() ?? layers.lowerValue(forKey: key)
    }

    /// All layers that have the key, the highest first.
    ///
    /// - Parameters:
    ///   - location: the location of the user's layer.
    ///   - declared: the default of the key's declaration.
    func sources(forKey key: String, location: String, declared: PropertyListValue?) -> [SettingSource] {
        var found: [(layer: SettingsLayer, location: String?, value: PropertyListValue?)] =
            layers.files.map { ($0.layer, $0.location, $0.values[key]) }
        found += [
            (.arguments, nil, arguments[key]), (.user, location, stored[key]),
            (.registered, nil, registered[key]), (.declared, nil, declaredDefaults[key] ?? declared),
        ]
        var sources: [SettingSource] = []
        for layer in SettingsLayer.allCases {
            for source in found where source.layer == layer {
                guard let value = source.value else { continue }
                sources.append(
                    SettingSource(
                        layer: layer,
                        location: source.location,
                        value: value,
                        isLocking: layer == .mandatory,
                        isEffective: sources.isEmpty
                    )
                )
            }
        }
        return sources
    }

    /// The values that programs read, without the defaults of this process.
    var layeredValues: [String: PropertyListValue] {
        if !isLayered { return [String: PropertyListValue](stored) }
        var keys = Set(stored.keys).union(arguments.keys)
        for file in layers.files { keys.formUnion(file.values.keys) }
        var values: [String: PropertyListValue] = [:]
        for key in keys { values[key] = layeredValue(forKey: key)?.value }
        return values
    }

    private mutating func updateIsLayered() { isLayered = !arguments.isEmpty || !layers.isEmpty }

    mutating func storedValue(forKey key: String) -> PropertyListValue? { stored.valueAskedFor(key) }

    /// All defaults that a reader of the suite finds.
    var defaults: [String: PropertyListValue] { declaredDefaults.merging(registered) { $1 } }
}

// MARK: - Defaults and arguments

extension SuiteValues {
    mutating func adopt(arguments: [String: PropertyListValue]) { self.arguments = arguments }

    mutating func adopt(_ layers: LayerValues, _ problems: [LayerProblem]) {
        self.layers = layers
        layerProblems = problems
        knowsLayers = true
    }

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
    /// A change of the user's layer.
    struct Replaced {
        let old: PropertyListValue?
        let new: PropertyListValue?
        /// The change of the value that programs read; nil if it is the same.
        let layered: LayeredChange?
    }

    /// A value that this process sets. From now on the key's argument does not count.
    mutating func set(_ value: PropertyListValue?, forKey key: String) -> Replaced {
        if !isLayered { return replaceOnlyLayer(value, forKey: key) }
        let before = layeredValue(forKey: key)
        if !arguments.isEmpty { arguments[key] = nil }
        return replace(value, forKey: key, before)
    }

    /// A value that the storage has.
    mutating func replace(_ value: PropertyListValue?, forKey key: String) -> Replaced {
        if !isLayered { return replaceOnlyLayer(value, forKey: key) }
        return replace(value, forKey: key, layeredValue(forKey: key))
    }

    private mutating func replaceOnlyLayer(_ value: PropertyListValue?, forKey key: String) -> Replaced {
        let old = stored[key]
        stored[key] = value
        return Replaced(old: old, new: value, layered: nil)
    }

    private mutating func replace(
        _ value: PropertyListValue?,
        forKey key: String,
        _ before: LayeredValue?
    ) -> Replaced {
        let own = replaceOnlyLayer(value, forKey: key)
        let layered = LayeredChange(old: before, new: layeredValue(forKey: key))
        return Replaced(old: own.old, new: value, layered: layered)
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
        case .unreadable, .notAFile, .unreachable, .unconfirmed: contentError = error
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
}
