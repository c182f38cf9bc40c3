import Foundation
import PDefaults
import ProgramHarness
import SettingsStore

/// The layers of the suite `app`, in a root of their own.
struct Layers {
    let folder: TemporaryFolder
    let places: LayerPlaces
    /// Its work is done on threads of the store.
    let suite: SettingsSuite

    static let paths: [SettingsLayer: String] = [
        .mandatory: "etc/pdefaults/mandatory/app.plist", .host: "home/ByHost/app..plist",
        .user: "home/app.plist", .global: "home/.GlobalPreferences.plist", .site: "etc/xdg/app.plist",
        .siteGlobal: "usr/local/etc/.GlobalPreferences.plist",
    ]

    init(_ values: [SettingsLayer: [String: PropertyListValue]] = [:]) throws {
        folder = try TemporaryFolder()
        places = .test(root: folder.path, userFolder: folder.file("home"))
        for (layer, values) in values { try Self.write(values, to: layer, in: folder) }
        var storage = FileStorage(path: folder.file("home/app.plist"))
        storage.layerPlaces = places
        suite = SettingsSuite(storage)
    }

    func write(_ values: [String: PropertyListValue]?, to layer: SettingsLayer) throws {
        try Self.write(values, to: layer, in: folder)
    }

    func path(of layer: SettingsLayer) -> String { folder.file(Self.paths[layer] ?? "") }

    /// Replaces the file, or removes it.
    private static func write(
        _ values: [String: PropertyListValue]?,
        to layer: SettingsLayer,
        in folder: TemporaryFolder
    ) throws {
        let url = URL(fileURLWithPath: folder.file(paths[layer] ?? ""))
        guard let values else { return try FileManager.default.removeItem(at: url) }
        let bytes = try PropertyListValue.dictionary(values).encoded(as: .xml)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url, options: .atomic)
        chmod(url.path, 0o644)
    }

    func values(of layer: SettingsLayer) throws -> [String: PropertyListValue] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path(of: layer)))
        return [String: PropertyListValue](try PropertyListDocument.read(Array(bytes)).values)
    }
}
