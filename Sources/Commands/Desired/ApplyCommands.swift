import CommandLanguage
import DesiredSettings
import PropertyList
import SettingsStore

// The commands about desired settings: `apply`, `unapply` and `applied`.

/// Runs `apply`: sets what settings files ask for, or prints what would change.
func apply(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    let name = try line.word(of: .asName).map(AppliedFolder.validated)
    if name == nil, line.has(.take) { throw UsageError("--take needs --as.", of: .apply) }
    guard line.has(.dryRun) else {
        var run = try ApplyRun(line, as: name, line.desiredParts(in: backend), locking: true)
        return try run.run()
    }
    let status: Int32
    do {
        var run = try ApplyRun(line, as: name, line.desiredParts(in: backend), locking: false)
        status = run.rehearse()
    } catch {
        Output.error(message(for: error))
        throw ExitCode(ExitStatus.trouble)
    }
    if status != 0 { throw ExitCode(status) }
}

/// Runs `unapply`: puts back everything that a name has set.
func unapply(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    let name = try line.knownName()
    var run = try ApplyRun(line, as: name, [], locking: true)
    try run.run()
}

extension ParsedCommand {
    /// The name after the command.
    ///
    /// - Throws: ``CommandError`` if nothing is applied under this name.
    fileprivate func knownName() throws -> String {
        let name = try AppliedFolder.validated(words[0])
        guard try AppliedFolder.standard.names().contains(name) else {
            throw CommandError(
                "Nothing is applied as “\(MessageText.name(name))”. “pdefaults applied” lists the names."
            )
        }
        return name
    }
}

/// Runs `applied`: lists the names, or the settings of a name with their state.
func listApplied(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    if line.words.isEmpty {
        let names = try AppliedFolder.standard.names()
        if line.has(.json) { return Output.json(.array(names.map { .string($0) })) }
        for name in names { Output.line(lineName(name)) }
        return
    }
    let settings = try AppliedFolder.standard.settings(of: line.knownName()) ?? AppliedSettings()
    var (objects, hidden): ([PropertyListValue], Set<ValuePath>) = ([], [])
    var (hasDrifted, hasFailed) = (false, false)
    for (suite, owned) in settings.suites.sorted(by: { $0.key < $1.key }) {
        do {
            func add(failure: String) {
                hasFailed = true
                guard line.has(.json) else { return Output.line("\(lineName(suite)): failed: \(failure)") }
                objects.append(["suite": .string(suite), "state": "failed", "reason": .string(failure)])
            }
            owned.failure.map(add)
            guard owned.mayOwn else { continue }
            let target = try SuiteTarget(suite, in: SettingsFolder.standard)
            let values = try target.values { Output.error("\($0).") } ?? PropertyListEntries()
            let locks = target.otherLayers().layers.filter { $0.layer == .mandatory }
            let memory = owned.memory(for: values)
            if owned.failure == nil, let pending = owned.pending, memory != pending.memory {
                add(failure: "The command was interrupted. Run it again.")
            }
            for (path, entry) in memory.entries.sorted(by: { $0.key < $1.key }) {
                let lock = locks.first { $0.values[path.key] != nil }
                let state = AppliedState(
                    of: path,
                    entry,
                    in: values,
                    lock.map { ($0.values, $0.location ?? "") }
                )
                hasDrifted = hasDrifted || state.hasDrifted
                let isHidden = target.hides(path.key, line)
                guard line.has(.json) else {
                    Output.line("\(lineName(suite)) \(path.text): \(state.text(of: path, entry, isHidden))")
                    continue
                }
                if isHidden {
                    let members = Set(["element", "set", "before", "current"])
                    hidden.formUnion(members.places(in: [.index(objects.count)]))
                }
                objects.append(state.object(suite, path, entry))
            }
        } catch {
            Output.error("\(lineName(suite)): \(message(for: error))")
            hasFailed = true
        }
    }
    if line.has(.json) { Output.json(.array(objects), hiding: hidden) }
    if hasDrifted || hasFailed { throw ExitCode(ExitStatus.failure) }
}

/// How an applied setting compares with the stored value.
private enum AppliedState {
    case applied
    case changed(PropertyListValue)
    case gone
    /// An administrator’s file gives programs another value.
    case locked(PropertyListValue, by: String)

    init(
        of path: SettingPath,
        _ entry: AppliedSettings.Entry,
        in values: PropertyListEntries,
        _ lock: (values: PropertyListEntries, location: String)?
    ) {
        if let lock, let value = lock.values[path.key],
            !isSame(Reconciliation.value(at: path, in: lock.values), entry.applied)
        {
            self = .locked(value, by: lock.location)
            return
        }
        let current = Reconciliation.value(at: path, in: values)
        if isSame(current, entry.applied) {
            self = .applied
        } else {
            self = current.map(AppliedState.changed) ?? .gone
        }
    }

    var hasDrifted: Bool { if case .applied = self { false } else { true } }

    private var name: String {
        switch self {
        case .applied: "applied"
        case .changed: "changed since"
        case .gone: "gone"
        case .locked: "locked"
        }
    }

    func text(of path: SettingPath, _ entry: AppliedSettings.Entry, _ isHidden: Bool) -> String {
        let element = path.element.map { "(… \(shown($0, beside: nil, isHidden))) " } ?? ""
        switch self {
        case .applied, .gone: return element + name
        case .changed(let current):
            return "\(element)\(name): \(shown(entry.applied, beside: current, isHidden)) -> "
                + shown(current, beside: entry.applied, isHidden)
        case .locked(let value, let location):
            return "\(element)\(name) by \(location): \(shown(entry.applied, beside: value, isHidden)) -> "
                + shown(value, beside: entry.applied, isHidden)
        }
    }

    func object(_ suite: String, _ path: SettingPath, _ entry: AppliedSettings.Entry) -> PropertyListValue {
        var object: [String: PropertyListValue] = [
            "suite": .string(suite), "key": .string(path.key), "state": .string(name),
            "since": .date(entry.since),
        ]
        if !path.members.isEmpty { object["at"] = .string(path.inside.description) }
        object["element"] = path.element
        object["set"] = entry.applied
        object["before"] = entry.before
        switch self {
        case .applied: object["current"] = entry.applied
        case .changed(let value), .locked(let value, _): object["current"] = value
        case .gone: break
        }
        return .dictionary(object)
    }
}
