import Glibc

// Which folders have the files of a suite's layers. The order and the names are those of Foundation's `UserDefaults` on
// Linux, plus `$XDG_CONFIG_DIRS` and the mandatory files. The environment chooses all of them except
// `/etc/pdefaults`. Otherwise a user could leave the locks behind with a variable.

/// The folders that may have files of a suite.
package struct LayerPlaces: Sendable, Hashable {
    /// The user's own folder.
    var userFolder: String
    /// Where the user's own folder is for programs with another environment. A suite there has its locks too; otherwise
    /// `$XDG_CONFIG_HOME` would be a way around them. nil: the folders `.config` in `$HOME` and in the home folder that
    /// `/etc/passwd` names.
    var homeFolders: [String]?
    /// The administrator's folders, the one that counts first at the start.
    package var siteFolders: [String]
    /// The folders with the declarations that packages bring.
    package var schemaFolders: [String]
    /// The folder of the administrator's locks.
    package var mandatoryFolder: String
    /// The user who must own mandatory files.
    var trustedOwner: UInt32
    /// The folder above all mandatory files. It and the folders above it are trusted.
    var trustedRoot: String?

    /// The site folder in which Foundation looks.
    private static let foundationFolder = "/usr/local/etc"

    /// The folders of this process, by its environment.
    package static var current: LayerPlaces {
        LayerPlaces(
            userFolder: SettingsFolder.standard.path,
            siteFolders: folders("XDG_CONFIG_DIRS", or: ["/etc/xdg"]) + [foundationFolder],
            schemaFolders: folders("XDG_DATA_DIRS", or: ["/usr/local/share", "/usr/share"])
                .map { joinPath($0, "pdefaults/schemas") },
            mandatoryFolder: "/etc/pdefaults/mandatory",
            trustedOwner: 0,
            trustedRoot: nil
        )
    }

    /// Folders inside another root, for tests. The user of this process takes the place of root.
    package static func test(root: String, userFolder: String, homeFolders: [String] = []) -> LayerPlaces {
        LayerPlaces(
            userFolder: userFolder,
            homeFolders: homeFolders,
            siteFolders: ["/etc/xdg", foundationFolder].map { root + $0 },
            schemaFolders: [root + "/usr/share/pdefaults/schemas"],
            mandatoryFolder: root + "/etc/pdefaults/mandatory",
            trustedOwner: geteuid(),
            trustedRoot: root
        )
    }

    /// The user's folders, whatever `$XDG_CONFIG_HOME` says. Only files outside of the user's folder need them.
    func foldersInHome() -> [String] {
        homeFolders
            ?? [environment("HOME"), homeFolderInPasswd()].compactMap(\.self).map { joinPath($0, ".config") }
    }

    /// The absolute paths in a variable of the XDG Base Directory Specification, which ignores relative ones.
    private static func folders(_ variable: String, or standard: [String]) -> [String] {
        let folders = (environment(variable) ?? "").split(separator: ":")
            .filter { $0.hasPrefix("/") }
            .map { absolutePath(String($0)) }
        return folders.isEmpty ? standard : folders
    }
}

extension LayerPlaces {
    /// One file of the search list.
    package struct File: Sendable, Hashable {
        package let layer: SettingsLayer
        package let path: String
    }

    /// The files of a suite, the highest first, without the user's own.
    package func files(of name: SuiteName) -> [File] {
        var files = [mandatoryFile(of: name)]
        func add(_ layer: SettingsLayer, _ folder: String, _ name: String) {
            let file = File(layer: layer, path: joinPath(folder, name))
            // A folder may be in the list twice, and the suite may be the global one.
            if !files.contains(where: { $0.path == file.path }) { files.append(file) }
        }
        let ownFile = joinPath(userFolder, name.fileName)
        // Without a home folder there are no files of the user.
        let hasUser = userFolder.hasPrefix("/")
        let hostName = hostName(of: name)
        if hasUser, hostName.utf8.count <= 255 { add(.host, joinPath(userFolder, "ByHost"), hostName) }
        if hasUser, name != .global {
            add(.global, joinPath(userFolder, "ByHost"), self.hostName(of: .global))
            add(.global, userFolder, SuiteName.global.fileName)
        }
        for (layer, name) in [(SettingsLayer.site, name), (.siteGlobal, .global)] {
            for folder in siteFolders {
                if folder == siteFolders.last { add(layer, joinPath(folder, "ByHost"), name.fileName) }
                add(layer, folder, name.fileName)
            }
        }
        return files.filter { $0.path != ownFile }
    }

    package func mandatoryFile(of name: SuiteName) -> File {
        File(layer: .mandatory, path: joinPath(mandatoryFolder, name.fileName))
    }

    /// The host's identifier is empty on Linux, so there are two periods.
    private func hostName(of name: SuiteName) -> String { name.rawValue + "..plist" }

    /// Where `write --layer` writes; nil for layers that are no files.
    package func path(of layer: SettingsLayer, for name: SuiteName) -> String? {
        switch layer {
        case .user: joinPath(userFolder, name.fileName)
        case .global: joinPath(userFolder, SuiteName.global.fileName)
        case .siteGlobal: siteFolders.first.map { joinPath($0, SuiteName.global.fileName) }
        case .site: siteFolders.first.map { joinPath($0, name.fileName) }
        case .host, .mandatory: files(of: name).first { $0.layer == layer }?.path
        case .arguments, .registered, .declared: nil
        }
    }
}
