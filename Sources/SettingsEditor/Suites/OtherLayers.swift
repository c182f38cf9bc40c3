import PropertyList
import SettingsStore

/// The layers of a suite besides the user's own.
///
/// Problem: a program reads a value from the highest layer that has its key, and only one of these layers is the user's.
/// Approach: the store reports the other layers as a whole. A row shows the effective value, and knows its layer. Without
/// this type, the editor would show a value that no program sees, and would offer to edit it.
public struct OtherLayers: Sendable, Equatable {
    /// One file with values.
    public struct File: Sendable, Equatable {
        public let layer: SettingsLayer
        /// The path of the file.
        public let location: String
        public let values: PropertyListEntries

        public init(layer: SettingsLayer, location: String, values: PropertyListEntries) {
            (self.layer, self.location, self.values) = (layer, location, values)
        }
    }

    /// The value of a key in one file.
    struct Source: Sendable, Equatable {
        let layer: SettingsLayer
        let location: String
        let value: PropertyListValue
    }

    /// The files that have values, the highest layer first.
    public let files: [File]
    /// The files that could not be used.
    public let problems: [LayerProblem]

    public init(_ files: [File] = [], problems: [LayerProblem] = []) {
        (self.files, self.problems) = (files, problems)
    }

    var isEmpty: Bool { files.isEmpty }

    var keys: Set<String> { files.reduce(into: []) { $0.formUnion($1.values.keys) } }

    /// All values of a key, the highest layer first.
    func sources(ofKey key: String) -> [Source] {
        files.compactMap { file in
            file.values[key].map { Source(layer: file.layer, location: file.location, value: $0) }
        }
    }

    /// The value that hides the user's own, if there is one.
    func override(ofKey key: String) -> Source? {
        if files.isEmpty { return nil }
        return sources(ofKey: key).first { $0.layer > .user }
    }

    /// The value that counts if the user has none.
    func inherited(_ key: String) -> Source? {
        if files.isEmpty { return nil }
        return sources(ofKey: key).first { $0.layer < .user }
    }
}

extension SettingsLayer {
    /// The layer as a word or two after a value.
    var name: String {
        switch self {
        case .mandatory: "locked"
        case .global: "all programs"
        case .siteGlobal: "site, all programs"
        default: rawValue
        }
    }
}

extension SuiteModel {
    /// Why the user cannot change a key. Nil if the user can.
    func refusal(ofChanging key: String) -> Refusal? {
        guard let source = otherLayers.override(ofKey: key) else { return nil }
        if source.layer == .mandatory {
            return Refusal("“\(key)” is locked by \(source.location). Only the administrator can change it.")
        }
        return Refusal("“\(key)” has a value for this host in \(source.location), which hides yours.")
    }

    /// Stores the other layers. Returns the changes that rows show.
    mutating func take(_ layers: OtherLayers, now: Double) -> [Change] {
        if layers == otherLayers { return [] }
        guard contents == .loaded else {
            otherLayers = layers
            return []
        }
        let keys = otherLayers.keys.union(layers.keys)
        let before = Dictionary(uniqueKeysWithValues: keys.map { ($0, effectiveValue(forKey: $0)) })
        otherLayers = layers
        var changes: [Change] = []
        for key in keys.sorted() {
            let (old, new) = (before[key] ?? nil, effectiveValue(forKey: key))
            if old == new { continue }
            highlights.add(key, before: old.map(ValueNode.init), after: new, now: now)
            changes.append(Change(key: key, old: old, new: new, origin: .otherProcess, sequence: 0))
        }
        updateRows(keys)
        return changes
    }

    /// The value that programs see, as far as files have one.
    func effectiveValue(forKey key: String) -> PropertyListValue? {
        otherLayers.override(ofKey: key)?.value ?? value(forKey: key) ?? otherLayers.inherited(key)?.value
    }
}
