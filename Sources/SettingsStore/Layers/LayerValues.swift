import PropertyList

/// A value and the layer that it comes from.
package struct LayeredValue: Sendable, Hashable {
    package let value: PropertyListValue
    package let layer: SettingsLayer

    package init(value: PropertyListValue, layer: SettingsLayer) {
        self.value = value
        self.layer = layer
    }
}

/// A change of the value that programs read.
struct LayeredChange: Sendable {
    let old: LayeredValue?
    let new: LayeredValue?

    /// Whether programs read another value.
    var isVisible: Bool { old?.value != new?.value }

    /// Whether programs read an equal value of another layer.
    var changesOnlyLayer: Bool { !isVisible && old?.layer != new?.layer }
}

/// The values of the layers around a suite at one moment, without those of the suite itself and of this process.
package struct LayerValues: Sendable {
    package struct File: Sendable {
        package let layer: SettingsLayer
        package let location: String
        package let values: PropertyListEntries
    }

    /// The files that have values, the highest layer first.
    package private(set) var files: [File] = []
    /// The number of mandatory files.
    private var lockCount = 0
    /// The number of files above the user's layer.
    private var higherCount = 0

    package init() {}

    init(_ files: [File]) {
        self.files = files
        lockCount = files.count { $0.layer == .mandatory }
        higherCount = files.count { $0.layer > .user }
    }

    package var isEmpty: Bool { files.isEmpty }

    package var hasLocks: Bool { lockCount > 0 }

    /// The path of the file that locks the key; nil if none does.
    package func lock(ofKey key: String) -> String? {
        files[..<lockCount].first { $0.values[key] != nil }?.location
    }

    /// Why these changes are not allowed; nil if they are. A removal is always allowed.
    package func refusal(of changes: [String: PropertyListValue?]) -> SettingsError? {
        if !hasLocks { return nil }
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) where value != nil {
            if let lock = lock(ofKey: key) { return .locked(key: key, by: lock) }
        }
        return nil
    }

    func lockedValue(forKey key: String) -> LayeredValue? { first(files[..<lockCount], key) }

    /// The value of a layer between the locks and the user's layer, without the arguments.
    func higherValue(forKey key: String) -> LayeredValue? { first(files[lockCount..<higherCount], key) }

    /// The value of a layer below the user's layer.
    func lowerValue(forKey key: String) -> LayeredValue? { first(files[higherCount...], key) }

    private func first(_ files: ArraySlice<File>, _ key: String) -> LayeredValue? {
        for file in files {
            if let value = file.values[key] { return LayeredValue(value: value, layer: file.layer) }
        }
        return nil
    }
}
