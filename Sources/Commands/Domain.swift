import CommandLanguage
import Glibc
import PropertyList
import SettingsStore

/// A suite that a command line names: by its name in a folder or on a cluster, or by the path of its file.
struct Domain: Sendable {
    private enum Home: Sendable {
        case file(String)
        case named(SuiteName, any SuitePlace)
    }

    /// As it was named.
    let name: String
    private let home: Home

    /// - Throws: a sentence where the name can't be a suite's.
    init(_ word: String, in place: any SuitePlace) throws {
        switch try DomainName(word) {
        case .path(let path):
            name = word
            home = .file(try Self.filePath(path))
        case .suite(let suite):
            name = suite
            do {
                home = .named(try SuiteName(suite), place)
            } catch {
                throw CommandError("\(error) To name a file, start with “/”, “./” or “~/”: ./\(suite)")
            }
        }
    }

    init(_ name: SuiteName, in place: any SuitePlace) {
        self.name = name.rawValue
        home = .named(name, place)
    }

    /// The path of its file, or what stands for that.
    var location: String { storage().location }

    /// Where it is kept by its name; nil where it was named by its path.
    var place: (any SuitePlace)? { if case .named(_, let place) = home { place } else { nil } }

    /// The path of its file; nil where it is in none.
    var path: String? { (storage() as? FileStorage)?.path }

    /// - Parameter newFormat: that of a new file, where it is a file.
    private func storage(newFormat: PropertyListFormat = .xml) -> any SuiteStorage {
        let storage: any SuiteStorage =
            switch home {
            case .file(let path): FileStorage(path: path)
            case .named(let name, let place): place.storage(of: name)
            }
        guard let file = storage as? FileStorage else { return storage }
        return FileStorage(path: file.path, newFormat: newFormat)
    }

    /// What its programs have declared, and where they do so; nil where there is no such place.
    var schemaPlace: (any SchemaPlace)? { storage().schemaPlace }

    /// The path from the root, with `.plist` behind it unless a file without is there.
    ///
    /// - Throws: a sentence where it is a folder's.
    private static func filePath(_ word: String) throws -> String {
        let path = SettingsFolder(path: word).path
        let last = word.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        if ["", ".", "..", "~"].contains(last) {
            throw CommandError("\(word) names a folder; a domain is a file, such as \(path)/name.plist.")
        }
        if path.hasSuffix(".plist") { return path }
        let (files, whole) = (LiveFileSystem(), path + ".plist")
        guard let info = (try? files.stat(path)) ?? nil else { return whole }
        if info.kind != .folder { return path }
        if ((try? files.stat(whole)) ?? nil) == nil {
            throw CommandError("\(word) is a folder. For the file beside it say \(word).plist.")
        }
        return whole
    }

    /// Where there is no such domain, for sentences.
    var absence: String {
        let target = path.flatMap { (try? LiveFileSystem().readlink($0)) ?? nil }
        return "looked for \(location)" + (target.map { ", a link to \($0), where nothing is" } ?? "")
            + hintAtCluster
    }

    /// Programs may go by a cluster that the environment names; this one does where it is told to.
    private var hintAtCluster: String {
        guard kind == .files, namesCluster else { return "" }
        return "; “--cluster -” looks on the cluster of PDEFAULTS_CLUSTER"
    }

    /// The suite, to be observed or edited. What reads or writes once does without, and so without a watch.
    var suite: SettingsSuite {
        switch home {
        case .file(let path): SettingsSuite(file: path)
        case .named(let name, let place): place.suite(name)
        }
    }
}

extension Domain {
    /// All that is stored; nil where there is no such domain. One whose settings were declared is there
    /// before anything is stored.
    ///
    /// - Parameter tell: is given what else is there and not read, if anything, in a sentence.
    func values(_ tell: (String) -> Void = { _ in }) throws -> PropertyListEntries? {
        var storage = storage()
        let reading = try storage.read()
        let strangers = reading.strangers
        if !strangers.isEmpty {
            let names = strangers.prefix(5).joined(separator: ", ") + (strangers.count > 5 ? ", …" : "")
            let isOne = strangers.count == 1
            tell(
                "\(location): \(names) \(isOne ? "is" : "are") there too and not read: "
                    + "\(isOne ? "its name is" : "their names are") no text in Unicode's normal form C"
            )
        }
        var values = PropertyListEntries()
        guard reading.exists else { return schemaPlace?.exists == true ? values : nil }
        reading.apply(to: &values)
        return values
    }

    /// Where its file has a key in several Unicode forms, of which one is read, and the file's format.
    func placesInSeveralForms() throws -> (places: [ValuePath], format: PropertyListFormat?) {
        guard let path else { return ([], nil) }
        var file = FileStorage(path: path)
        return try file.placesInSeveralForms()
    }

    /// Whether there is such a domain, be it that it can't be read.
    var exists: Bool {
        get throws {
            guard let path else { return try values() != nil }
            return try LiveFileSystem().stat(path) != nil || schemaPlace?.exists == true
        }
    }

    /// All that is stored.
    ///
    /// - Throws: a sentence where there is no such domain.
    func presentValues() throws -> [String: PropertyListValue] {
        guard let values = try values({ Output.error("\($0).") }) else {
            throw CommandError("Domain \(name) does not exist (\(absence)).")
        }
        return [String: PropertyListValue](values)
    }

    /// - Throws: a sentence where nothing is stored under the key.
    func value(forKey key: String) throws -> PropertyListValue {
        guard let value = try values({ Output.error("\($0).") })?[key] else {
            throw CommandError(
                "The domain/default pair of (\(name), \(key)) does not exist (looked in "
                    + "\(location)\(hintAtCluster))."
            )
        }
        return value
    }

    /// Makes all changes of a plan durable, in one step, or none. The plan is made upon what the file
    /// holds while nobody else can write it.
    ///
    /// - Throws: why a change is impossible, its condition does not hold, or its value is none that the
    ///   program has declared for the key.
    func change(_ plan: EditPlan) throws {
        // Most new files are XML; one that XML would not keep everything in is binary.
        if try !change(plan, newFormat: .xml) { _ = try change(plan, newFormat: .binary) }
    }

    /// - Returns: false where nothing was done, since a new file of this format would not keep all values
    ///   as they are.
    private func change(_ plan: EditPlan, newFormat: PropertyListFormat) throws -> Bool {
        var storage = storage(newFormat: newFormat)
        let isFile = path != nil
        var schema: SuiteSchema?
        var schemaProblem: (any Error)?
        do {
            schema = try schemaPlace?.read() ?? SuiteSchema()
        } catch {
            // It keeps nobody from writing.
            schemaProblem = error
        }
        let secrets = schema?.secretKeys
        var refusal: (any Error)?
        var fits = true
        var stored: [String: PropertyListValue] = [:]
        var isMaking = false
        do {
            try storage.updateAlone { values, exists in
                do {
                    (refusal, fits) = (nil, true)
                    let changes = try plan.changes(
                        to: values,
                        of: name,
                        isSecret: { secrets?.contains($0) ?? true }
                    )
                    for (key, value) in changes {
                        if let value { try schema?.validate(value, forKey: key) }
                    }
                    fits =
                        exists || newFormat != .xml || !isFile
                        || isKeptByXML(changes.compactMapValues(\.self))
                    stored = fits ? changes.compactMapValues(\.self) : [:]
                    let basis = plan.restsOnWhatIsStored ? Set(changes.keys) : []
                    var write = StorageWrite(changes: fits ? changes : [:], basis: basis)
                    // What is imported to where nothing is, is there as a whole or not at all.
                    if !plan.restsOnWhatIsStored, kind == .cluster {
                        if isMaking, exists, changes.count > 1 { throw madeMeanwhile(values) }
                        isMaking = !exists
                        if isMaking { write.whole = .made(like: nil) }
                    }
                    return write
                } catch {
                    refusal = error
                    return StorageWrite(changes: [:])
                }
            }
        } catch {
            guard case .unrepresentable(_, _, let problem) = error else { throw error }
            let advice = isFile ? " “pdefaults export \(name) FILE” makes a binary file of the domain." : ""
            throw CommandError("\(location): \(problem).\(advice)")
        }
        if let refusal { throw refusal }
        if let schemaProblem, !stored.isEmpty {
            Output.error(
                "Stored, without a comparison with what programs declared about \(name): \(schemaProblem)."
            )
        }
        if isFile, !isKeptByXML(stored) { try tellWhatWasLeftOut(of: stored) }
        return fits
    }

    /// Where others have stored something while all was being stored where there was nothing.
    private func madeMeanwhile(_ values: PropertyListEntries) -> CommandError {
        let keys = values.map { "“\($0.key)”" }.sorted()
        let some =
            keys.prefix(3).joined(separator: ", ") + (keys.count > 3 ? " and \(keys.count - 3) more" : "")
        return CommandError(
            "Others have stored \(some) in domain (\(name)) meanwhile, which held nothing before; once more adds to "
                + "that.\nDefaults have not been changed."
        )
    }

    /// A file that is there keeps its format, and XML holds whole seconds.
    private func tellWhatWasLeftOut(of stored: [String: PropertyListValue]) throws {
        guard let values = try values() else { return }
        let keys = stored.filter { values[$0.key] != $0.value }.keys.sorted().map { "“\($0)”" }
        if keys.isEmpty { return }
        Output.error("\(location) is XML, which holds whole seconds: \(keys.joined(separator: ", ")).")
    }
}

extension Domain {
    /// Deletes all of it, and tells whether there was anything.
    func remove() throws -> Bool {
        if let path {
            var file = FileStorage(path: path)
            return try file.remove()
        }
        var storage = storage()
        return try storage.removeAll(onlyPart: false)
    }

    /// What keeps it.
    var kind: PlaceKind { place?.kind ?? .files }

    /// Where values are kept that no program could read and that were written over since, the oldest first.
    func keptValues() throws(SettingsError) -> [String] {
        if let path { return try KeptValues.files(besideSuite: path) }
        guard case .named(let name, let place) = home else { return [] }
        return try place.keptValues(of: name)
    }

    /// The values that a key has had; nil where nobody keeps them.
    func history(ofKey key: String, limit: Int) throws -> [SettingRevision]? {
        guard case .named(let name, let place) = home else { return nil }
        return try place.history(ofKey: key, in: name, limit: limit)
    }

    /// Stores a value that a key had before (nil: removes it), if it still has another one.
    ///
    /// - Throws: `ExitCode` with the status of a conflict where it has changed; where it is none that the program has
    ///   declared for the key by now.
    func goBack(_ key: String, from current: PropertyListValue?, to old: PropertyListValue?) throws {
        if let old { try schemaPlace?.read().validate(old, forKey: key) }
        do throws(SettingsError) {
            try suite.replace([key: old], expecting: [key: current])
        } catch {
            guard case .conflict = error else { throw error }
            Output.error("Nothing was written: \(key) has changed meanwhile.")
            throw ExitCode(ExitStatus.conflict)
        }
    }
}

/// Whether an XML file holds the values and gives them back the same.
private func isKeptByXML(_ values: [String: PropertyListValue]) -> Bool {
    guard let bytes = try? PropertyListValue.dictionary(values).encoded(as: .xml) else { return false }
    return (try? PropertyListValue.read(bytes))?.value == .dictionary(values)
}

extension CommandWords {
    /// The domains of a place.
    ///
    /// - Throws: where it was named and is not there: its name is likely misspelt.
    func allDomains(in place: any SuitePlace) throws -> [Domain] {
        try domainNames(in: place).map { Domain($0, in: place) }
    }

    func domainNames(in place: any SuitePlace) throws -> [SuiteName] {
        if has(.directory), try !place.isThere() {
            throw CommandError("There is no folder \(place.location). “pdefaults write” makes it.")
        }
        do throws(SettingsError) {
            return try place.suiteNames()
        } catch {
            guard case .system(let problem) = error, problem.number == ENOTDIR else { throw error }
            throw CommandError("\(place.location) is no folder; the domains of a place are files in one.")
        }
    }
}
