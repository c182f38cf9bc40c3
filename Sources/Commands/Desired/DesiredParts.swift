import CommandLanguage
import DesiredSettings
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// A suite with the settings that it must have.
struct DesiredPart {
    let target: SuiteTarget
    /// The suite in the memory of names: its name, or the path of a file outside the standard folder.
    var suite: String
    /// The file itself.
    let place: String
    var keys: [(key: String, settings: [DesiredSetting])] = []

    init(_ target: SuiteTarget) {
        self.target = target
        (suite, place) = (target.lastingName, target.place)
    }

    var settings: [DesiredSetting] { keys.flatMap(\.settings) }

    /// Replaces the settings of a key. It keeps its position in the order.
    mutating func set(_ key: String, _ settings: [DesiredSetting]) {
        if let index = keys.firstIndex(where: { $0.key == key }) {
            keys[index].settings = settings
        } else {
            keys.append((key, settings))
        }
    }

    /// Works out what has to change.
    ///
    /// - Parameter owned: What the name has set.
    func reconciled(owned: AppliedSettings.Suite?) throws -> ReconciledPart {
        let stored = try target.values { Output.error("\($0).") } ?? PropertyListEntries()
        let memory = owned?.memory(for: stored) ?? .init()
        let storable = target.stored(settings)
        let result = try Reconciliation(of: stored, with: storable, owned: memory)
        // In JSON, a date that became a text has lost nothing.
        let rounded = target.storesJSON ? [] : zip(settings, storable).filter { $0 != $1 }.map(\.0.path.key)
        return ReconciledPart(
            part: self,
            result: result,
            memory: memory,
            edits: result.changes.map { Edit($0.key, from: stored[$0.key], to: $0.value) },
            rounded: Set(rounded).filter { result.changes.keys.contains($0) }
        )
    }
}

/// The changes that a settings file asks for in one suite.
struct ReconciledPart {
    let part: DesiredPart
    let result: Reconciliation
    /// The remembered settings of this suite that still apply before the change.
    let memory: AppliedSettings.Memory
    /// The changes, on the condition that the values are those on which they are based.
    let edits: [Edit]
    /// The changed keys whose dates lose their fractions of a second.
    let rounded: Set<String>
}

extension Edit {
    /// A change of a key that is made only if the key still has its value.
    fileprivate init(_ key: String, from old: PropertyListValue?, to new: PropertyListValue?) {
        let operation = new.map { ValueOperation.set(.propertyList($0)) } ?? .delete
        self = .write(key: key, at: nil, operation, if: old.map { .exactly(.propertyList($0)) } ?? .absent)
    }
}

extension AppliedSettings {
    /// The suites by their files. A link can make two paths lead to one file, which is one suite.
    var names: [String: String] {
        let places = suites.keys.sorted().map { suite in
            ((try? SuiteTarget(suite, in: SettingsFolder.standard))?.place ?? suite, suite)
        }
        return Dictionary(places) { first, _ in first }
    }
}

extension SuiteTarget {
    /// The suite’s name if it is one of the standard folder, and otherwise its path or URL.
    fileprivate var lastingName: String {
        guard let path, let name = layeredName, SettingsFolder.standard.filePath(of: name) == path else {
            return location
        }
        return SuiteTarget(name, in: SettingsFolder.standard).name
    }

    /// The settings as the suite’s file stores them: dates and data are texts in JSON, and XML has whole seconds only. Otherwise
    /// they would differ each time.
    fileprivate func stored(_ settings: [DesiredSetting]) -> [DesiredSetting] {
        if storesJSON {
            return settings.map { setting in
                var path = setting.path
                // A value that JSON cannot hold stays as it is, and the write refuses it.
                path.element = path.element.map { (try? $0.inJSON) ?? $0 }
                return DesiredSetting(path, setting.value.map { (try? $0.inJSON) ?? $0 })
            }
        }
        func rounded(_ value: PropertyListValue?) -> PropertyListValue? {
            guard let value, value.hasFractionOfSecond, let xml = try? value.encoded(as: .xml) else {
                return value
            }
            return (try? PropertyListValue.read(xml).value) ?? value
        }
        guard settings.contains(where: { $0.value?.hasFractionOfSecond == true }), let path,
            let bytes = try? Data(contentsOf: URL(filePath: path)),
            let document = try? PropertyListDocument.read([UInt8](bytes)).document, document.format == .xml
        else { return settings }
        return settings.map { setting in
            var path = setting.path
            path.element = rounded(path.element)
            return DesiredSetting(path, rounded(setting.value))
        }
    }
}

extension PropertyListValue {
    fileprivate var hasFractionOfSecond: Bool {
        switch self {
        case .date(let date):
            let seconds = date.timeIntervalSinceReferenceDate
            return seconds.isFinite && seconds != seconds.rounded()
        case .array(let elements): return elements.contains(where: \.hasFractionOfSecond)
        case .dictionary(let entries): return entries.values.contains(where: \.hasFractionOfSecond)
        default: return false
        }
    }
}

extension ParsedCommand {
    /// Reads the settings files of the command. The last file that has a key decides about it.
    ///
    /// - Throws: ``CommandError`` with the file and the position of the first problem.
    func desiredParts(in backend: any SuiteBackend) throws -> [DesiredPart] {
        var parts: [DesiredPart] = []
        for path in words {
            let bytes: [UInt8]
            do { bytes = try readInput(path) } catch {
                throw CommandError("\(error) Check the path of the settings file. Nothing was written.")
            }
            do {
                for suite in try SettingsFile(bytes).suites {
                    let new = DesiredPart(try SuiteTarget(suite.name, in: backend))
                    let index = parts.firstIndex { $0.place == new.place } ?? parts.count
                    if index == parts.count { parts.append(new) }
                    for (key, settings) in suite.keys { parts[index].set(key, settings) }
                }
            } catch let error as SettingsError {
                throw error
            } catch {
                let name = path == "-" ? "Standard input" : path
                throw CommandError("\(name): \(error) Nothing was written.")
            }
        }
        return parts
    }
}
