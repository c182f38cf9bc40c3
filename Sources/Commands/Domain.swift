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
            self.path = try Self.filePath(path)
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
        let target = (try? LiveFileSystem().readlink(path)) ?? nil
        return "looked for \(path)" + (target.map { ", a link to \($0), where nothing is" } ?? "")
    }

    /// The suite, to be observed or edited. What reads or writes once does without, and so without a watch.
    var suite: SettingsSuite { SettingsSuite(file: path) }
}

extension Domain {
    /// All that is stored; nil where there is no such domain. One whose settings were declared is there
    /// before anything is stored.
    func values() throws -> PropertyListEntries? {
        var storage = FileStorage(path: path)
        let reading = try storage.read()
        var values = PropertyListEntries()
        guard reading.exists else { return SchemaFile(besideSuite: path).exists ? values : nil }
        reading.apply(to: &values)
        return values
    }

    /// Whether there is such a domain, be it that it can't be read.
    var exists: Bool {
        get throws { try LiveFileSystem().stat(path) != nil || SchemaFile(besideSuite: path).exists }
    }

    /// All that is stored.
    ///
    /// - Throws: a sentence where there is no such domain.
    func presentValues() throws -> [String: PropertyListValue] {
        guard let values = try values() else {
            throw CommandError("Domain \(name) does not exist (\(absence)).")
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
        // Most new files are XML; one that XML would not keep everything in is binary.
        if try !change(plan, newFormat: .xml) { _ = try change(plan, newFormat: .binary) }
    }

    /// - Returns: false where nothing was done, since a new file of this format would not keep all values
    ///   as they are.
    private func change(_ plan: EditPlan, newFormat: PropertyListFormat) throws -> Bool {
        var storage = FileStorage(path: path, newFormat: newFormat)
        var schema: SuiteSchema?
        do {
            schema = try SchemaFile(besideSuite: path).read()
        } catch {
            // It keeps nobody from writing.
            if newFormat == .xml { Output.error("\(error). So what is written was not compared with it.") }
        }
        let secrets = schema?.secretKeys
        var values = PropertyListEntries()
        var refusal: (any Error)?
        var fits = true
        do {
            try storage.update { reading in
                reading.apply(to: &values)
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
                        reading.exists || newFormat != .xml || isKeptByXML(changes.compactMapValues(\.self))
                    return StorageWrite(changes: fits ? changes : [:])
                } catch {
                    refusal = error
                    return StorageWrite(changes: [:])
                }
            }
        } catch {
            guard case .unrepresentable(_, _, let problem) = error else { throw error }
            throw CommandError(
                "\(path): \(problem). “pdefaults export \(name) FILE” makes a binary file of the domain."
            )
        }
        if let refusal { throw refusal }
        return fits
    }
}

/// Whether an XML file holds the values and gives them back the same.
private func isKeptByXML(_ values: [String: PropertyListValue]) -> Bool {
    guard let bytes = try? PropertyListValue.dictionary(values).encoded(as: .xml) else { return false }
    return (try? PropertyListValue.read(bytes))?.value == .dictionary(values)
}

extension CommandWords {
    /// The domains of a folder.
    ///
    /// - Throws: where it was named and is not there: its name is likely misspelt.
    func domainNames(in folder: SettingsFolder) throws -> [SuiteName] {
        if has(.directory), try LiveFileSystem().stat(folder.path) == nil {
            throw CommandError("There is no folder \(folder.path). “pdefaults write” makes it.")
        }
        return try folder.suiteNames()
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
