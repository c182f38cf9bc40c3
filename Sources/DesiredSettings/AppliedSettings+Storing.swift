import FoundationEssentials
import PropertyList

// The file with the memory of a name. Each suite is a key of the file. Values are typed JSON, because a property list has no
// place for values that only JSON files have.
extension AppliedSettings {
    /// - Throws: ``SettingsFileError`` if another program has changed the file.
    package init(stored: [String: PropertyListValue]) throws {
        for (suite, value) in stored {
            guard case .dictionary(let entries) = value, let memory = try Memory(entries) else {
                throw Self.damaged(suite)
            }
            suites[suite] = Suite(memory)
            if case .string(let failure)? = entries["failure"] { suites[suite]?.failure = failure }
            guard case .dictionary(let pending)? = entries["pending"] else { continue }
            guard case .dictionary(let values)? = pending["values"], let memory = try Memory(pending) else {
                throw Self.damaged(suite)
            }
            suites[suite]?.pending = Pending(try values.mapValues { try $0.decoded() }, memory)
        }
    }

    fileprivate static func damaged(_ suite: String) -> SettingsFileError {
        SettingsFileError("\(MessageText.name(suite)): this is not what “pdefaults apply” has written")
    }

    /// The values of the file. Suites in which nothing is set and nothing failed are left out.
    package var stored: [String: PropertyListValue] {
        suites.filter { $0.value.mayOwn || $0.value.failure != nil }.mapValues { suite in
            var stored = suite.memory.stored
            stored["failure"] = suite.failure.map { .string($0) }
            if let pending = suite.pending {
                let values = PropertyListValue.dictionary(pending.values.mapValues(encoded))
                stored["pending"] = .dictionary(pending.memory.stored.merging(["values": values]) { $1 })
            }
            return .dictionary(stored)
        }
    }
}

extension AppliedSettings.Memory {
    fileprivate init?(_ stored: [String: PropertyListValue]) throws {
        guard case .array(let settings)? = stored["settings"], case .array(let made)? = stored["made"] else {
            return nil
        }
        for case .dictionary(let entry) in settings {
            guard let path = try SettingPath(entry), case .date(let since)? = entry["since"],
                let applied = entry["set"], let before = entry["before"]
            else { return nil }
            entries[path] = AppliedSettings.Entry(
                since: since,
                before: try before.decoded(),
                applied: try applied.decoded()
            )
        }
        for case .dictionary(let container) in made {
            if let path = try SettingPath(container) { self.made.insert(path) }
        }
    }

    fileprivate var stored: [String: PropertyListValue] {
        let settings = entries.sorted { $0.key < $1.key }.map { path, entry in
            let own: [String: PropertyListValue] = [
                "since": .date(entry.since), "set": encoded(entry.applied), "before": encoded(entry.before),
            ]
            return PropertyListValue.dictionary(path.stored.merging(own) { $1 })
        }
        return ["settings": .array(settings), "made": .array(made.sorted().map { .dictionary($0.stored) })]
    }
}

extension SettingPath {
    fileprivate init?(_ stored: [String: PropertyListValue]) throws {
        guard case .string(let key)? = stored["key"] else { return nil }
        self.init(key)
        if case .array(let members)? = stored["members"] {
            self.members = members.compactMap { if case .string(let name) = $0 { name } else { nil } }
        }
        element = try stored["element"]?.decoded()
    }

    fileprivate var stored: [String: PropertyListValue] {
        var stored: [String: PropertyListValue] = ["key": .string(key)]
        if !members.isEmpty { stored["members"] = .array(members.map { .string($0) }) }
        if let element { stored["element"] = encoded(element) }
        return stored
    }
}

/// A value as typed JSON. The empty text means that there is none.
private func encoded(_ value: PropertyListValue?) -> PropertyListValue { .string(value?.typedJSON() ?? "") }

extension PropertyListValue {
    fileprivate func decoded() throws -> PropertyListValue? {
        guard case .string(let text) = self else {
            throw SettingsFileError("found \(kind.withArticle) as a value")
        }
        return text.isEmpty ? nil : try PropertyListValue.read(typedJSON: Data(text.utf8))
    }
}
