import Foundation
import Glibc
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting

/// The files of all layers of the suite `app`, in a root of their own.
struct LayerFolders {
    let folder: TemporaryFolder
    let places: LayerPlaces

    /// The files, the highest first.
    static let files: [(layer: SettingsLayer, path: String)] = [
        (.mandatory, "etc/pdefaults/mandatory/app.plist"),
        (.host, "home/.config/ByHost/app..plist"),
        (.user, "home/.config/app.plist"),
        (.global, "home/.config/ByHost/.GlobalPreferences..plist"),
        (.global, "home/.config/.GlobalPreferences.plist"),
        (.site, "etc/xdg/app.plist"),
        (.site, "usr/local/etc/ByHost/app.plist"),
        (.site, "usr/local/etc/app.plist"),
        (.siteGlobal, "etc/xdg/.GlobalPreferences.plist"),
        (.siteGlobal, "usr/local/etc/ByHost/.GlobalPreferences.plist"),
        (.siteGlobal, "usr/local/etc/.GlobalPreferences.plist"),
    ]

    static let mandatory = "etc/pdefaults/mandatory/app.plist"
    static let user = "home/.config/app.plist"
    static let site = "etc/xdg/app.plist"

    init() throws {
        folder = try TemporaryFolder()
        places = .test(root: folder.path, userFolder: folder.path + "/home/.config")
        for (_, path) in Self.files { try folder.makeFolder(splitFolder(path)) }
    }

    func path(_ name: String = user) -> String { folder.file(name) }

    /// Replaces a file, as careful programs do.
    func write(_ values: [String: PropertyListValue], to name: String) throws {
        try folder.write(values, to: path(name + ".new"))
        chmod(path(name + ".new"), 0o644)
        try folder.rename(name + ".new", to: name)
    }

    func storage(_ name: String = user) -> FileStorage {
        var storage = FileStorage(path: path(name))
        storage.layerPlaces = places
        return storage
    }

    /// The suite, with threads of its own if a scheduler is given that has any.
    func suite(_ name: String = user, scheduler: any WorkScheduler = ManualScheduler()) -> SettingsSuite {
        SettingsSuite(storage(name), scheduler: scheduler)
    }
}

func splitFolder(_ path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
