import CommandLanguage
import DesiredSettings
import PropertyList
import SettingsStore

/// A run of `apply` or `unapply`.
///
/// The memory of the name is stored before the settings, as it is before and after each suite's transaction. So the same
/// command, run again after an interruption, ends as if nothing had happened. Each suite is one transaction, on the condition that its
/// values are those on which the changes are based. Otherwise the suite is read again.
struct ApplyRun {
    private let line: ParsedCommand
    private let name: String?
    private let folder = AppliedFolder.standard
    private var parts: [DesiredPart]
    /// The settings of the name, as its file has them.
    private var memory = AppliedSettings()
    /// The memories of the other names from which settings are taken.
    private var donors: [String: AppliedSettings] = [:]
    private var hasFailed = false

    /// How often a suite is read again that other programs keep changing.
    private static let attempts = 50

    /// - Parameter parts: Gets the suites with their settings. Suites that only the memory names are added.
    init(
        _ line: ParsedCommand,
        as name: String?,
        _ parts: [DesiredPart],
        locking: Bool
    ) throws {
        (self.line, self.name, self.parts) = (line, name, parts)
        guard let name else { return }
        if line.has(.cluster) || line.has(.gsettings) {
            throw CommandError(
                "A name is remembered for suites in files only. Leave out --as to apply settings to a cluster or desktop."
            )
        }
        if locking { try folder.lock() }
        memory = try folder.settings(of: name) ?? AppliedSettings()
        let names = memory.names
        for index in parts.indices {
            if let known = names[parts[index].place] { self.parts[index].suite = known }
        }
        for other in try folder.names() where other != name && !parts.isEmpty {
            let settings: AppliedSettings?
            do {
                settings = try folder.settings(of: other)
            } catch {
                // One damaged file must not stop the other names.
                Output.error("\(error) Until then, “\(MessageText.name(other))” owns no settings.")
                continue
            }
            if let settings { try share(with: other, settings) }
        }
        for (suite, owned) in memory.suites.sorted(by: { $0.key < $1.key })
        where owned.mayOwn && !self.parts.contains(where: { $0.suite == suite }) {
            self.parts.append(DesiredPart(try SuiteTarget(suite, in: SettingsFolder.standard)))
        }
    }

    /// Refuses settings that another name has set, or takes them over.
    private mutating func share(with other: String, _ settings: AppliedSettings) throws {
        var rest = settings
        let names = settings.names
        for part in parts {
            guard let suite = names[part.place], let owned = settings.suites[suite] else { continue }
            for setting in part.settings {
                for (path, entry) in owned.entries where path.overlaps(setting.path) {
                    let text = "\(lineName(part.target.name)) \(path.text) is set by “\(other)”"
                    guard line.has(.take) else {
                        throw CommandError(
                            "\(text) already. Take it out of one of the files, or use --take. Nothing was written."
                        )
                    }
                    guard path == setting.path else {
                        throw CommandError(
                            "\(text), and \(setting.path.text) overlaps it. --take needs the same path. Take it out of one of the "
                                + "files. Nothing was written."
                        )
                    }
                    rest.suites[suite]?.forget(path)
                    memory.suites[part.suite, default: .init()].take(path, entry, from: owned)
                }
            }
        }
        if rest != settings { donors[other] = rest }
    }
}

extension ApplyRun {
    /// Writes what has to change.
    ///
    /// - Throws: ``ExitCode`` if a suite could not be written. The reasons were printed.
    mutating func run() throws {
        let owned = memory
        var stored = donors.isEmpty ? memory : nil
        func remember(_ memory: AppliedSettings) throws {
            guard let name, memory != stored else { return }
            try folder.store(memory, of: name)
            stored = memory
        }
        // A suite that failed and is no longer in the files is forgotten.
        memory.suites = memory.suites.filter { suite in parts.contains { $0.suite == suite.key } }
        var pending = parts
        for _ in 0..<Self.attempts where !pending.isEmpty {
            var work: [ReconciledPart] = []
            for part in pending {
                do {
                    let new = try part.reconciled(owned: owned.suites[part.suite])
                    work.append(new)
                    let pending = AppliedSettings.Pending(new.result.changes, new.result.memory)
                    memory.suites[part.suite, default: .init()].memory = new.memory
                    memory.suites[part.suite]?.pending = new.edits.isEmpty ? nil : pending
                } catch {
                    report(error, of: part)
                }
            }
            try remember(memory)
            for (other, rest) in donors { try folder.store(rest, of: other) }
            donors = [:]
            pending = []
            for new in work {
                let part = new.part
                do {
                    if !new.edits.isEmpty { try part.target.change(EditPlan(new.edits)) }
                    memory.suites[part.suite] = .init(new.result.memory)
                    part.target.reportRounding(of: new.rounded)
                    for left in new.result.left { Output.error(text(of: left, in: part)) }
                } catch let refusal as EditRefusal where refusal.isConflict {
                    pending.append(part)
                } catch {
                    report(error, of: part)
                }
            }
        }
        for part in pending {
            report(CommandError("Other programs keep changing the suite. Run the command again."), of: part)
        }
        try remember(memory)
        if hasFailed { throw ExitCode(ExitStatus.failure) }
    }

    /// Prints what would change.
    ///
    /// - Returns: The exit status.
    mutating func rehearse() -> Int32 {
        var wouldChange = false
        for part in parts {
            do {
                let result = try part.reconciled(owned: memory.suites[part.suite]).result
                for difference in result.differences { Output.line(text(of: difference, in: part)) }
                for left in result.left { Output.error(text(of: left, in: part)) }
                wouldChange = wouldChange || !result.changes.isEmpty
                try part.target.check(result.changes)
            } catch {
                report(error, of: part)
            }
        }
        return hasFailed ? ExitStatus.trouble : wouldChange ? ExitStatus.failure : 0
    }

    private mutating func report(_ error: any Error, of part: DesiredPart) {
        hasFailed = true
        let text = message(for: error)
        memory.suites[part.suite, default: .init()].failure = text
        Output.error(text.hasPrefix(part.target.name) ? text : "\(lineName(part.target.name)): \(text)")
    }

    private func text(of difference: Reconciliation.Difference, in part: DesiredPart) -> String {
        let hides = part.target.hides(difference.path.key, line)
        return "\(lineName(part.target.name)) \(difference.path.text): "
            + "\(shown(difference.old, beside: difference.new, hides)) -> "
            + shown(difference.new, beside: difference.old, hides)
    }

    private func text(of left: Reconciliation.Left, in part: DesiredPart) -> String {
        let hides = part.target.hides(left.path.key, line)
        return
            "\(lineName(part.target.name)) \(left.path.text) was left at \(shown(left.current, beside: left.applied, hides)), "
            + "because it is no longer \(shown(left.applied, beside: left.current, hides)) as applied."
    }
}

extension AppliedSettings.Suite {
    fileprivate mutating func forget(_ path: SettingPath) {
        memory.entries[path] = nil
        guard let pending else { return }
        var rest = pending.memory
        rest.entries[path] = nil
        self.pending = .init(pending.values, rest)
    }

    /// Takes over a setting that another name has set, with the containers that were made for it.
    fileprivate mutating func take(_ path: SettingPath, _ entry: AppliedSettings.Entry, from other: Self) {
        if entries[path] == nil { memory.entries[path] = entry }
        memory.made.formUnion(other.memory.made.filter { path.isInside($0) })
    }
}

extension SettingPath {
    /// The path on a line of output: the key, and the pointer to a member.
    var text: String {
        let pointer = members.isEmpty ? "" : " " + lineName(inside.description)
        return lineName(key) + pointer
    }
}

extension SuiteTarget {
    /// Whether the value of a key must not be printed. Unreadable declarations hide all values.
    func hides(_ key: String, _ line: ParsedCommand) -> Bool {
        (try? hiddenKeys(line))?.contains(key) ?? true
    }

    /// Checks that a write would not be refused.
    fileprivate func check(_ changes: [String: PropertyListValue?]) throws {
        let schema = try schemaPlace?.read()
        let locks = otherLayers().layers.filter { $0.layer == .mandatory }
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            guard let value else { continue }
            for lock in locks where lock.values[key] != nil {
                throw SettingsError.locked(key: key, by: lock.location ?? "")
            }
            try schema?.validate(value, forKey: key)
            if storesJSON {
                _ = try value.inJSON
            } else {
                _ = try PropertyListValue.dictionary([key: value]).encoded(as: .binary)
            }
        }
    }
}

/// A value in a line of output. Its type is added if another value would look the same.
func shown(_ value: PropertyListValue?, beside other: PropertyListValue?, _ isHidden: Bool) -> String {
    guard let value else { return "(none)" }
    if isHidden { return PropertyListValue.hiddenText }
    func text(_ value: PropertyListValue) -> String {
        guard case .array(let elements) = value else { return differing(value, nil) }
        return "(" + elements.map(text).joined(separator: ", ") + ")"
    }
    let own = text(value)
    return other.map(text) == own ? value.typedJSON() : own
}
