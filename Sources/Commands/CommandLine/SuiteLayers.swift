import CommandLanguage
import PropertyList
import SettingsStore

/// The layers of a suite, read once without a watch.
///
/// A program reads a key from the highest layer that has it. This type does the same for a command that reads once.
/// A suite of the library would start a watch, and would take the arguments of this program for settings.
struct SuiteLayers {
    /// One layer's values.
    struct Layer {
        let layer: SettingsLayer
        /// A path or URL. Nil for the declared defaults.
        let location: String?
        let values: PropertyListEntries
    }

    /// The layers that exist, the highest first.
    let layers: [Layer]
    /// The layers' files that do not count, and why.
    let problems: [LayerProblem]
    /// Whether the suite exists: whether any layer that belongs to this suite alone exists.
    var exists = false

    /// The layers that have a key, the highest first. The first one is effective.
    func sources(forKey key: String) -> [SettingSource] {
        var isEffective = true
        return layers.compactMap { layer in
            guard let value = layer.values[key] else { return nil }
            defer { isEffective = false }
            return SettingSource(
                layer: layer.layer,
                location: layer.location,
                value: value,
                isLocking: layer.layer == .mandatory,
                isEffective: isEffective
            )
        }
    }

    /// The keys of these layers.
    var keys: Set<String> { layers.reduce(into: []) { $0.formUnion($1.values.keys) } }

    /// The effective value of a key, and its layer.
    ///
    /// - Parameter user: The value of the user's layer, if that is not one of these.
    func source(
        of key: String,
        user: PropertyListValue?
    ) -> (value: PropertyListValue, layer: SettingsLayer)? {
        let found = layers.first { ($0.layer > .user || user == nil) && $0.values[key] != nil }
        if let found, let value = found.values[key] { return (value, found.layer) }
        return user.map { ($0, .user) }
    }

    /// The value of a key that a program sees.
    func value(forKey key: String) -> PropertyListValue? {
        layers.lazy.compactMap { $0.values[key] }.first
    }

    /// All values that a program sees.
    var values: [String: PropertyListValue] {
        var values: [String: PropertyListValue] = [:]
        for layer in layers.reversed() {
            for (key, value) in layer.values { values[key] = value }
        }
        return values
    }
}

extension SuiteLayers.Layer {
    init(_ file: LayerValues.File) {
        self.init(layer: file.layer, location: file.location, values: file.values)
    }
}

extension SuiteTarget {
    /// Reads all layers of the suite that are in files or on a cluster, and the declared defaults.
    ///
    /// - Parameter report: Called with a sentence about each layer that cannot be read or does not count.
    func layers(_ report: (String) -> Void) throws -> SuiteLayers {
        let others = otherLayers()
        var layers = others.layers
        var exists = others.exists
        for problem in others.problems { report("\(problem)") }
        do {
            if let values = try values(report) {
                exists = true
                layers.append(SuiteLayers.Layer(layer: ownLayer, location: location, values: values))
            }
        } catch let error as SettingsError where !error.isOutage {
            // An unreadable layer does not hide the others.
            exists = true
            report(message(for: error))
        }
        do {
            let declared = try schemaPlace?.read().declarations.compactMapValues(\.defaultValue) ?? [:]
            layers.append(
                SuiteLayers.Layer(layer: .declared, location: nil, values: PropertyListEntries(declared))
            )
        } catch {
            report("\(error)")
        }
        // The highest layer first. The order of several files of one layer stays.
        let sorted = SettingsLayer.allCases.flatMap { layer in layers.filter { $0.layer == layer } }
        return SuiteLayers(layers: sorted, problems: others.problems, exists: exists)
    }

    /// Reads the values that a program sees.
    ///
    /// - Throws: ``CommandError`` if the suite does not exist.
    func effectiveValues() throws -> [String: PropertyListValue] {
        let layers = try layers { Output.error("\($0).") }
        guard layers.exists else { throw missing }
        return layers.values
    }

    /// The layers besides the one that programs write, and besides the declared defaults.
    func otherLayers() -> SuiteLayers {
        guard var list = SearchList(around: usersStorage) else {
            return SuiteLayers(layers: [], problems: [])
        }
        list.read()
        return SuiteLayers(
            layers: list.values.files.filter { $0.layer != .declared }.map(SuiteLayers.Layer.init),
            problems: list.problems,
            exists: list.values.files.contains { [.mandatory, .host, .site].contains($0.layer) }
        )
    }

    /// The name of the suite among the layers. Nil for a file that is not in the user’s standard folder.
    var layeredName: SuiteName? {
        (usersStorage as? any HasLayers)?.layeredSuite.names().first
    }

    /// The layer that the suite itself is. The settings of all programs are the layer global of every other suite.
    private var ownLayer: SettingsLayer { layeredName == .global ? .global : .user }

    /// Returns the path of the file of one layer.
    ///
    /// - Throws: ``CommandError`` if the suite does not have the layer.
    func path(of layer: LayerName) throws -> String {
        guard kind == .files, let suite = layeredName else {
            throw CommandError(
                "--layer works only for suites in \(SettingsFolder.standard.path). \(name) is not in this folder."
            )
        }
        if suite == .global, layer == .mandatory {
            throw CommandError(
                "There are no locks for all programs at once. Name the suite of the program that you want to lock."
            )
        }
        let wanted: SettingsLayer =
            switch layer {
            case .mandatory: .mandatory
            case .host: .host
            case .user: .user
            case .global: .global
            case .site: .site
            }
        guard let path = LayerPlaces.current.path(of: wanted, for: suite) else {
            throw CommandError(
                "\(name) has no layer “\(layer.rawValue)”, because there is no home folder. Set HOME."
            )
        }
        return path
    }

    /// The paths of all files in which a program looks for a key, the highest layer first.
    var searchedLocations: [String] {
        let files = SearchList(around: usersStorage)?.files ?? []
        let (above, below) = (files.filter { $0.layer > ownLayer }, files.filter { $0.layer <= ownLayer })
        return above.map(\.path) + [location] + below.map(\.path)
    }

    /// Checks that no change of another layer gives a value to a key that the administrator has locked.
    ///
    /// A removal is allowed, because it changes nothing that programs see.
    ///
    /// - Throws: ``SettingsError/locked(key:by:)`` with the first of the keys.
    func checkLocks(_ changes: [String: PropertyListValue?]) throws(SettingsError) {
        // The suite checks its own layer, and only the administrator can write the mandatory one.
        guard let layer, layer != .mandatory, layer != .user, var list = SearchList(around: usersStorage)
        else { return }
        list.readLocks()
        if let refusal = list.values.refusal(of: changes) { throw refusal }
    }
}
