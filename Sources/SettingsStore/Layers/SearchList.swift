import Glibc
import PropertyList

// The layers around a suite's own storage are files that the suite only reads. Each of them is read as a suite's file is
// read, so half-written, unreadable and replaced files are handled in one way. Without this type, a program would see
// only what the user and the program itself have set.

/// Has other layers above and below it.
package protocol HasLayers: SuiteStorage {
    /// Which suite the layers belong to. It is asked for once.
    var layeredSuite: LayeredSuite { get }
}

/// Which suite's layers surround a storage.
package struct LayeredSuite: Sendable {
    enum Identity {
        /// The path of the suite's file, as the caller gave it.
        case file(String)
        /// A suite that is not kept in a file of this machine. It has no files of the user and no site-wide ones.
        case remote(SuiteName)
        /// A suite that is kept with its other layers, the highest first.
        case own(SuiteName, [OwnLayer])
    }

    package typealias OwnLayer = (layer: SettingsLayer, storage: any SuiteStorage & Sendable)

    let identity: Identity
    package var places = LayerPlaces.current
    var files: any FileSystem = LiveFileSystem()
    var watcher = FolderWatcher.shared

    /// A suite that is kept on other machines: only mandatory files and arguments come before its values.
    package static func remote(_ name: SuiteName) -> LayeredSuite { LayeredSuite(identity: .remote(name)) }

    /// A suite that is kept with its other layers, the highest first. They are only read.
    package static func own(_ name: SuiteName, _ layers: [OwnLayer]) -> LayeredSuite {
        LayeredSuite(identity: .own(name, layers))
    }

    /// The names under which the suite is a standard one: first the one that it is used by, then those of the links to
    /// other standard suites' files. Empty for a file elsewhere.
    ///
    /// A link to a standard suite's file has that suite's locks too; otherwise it would be a way around them.
    package func names() -> [SuiteName] {
        switch identity {
        case .remote(let name), .own(let name, _): return [name]
        case .file(let path):
            let names = standardNames(onTheWayFrom: path, where: isLocked)
            return names.isEmpty ? nameOfLink(to: path).map { [$0] } ?? [] : names
        }
    }

    /// The names of the standard suites through which the links of a path lead.
    private func standardNames(
        onTheWayFrom path: String,
        where isStandard: (_ folder: String) -> Bool
    ) -> [SuiteName] {
        var names: [SuiteName] = []
        var path = path
        for _ in 0...ResolvedPath.linkLimit {
            let (folder, file) = splitPath(path)
            if let name = SuiteName(fileName: file), isStandard(folder), !names.contains(name) {
                names.append(name)
            }
            guard let target = (try? files.readlink(path)) ?? nil else { break }
            path = target.hasPrefix("/") ? target : joinPath(folder, target)
        }
        return names
    }

    /// Whether a folder is the user's.
    private func isStandard(_ folder: String) -> Bool {
        folder == places.userFolder || isSame(folder, as: [places.userFolder])
    }

    /// Whether a folder is the user's, for this process or for programs with another environment.
    private func isLocked(_ folder: String) -> Bool {
        isStandard(folder) || isSame(folder, as: places.foldersInHome())
    }

    private func isSame(_ folder: String, as others: [String]) -> Bool {
        guard let resolved = try? files.resolve(folder) else { return false }
        return others.contains { resolved == (try? files.resolve($0)) }
    }

    /// Whether the suite has the files of the user and those for all users. A suite that has only locks has none.
    private var isSearched: Bool {
        guard case .file(let path) = identity else { return false }
        return !standardNames(onTheWayFrom: path, where: isStandard).isEmpty || nameOfLink(to: path) != nil
    }

    /// The name of the standard suite that is a link to this file, if it has the file's name. Programs that manage
    /// configuration files make such links.
    private func nameOfLink(to path: String) -> SuiteName? {
        guard let place = try? ResolvedPath(of: path, files), let name = SuiteName(fileName: place.name),
            let link = try? ResolvedPath(of: joinPath(places.userFolder, place.name), files), link == place
        else { return nil }
        return name
    }

    /// The layers, the highest first, without the suite's own.
    func layers(of names: [SuiteName]) -> [(layer: SettingsLayer, storage: any SuiteStorage)] {
        if case .own(_, let layers) = identity { return layers.map { ($0.layer, $0.storage) } }
        return layerFiles(of: names).map {
            ($0.layer, FileStorage(path: $0.path, files: files, watcher: watcher))
        }
    }

    private func layerFiles(of names: [SuiteName]) -> [LayerPlaces.File] {
        guard let first = names.first else { return [] }
        var list = [places.mandatoryFile(of: first)]
        list += names.dropFirst().map(places.mandatoryFile)
        if isSearched { list += places.files(of: first).dropFirst() }
        return list
    }
}

/// The layers around one suite, and what they had when they were last read.
package struct SearchList {
    /// One layer, usually a file, that is only read.
    fileprivate struct File {
        let layer: SettingsLayer
        /// The storage before its first reading.
        let unread: any SuiteStorage
        var storage: any SuiteStorage
        var values = PropertyListEntries()
        var problem: LayerProblem?
    }

    private let suite: LayeredSuite
    /// Whether the suite is a standard one or on a cluster, so that it has layers.
    package let isLayered: Bool
    private var list: [File]

    package init(around suite: LayeredSuite) {
        self.suite = suite
        let names = suite.names()
        isLayered = !names.isEmpty
        list = suite.layers(of: names).map { File($0.layer, $0.storage) }
    }

    /// The layers around a storage; none if it has none.
    package init?(around storage: any SuiteStorage) {
        guard let layered = storage as? any HasLayers else { return nil }
        self.init(around: layered.layeredSuite)
    }

    /// The paths of the files, the highest layer first. Most of them usually do not exist.
    package var files: [LayerPlaces.File] {
        list.map { LayerPlaces.File(layer: $0.layer, path: $0.storage.location) }
    }
}

// MARK: - Reading

extension SearchList {
    /// Reads the files that have changed.
    package mutating func read() {
        for index in list.indices { list[index].read(of: suite) }
    }

    /// Reads the files that have changed.
    ///
    /// - Returns: the keys that may have other values than before.
    mutating func readChanges() -> Set<String> {
        var keys: Set<String> = []
        for index in list.indices {
            let old = list[index].values
            if list[index].read(of: suite) { keys.formUnion(list[index].values.differences(from: old).keys) }
        }
        return keys
    }

    /// Reads the mandatory files alone.
    package mutating func readLocks() {
        for index in list.indices where list[index].layer == .mandatory { list[index].read(of: suite) }
    }

    /// The values of the last reading.
    package var values: LayerValues {
        LayerValues(
            list.filter { !$0.values.isEmpty }
                .map { LayerValues.File(layer: $0.layer, location: $0.storage.location, values: $0.values) }
        )
    }

    /// The files that could not be used in the last reading.
    package var problems: [LayerProblem] { list.compactMap(\.problem) }

    /// Watches every file, also those that do not exist.
    func watch(_ notify: @escaping @Sendable () -> Void) -> [StorageWatch] {
        list.map { $0.storage.watch(notify) }
    }
}

extension SearchList.File {
    fileprivate init(_ layer: SettingsLayer, _ storage: any SuiteStorage) {
        (self.layer, unread, self.storage) = (layer, storage, storage)
    }

    /// Reads the file, if it has changed.
    ///
    /// - Returns: whether the values may differ from those before.
    @discardableResult
    fileprivate mutating func read(of suite: LayeredSuite) -> Bool {
        if layer == .mandatory, storage is FileStorage,
            let reason = MandatoryFile(path: storage.location, places: suite.places, files: suite.files)
                .problem()
        {
            return become(unusable(reason, keepsLastValues: false))
        }
        do throws(SettingsError) {
            let reading = try storage.read()
            problem = nil
            if reading.isNone { return false }
            reading.apply(to: &values)
            return true
        } catch {
            // An unreadable lock would otherwise be a way around it.
            let keepsLastValues = layer == .mandatory && !values.isEmpty
            let found = unusable(error.reasonOfLayer, keepsLastValues: keepsLastValues)
            if !keepsLastValues { return become(found) }
            problem = found
            return false
        }
    }

    /// Counts as absent.
    private mutating func become(_ problem: LayerProblem) -> Bool {
        let hadValues = !values.isEmpty
        // The next reading that succeeds gives all values again.
        self = SearchList.File(layer, unread)
        self.problem = problem
        return hadValues
    }

    private func unusable(_ reason: String, keepsLastValues: Bool) -> LayerProblem {
        LayerProblem(
            layer: layer,
            location: storage.location,
            reason: reason,
            keepsLastValues: keepsLastValues
        )
    }
}

extension SettingsError {
    /// Why a layer's file can't be read, without its path.
    fileprivate var reasonOfLayer: String {
        switch self {
        case .notAFile: "it is not a regular file"
        case .notWritable(_, let reason): reason
        case .system(let error): "\(error.call): \(message(ofErrorNumber: error.number))"
        default: reason
        }
    }
}
