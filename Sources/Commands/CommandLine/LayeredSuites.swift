import CommandLanguage
import PropertyList
import SettingsStore

// A suite can exist in any of its layers: an administrator's defaults and a package's declarations are there before the
// user has stored anything. These functions find such suites. Without them, `suites` and the editor would show a setting
// only after the user has changed it.

extension SuiteBackend {
    /// Whether the suites of this folder have layers.
    var isStandard: Bool { kind == .files && location == SettingsFolder.standard.path }

    /// The names of the suites that exist in any layer, sorted.
    func suiteNamesOfAllLayers() throws(SettingsError) -> [SuiteName] {
        let names = try suiteNames()
        guard isStandard else { return names }
        // UserDefaults writes this file besides the one that programs read. No program reads it.
        let unread = try? SuiteName(SuiteWord.globalName)
        return Set(names + LayerFolder.all.flatMap(\.suiteNames)).filter { $0 != unread }.sorted()
    }

    /// Calls `notify` whenever the list of suites may have changed in any layer, until the watches are released.
    func watchAllLayers(_ notify: @escaping @Sendable () -> Void) -> [StorageWatch] {
        let folders = isStandard ? LayerFolder.all.map { SettingsFolder(path: $0.path) } : []
        return [watch(notify)] + folders.map { $0.watch(notify) }
    }
}

/// A folder with files of one layer.
private struct LayerFolder: Hashable {
    let path: String
    /// The end of the files' names, after the suite's name.
    let suffix: String

    /// The folders of all layers besides the user's own.
    static var all: [LayerFolder] {
        guard let example = try? SuiteName("example") else { return [] }
        let places = LayerPlaces.current
        let settings = places.files(of: example).compactMap { file -> LayerFolder? in
            let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
            // The other files have the settings of all programs.
            guard let name = parts.last, name.hasPrefix(example.rawValue) else { return nil }
            return LayerFolder(
                path: parts.dropLast().joined(separator: "/"),
                suffix: String(name.dropFirst(example.rawValue.count))
            )
        }
        return settings + places.schemaFolders.map { LayerFolder(path: $0, suffix: ".schema.json") }
    }

    /// The suites that have a file in the folder. An unreadable folder has none.
    var suiteNames: [SuiteName] {
        ((try? LiveFileSystem().names(in: path)) ?? []).compactMap { name in
            guard name.hasSuffix(suffix) else { return nil }
            return try? SuiteName(String(name.dropLast(suffix.count)))
        }
    }
}
