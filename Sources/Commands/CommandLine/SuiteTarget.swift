import CommandLanguage
import Glibc
import PropertyList
import SettingsEditor
import SettingsStore

extension SuiteName {
    /// The name in lists and messages. That of the settings of all programs is the one that macOS uses.
    var shown: String { self == .global ? SuiteWord.globalName : rawValue }
}

/// A suite that the command line names: by its name in a folder or on a cluster, or by the path of its file.
struct SuiteTarget: Sendable {
    private enum Home: Sendable {
        case file(String)
        case named(SuiteName, any SuiteBackend)
    }

    /// The name or path as it was given.
    let name: String
    /// The layer that the command line names. Nil for the layer that programs write.
    private(set) var layer: LayerName?
    /// The path of that layer's file.
    private var layerPath: String?
    private let home: Home

    /// Finds the suite for a word of the command line.
    ///
    /// - Throws: ``CommandError`` or ``UsageError`` if the word cannot name a suite.
    init(_ word: String, layer: LayerName? = nil, in backend: any SuiteBackend) throws {
        switch try SuiteWord(word) {
        case .path(let path):
            name = word
            home = .file(try Self.filePath(path))
        case .global:
            name = SuiteWord.globalName
            // Other places have no such layer, so it is a suite like any other.
            home = .named(backend.kind == .files ? .global : try SuiteName(name), backend)
        case .suite(let suite):
            name = suite
            do {
                home = .named(try backend.suiteName(suite), backend)
            } catch {
                throw CommandError(
                    "\(error) To name a file, write a path that starts with /, ./ or ~/: ./\(suite)"
                )
            }
        }
        guard let layer else { return }
        self.layer = layer
        layerPath = try path(of: layer)
    }

    init(_ name: SuiteName, in backend: any SuiteBackend) {
        self.name = name.shown
        home = .named(name, backend)
    }

    /// The path of the suite's file, or its URL on a cluster.
    var location: String { storage().location }

    /// The folder or cluster of the suite. Nil if the suite was given by its path.
    var backend: (any SuiteBackend)? { if case .named(_, let backend) = home { backend } else { nil } }

    /// The path of the suite's file. Nil if it is not stored in a file.
    var path: String? { (storage() as? FileStorage)?.path }

    /// The path of the file after all symbolic links, or the URL. Two targets with one place are one suite.
    var place: String { (storage() as? FileStorage)?.resolvedPath ?? location }

    /// The JSON file of the suite's name that is not read, because there is a property list of this name too.
    var unreadJSONFile: String? {
        guard case .named(let name, let folder as SettingsFolder) = home else { return nil }
        let path = folder.path + "/" + name.jsonFileName
        return path != self.path && access(path, F_OK) == 0 ? path : nil
    }

    /// Opens the storage of the suite or of the layer that the command line names.
    ///
    /// - Parameter newFormat: The format of a new file.
    private func storage(newFormat: PropertyListFormat? = nil) -> any SuiteStorage {
        guard let path = layerPath ?? (usersStorage as? FileStorage)?.path else { return usersStorage }
        var storage = FileStorage(path: path, newFormat: newFormat)
        storage.isForEveryone = layer == .site || layer == .mandatory
        return storage
    }

    /// Whether a write changes a JSON file.
    var storesJSON: Bool { storage().traits.storesJSON }

    /// The storage that programs write.
    var usersStorage: any SuiteStorage {
        switch home {
        case .file(let path): FileStorage(path: path)
        case .named(let name, let backend): backend.storage(of: name)
        }
    }

    /// The store of the settings that programs have declared. Nil if there is none.
    var schemaPlace: (any SchemaStore)? { usersStorage.schemaPlace }

    /// Returns the absolute path of a suite's file. `.plist` is added unless a file without it exists, or the name is one of
    /// a JSON file.
    ///
    /// - Throws: ``CommandError`` if the path names a folder.
    private static func filePath(_ word: String) throws -> String {
        let path = SettingsFolder(path: word).path
        let last = word.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        if ["", ".", "..", "~"].contains(last) {
            let file = path == "/" ? "/name.plist" : path + "/name.plist"
            throw CommandError("\(word) is a folder. Name a file in it, such as \(file).")
        }
        if path.hasSuffix(".plist") || PropertyListFormat.ofNewFile(called: path) == .json { return path }
        let (files, whole) = (LiveFileSystem(), path + ".plist")
        guard let info = (try? files.stat(path)) ?? nil else { return whole }
        if info.kind != .folder { return path }
        if ((try? files.stat(whole)) ?? nil) == nil {
            throw CommandError("\(word) is a folder. To use the file beside it, write \(word).plist.")
        }
        return whole
    }

    /// Describes where the suite was looked for, for an error message.
    var absence: String {
        let target = path.flatMap { (try? LiveFileSystem().readlink($0)) ?? nil }
        return "looked for \(location)" + (target.map { ", a link to \($0), which does not exist" } ?? "")
            + clusterHint
    }

    var missing: CommandError { CommandError("\(MacOSMessage.suiteDoesNotExist(name)) (\(absence)).") }

    /// A hint for users whose programs use the cluster that the environment names. This program uses it only
    /// with `--cluster`.
    private var clusterHint: String {
        guard kind == .files, namesCluster else { return "" }
        return "; use “--cluster -” to look on the cluster of PDEFAULTS_CLUSTER"
    }

    /// The suite, for observing and editing. A command that reads or writes once uses the storage directly,
    /// because a suite would start a watch.
    var suite: SettingsSuite {
        switch home {
        case .file(let path): SettingsSuite(file: path)
        case .named(let name, let backend): backend.suite(name)
        }
    }
}

extension SuiteTarget {
    /// Reads all stored values. Returns nil if the suite does not exist.
    ///
    /// A suite exists once its settings are declared, even if no value is stored.
    ///
    /// - Parameter tell: Called with a sentence if the location contains keys that are not read.
    func values(_ tell: (String) -> Void = { _ in }) throws -> PropertyListEntries? {
        var storage = storage()
        let reading = try storage.read()
        let foreign = reading.foreignEntries
        if !foreign.isEmpty {
            let names = foreign.prefix(5).joined(separator: ", ") + (foreign.count > 5 ? ", …" : "")
            let isOne = foreign.count == 1
            tell(
                "\(location): \(names) \(isOne ? "is" : "are") ignored, because "
                    + "\(isOne ? "the name is" : "the names are") not text in Unicode’s normal form C"
            )
        }
        var values = PropertyListEntries()
        guard reading.exists else { return isDeclared ? values : nil }
        reading.apply(to: &values)
        return values
    }

    /// Whether a program or its package has declared settings of the suite.
    private var isDeclared: Bool {
        guard let schemaPlace else { return false }
        return schemaPlace.exists || kind == .files && (try? schemaPlace.read().isEmpty) == false
    }

    /// Whether the suite exists, even if it cannot be read.
    var exists: Bool {
        get throws {
            guard let path else { return try values() != nil }
            return try LiveFileSystem().stat(path) != nil || isDeclared
                || otherLayers().exists
        }
    }

    /// Reads all stored values.
    ///
    /// - Throws: ``CommandError`` if the suite does not exist.
    func presentValues() throws -> [String: PropertyListValue] {
        guard let values = try values({ Output.error("\($0).") }) else { throw missing }
        return [String: PropertyListValue](values)
    }

    /// Reads the stored value of a key.
    ///
    /// - Throws: ``CommandError`` if the key has no stored value.
    func value(forKey key: String) throws -> PropertyListValue {
        guard let value = try values({ Output.error("\($0).") })?[key] else {
            throw CommandError(
                "\(MacOSMessage.pairDoesNotExist(name, key)) (looked in "
                    + "\(location)\(clusterHint))."
            )
        }
        return value
    }

    /// Makes all changes of a plan in one transaction, or none. The changes are computed while the file is
    /// locked.
    ///
    /// - Throws: An error if a change is impossible, if a condition does not hold, or if a value contradicts
    ///   the key's declaration.
    func change(_ plan: EditPlan) throws {
        if layer == .mandatory { try checkThatMandatoryFileCounts() }
        // A new property list is XML, unless XML cannot store every value. Then it is binary.
        if try !change(plan, newFormat: nil) { _ = try change(plan, newFormat: .binary) }
        if layer == .mandatory {
            for problem in otherLayers().problems where problem.location == location {
                Output.error("The change was stored, but has no effect. \(problem).")
            }
        }
    }

    /// Refuses a write into a mandatory file that others may write too. It is ignored, and the write would make it count,
    /// with everything that others have put into it.
    private func checkThatMandatoryFileCounts() throws(CommandError) {
        var info = stat()
        guard stat(location, &info) == 0, info.st_mode & 0o022 != 0 else { return }
        for problem in otherLayers().problems where problem.location == location {
            throw CommandError(
                "\(problem). A write would make locks of all its values. Check them, then run: chmod go-w \(shellWord(location))"
            )
        }
    }

    /// Refuses key bindings of the editor that are wrong, or that another command has already.
    private func checkPreferences(
        _ changes: [String: PropertyListValue?],
        over stored: PropertyListEntries
    ) throws(CommandError) {
        guard name == EditorPreferences.suite, let backend, PreferencesWatcher.isHome(backend) else { return }
        var values = [String: PropertyListValue](stored)
        for (key, value) in changes { values[key] = value }
        if let problem = EditorPreferences.problem(with: values, changing: Set(changes.keys)) {
            throw CommandError(problem)
        }
    }

    /// Makes the changes, with this format for a new file, or that of its name.
    ///
    /// - Returns: False if a new file of this format could not store all values. Then nothing was written.
    private func change(_ plan: EditPlan, newFormat: PropertyListFormat?) throws -> Bool {
        var storage = storage(newFormat: newFormat)
        let isFile = path != nil
        let startsAsXML = (storage as? FileStorage)?.newFormat == .xml
        var schema: SuiteSchema?
        var schemaProblem: (any Error)?
        do {
            schema = try schemaPlace?.read() ?? SuiteSchema()
        } catch {
            // Unreadable declarations do not prevent a write.
            schemaProblem = error
        }
        let secrets = schema?.secretKeys
        // The desktop's programs see the schema's value until the user has one, so it is what a user adds to.
        let defaults = kind == .desktop ? try layers({ _ in }).values : [:]
        var refusal: (any Error)?
        var fits = true
        var stored: [String: PropertyListValue] = [:]
        do {
            try storage.updateAlone { values, exists in
                do {
                    (refusal, fits) = (nil, true)
                    let changes = try plan.changes(
                        to: values,
                        of: name,
                        isSecret: { secrets?.contains($0) ?? true },
                        defaultValue: { defaults[$0] }
                    )
                    for (key, value) in changes {
                        if let value { try schema?.validate(value, forKey: key, replacing: values[key]) }
                    }
                    try checkLocks(changes)
                    try checkPreferences(changes, over: values)
                    fits =
                        exists || !startsAsXML
                        || isKeptByXML(changes.compactMapValues(\.self))
                    stored = fits ? changes.compactMapValues(\.self) : [:]
                    let basis = plan.dependsOnStoredValues ? Set(changes.keys) : []
                    return StorageWrite(changes: fits ? changes : [:], basis: basis)
                } catch {
                    refusal = error
                    return StorageWrite(changes: [:])
                }
            }
        } catch {
            guard case .unrepresentable(_, let key, let problem) = error else { throw error }
            // No property list holds null, or a number beyond 64 bits.
            let fitsBinary = stored[key].map { (try? $0.encoded(as: .binary)) != nil } ?? true
            let advice =
                isFile && fitsBinary
                ? " A binary file can store it: “pdefaults export \(name) FILE” writes one." : ""
            throw CommandError("\(location): \(problem).\(advice)")
        }
        if let refusal { throw refusal }
        if let schemaProblem, !stored.isEmpty {
            Output.error(
                "The value was stored, but not checked against the declarations of \(name): \(schemaProblem)."
            )
        }
        if isFile, !storage.traits.storesJSON, !isKeptByXML(stored), let values = try self.values() {
            reportRounding(of: stored.filter { values[$0.key] != $0.value }.keys)
        }
        return fits
    }

    /// Warns about values that the file does not store exactly. An existing file keeps its format, and XML
    /// stores whole seconds only.
    func reportRounding(of keys: some Collection<String>) {
        if keys.isEmpty { return }
        Output.error(
            "\(location) is XML, which stores whole seconds. Rounded: \(MessageText.names(keys, quoted: true))."
        )
    }
}

extension SuiteTarget {
    /// Deletes the suite. Returns whether it existed.
    func remove() throws -> Bool {
        if let path {
            var file = FileStorage(path: path)
            return try file.remove()
        }
        var storage = storage()
        guard var removable = storage as? any RemovesSuites else { return try storage.removeAllKeys() }
        return try removable.removeAll()
    }

    /// The kind of the place that has the suite.
    var kind: BackendKind { backend?.kind ?? .files }

    /// The paths of the files with the suite's quarantined values, from the oldest to the newest.
    func keptValues() throws(SettingsError) -> [String] {
        if let path { return try QuarantinedValues.files(besideSuite: path) }
        guard case .named(let name, let backend) = home else { return [] }
        return try backend.keptValues(of: name)
    }

    /// Returns the previous values of a key, or nil if the suite is stored in a file.
    func history(ofKey key: String, limit: Int) throws -> [SettingRevision]? {
        guard case .named(let name, let backend) = home else { return nil }
        return try backend.history(ofKey: key, in: name, limit: limit)
    }

    /// Stores a previous value of a key if the key still has its current value. A nil value removes the key.
    ///
    /// - Throws: ``ExitCode`` for a conflict if the value has changed meanwhile, or an error if the previous
    ///   value contradicts the key's current declaration.
    func goBack(_ key: String, from current: PropertyListValue?, to old: PropertyListValue?) throws {
        if let old { try schemaPlace?.read().validate(old, forKey: key) }
        do throws(SettingsError) {
            try suite.replace([key: old], expecting: [key: current])
        } catch {
            guard case .conflict = error else { throw error }
            Output.error("Nothing was written, because \(MessageText.name(key)) has changed meanwhile.")
            throw ExitCode(ExitStatus.conflict)
        }
    }
}

/// Whether an XML file stores the values without a loss.
func isKeptByXML(_ values: [String: PropertyListValue]) -> Bool {
    guard let bytes = try? PropertyListValue.dictionary(values).encoded(as: .xml) else { return false }
    return (try? PropertyListValue.read(bytes))?.value == .dictionary(values)
}

extension ParsedCommand {
    /// Returns all suites of a folder or cluster.
    ///
    /// - Throws: ``CommandError`` if the user named a folder that does not exist. Its name is probably
    ///   misspelt.
    func allTargets(in backend: any SuiteBackend) throws -> [SuiteTarget] {
        try suiteNames(in: backend).map { SuiteTarget($0, in: backend) }
    }

    func suiteNames(in backend: any SuiteBackend) throws -> [SuiteName] {
        if has(.directory), try !backend.isThere() {
            throw CommandError(
                "There is no folder \(backend.location). Check its name, or create it with “pdefaults write”."
            )
        }
        do throws(SettingsError) {
            return try backend.suiteNamesOfAllLayers()
        } catch {
            guard case .system(let problem) = error, problem.number == ENOTDIR else { throw error }
            throw CommandError(
                "\(backend.location) is not a folder. Name the folder that contains the suites."
            )
        }
    }
}
