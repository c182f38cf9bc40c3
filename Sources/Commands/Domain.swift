import CommandLanguage
import PropertyList
import SettingsStore

/// A suite that a command line names: by its name in the folder, or by the path of its file.
struct Domain {
    /// As it was named.
    let name: String
    let path: String

    /// - Throws: a sentence where the name can't be a suite's.
    init(_ word: String, in folder: SettingsFolder) throws {
        switch try DomainName(word) {
        case .path(let path):
            name = word
            self.path = Self.filePath(SettingsFolder(path: path).path)
        case .suite(let suite):
            name = suite
            do {
                path = folder.filePath(of: try SuiteName(suite))
            } catch {
                throw CommandError("\(error) To name a file, start with “/”, “./” or “~/”: ./\(suite)")
            }
        }
    }

    init(_ name: SuiteName, in folder: SettingsFolder) {
        self.name = name.rawValue
        path = folder.filePath(of: name)
    }

    /// The path, with `.plist` behind it unless a file without is there.
    private static func filePath(_ path: String) -> String {
        if path.hasSuffix(".plist") { return path }
        let info = (try? LiveFileSystem().stat(path)) ?? nil
        let isThere = info.map { $0.kind != .folder } ?? false
        return isThere ? path : path + ".plist"
    }

    /// The suite, to be observed or edited. What reads or writes once does without, and so without a watch.
    var suite: SettingsSuite { SettingsSuite(file: path) }
}

extension Domain {
    /// All that is stored; nil where there is no file.
    func values() throws -> PropertyListEntries? {
        var storage = FileStorage(path: path)
        let reading = try storage.read()
        guard reading.exists else { return nil }
        var values = PropertyListEntries()
        reading.apply(to: &values)
        return values
    }

    /// All that is stored.
    ///
    /// - Throws: a sentence where there is no file.
    func presentValues() throws -> [String: PropertyListValue] {
        guard let values = try values() else {
            throw CommandError("Domain \(name) does not exist (looked for \(path)).")
        }
        return [String: PropertyListValue](values)
    }

    /// - Throws: a sentence where nothing is stored under the key.
    func value(forKey key: String) throws -> PropertyListValue {
        guard let value = try values()?[key] else {
            throw CommandError(
                "The domain/default pair of (\(name), \(key)) does not exist (looked in \(path))."
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
        var storage = FileStorage(path: path)
        // A schema that can't be read is for “check” to tell; what it says of the values nobody knows.
        let schema = (try? SchemaFile(besideSuite: path).read()) ?? SuiteSchema()
        var values = PropertyListEntries()
        var refusal: (any Error)?
        try storage.update { reading in
            reading.apply(to: &values)
            do {
                refusal = nil
                let changes = try plan.changes(to: values, of: name)
                for (key, value) in changes { if let value { try schema.validate(value, forKey: key) } }
                return StorageWrite(changes: changes)
            } catch {
                refusal = error
                return StorageWrite(changes: [:])
            }
        }
        if let refusal { throw refusal }
    }
}

extension StorageReading {
    /// Brings values that were read before up to this reading.
    fileprivate func apply(to values: inout PropertyListEntries) {
        switch difference {
        case .none: break
        case .all(let all): values = all
        case .some(let changes): for (key, value) in changes { values[key] = value }
        }
    }
}
