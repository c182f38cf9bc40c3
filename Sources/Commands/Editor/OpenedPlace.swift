import CommandLanguage
import FoundationEssentials
import SettingsEditor
import SettingsStore

// The places that the editor is opened on, from the command line and from `O` in the editor.
extension EditorLoop {
    /// A place of the editor, with what its suites are read from.
    struct Subject: Sendable {
        enum Content: Sendable {
            /// A folder or a cluster.
            case folder(any SuiteBackend)
            case file(SuiteTarget)
        }

        let content: Content
        var place: Place
        /// The suite or file that was asked for; nil if a folder or a cluster was.
        private(set) var target: SuiteTarget?

        /// The name of the suite that was asked for.
        var suite: String? {
            guard let target, let backend = target.backend else { return nil }
            let isGlobal = target.name == SuiteWord.globalName && backend.kind == .files
            return isGlobal ? SuiteWord.globalFile : target.name
        }

        init(_ backend: any SuiteBackend, title: String? = nil, options: [String]) {
            content = .folder(backend)
            place = Place(backend.location, title: title ?? abbreviated(backend.location))
            place.kind = backend.kind
            place.commandOptions = options
            if PreferencesWatcher.isHome(backend) { place.preferencesSuite = EditorPreferences.suite }
        }

        init(file: SuiteTarget, options: [String]) {
            content = .file(file)
            place = Place(file.location, title: abbreviated(file.location), isFile: true)
            place.commandOptions = options
            target = file
        }

        /// The location of the desktop's settings.
        private static let desktop = "gsettings:"

        /// Finds the place that a word names: a URL of a cluster, `gsettings:`, a folder or a file, or a suite in a folder
        /// or on a cluster.
        ///
        /// - Parameter options: The options with which a command finds the suites of `backend`.
        init(_ word: String, in backend: any SuiteBackend, options: [String]) throws {
            if word.hasPrefix("http://") || word.hasPrefix("https://") {
                let options = [CommandOption.cluster.spelling, word]
                self.init(try cluster(word, showsCopies: true), options: options)
            } else if word == Self.desktop {
                self.init(try desktopSettings(), options: [CommandOption.gsettings.spelling])
            } else if case .path(let path) = try SuiteWord(word), isFolder(path) {
                let folder = SettingsFolder(path: path)
                let isStandard = PreferencesWatcher.isHome(folder)
                self.init(folder, options: isStandard ? [] : [CommandOption.directory.spelling, folder.path])
            } else {
                let target = try SuiteTarget(word, in: backend)
                if target.backend == nil {
                    self.init(file: target, options: options)
                } else {
                    self.init(backend, options: options)
                    self.target = target
                }
            }
        }

        /// The administrator's folders that have suites.
        static func ofSite() -> [EditorLoop.Subject] {
            LayerPlaces.current.siteFolders.map { SettingsFolder(path: $0) }
                .filter { (try? $0.suiteNames())?.isEmpty == false }
                .map { EditorLoop.Subject($0, options: [CommandOption.directory.spelling, $0.path]) }
        }

        /// The text that opens the place again; nil if it need not be remembered, because everybody knows it or because
        /// it is temporary.
        var textToRemember: String? {
            if place.kind == .cluster { return place.commandOptions.last }
            if place.kind == .desktop { return Self.desktop }
            let folders = [ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp", "/var/tmp"]
            let isTemporary = folders.contains { folder in
                place.id.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
            }
            let isKnown = place.preferencesSuite != nil || LayerPlaces.current.siteFolders.contains(place.id)
            return isKnown || isTemporary ? nil : place.title
        }
    }
}

/// Whether a path is a folder. A file of its name with `.plist` beside it is meant rather than the folder.
private func isFolder(_ path: String) -> Bool {
    let full = SettingsFolder(path: path).path
    var isFolder = false
    let files = FileManager.default
    guard files.fileExists(atPath: full, isDirectory: &isFolder), isFolder else { return false }
    return path.hasSuffix("/") || path == "~" || !files.fileExists(atPath: full + ".plist")
}
