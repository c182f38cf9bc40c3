import CommandLanguage
import FoundationEssentials
import Glibc
import PropertyList
import SettingsEditor
import SettingsStore

// The commands about declared settings: `check` and `schema`.

/// Runs `check`: whether suites can be read, match their declarations, and have no quarantined values.
///
/// A finding that is not certainly a fault is reported as a note.
func check(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    let targets =
        line.words.isEmpty
        ? try line.allTargets(in: backend)
        : try line.words.map { try SuiteTarget($0, in: backend) }
    let findings = targets.flatMap { target in target.findings.map { (target: target.name, finding: $0) } }
    let isWhole = findings.allSatisfy(\.finding.isNote)
    if line.has(.json) {
        Output.json(
            .array(
                findings.map { target, finding in
                    ["suite": .string(target), finding.isNote ? "note" : "problem": .string(finding.text)]
                }
            )
        )
    } else {
        for (target, finding) in findings {
            Output.line("\(lineName(target)): \(finding.isNote ? "note: " : "")\(finding.text)")
        }
        if isWhole {
            Output.line(targets.count == 1 ? "1 suite OK" : "\(targets.count) suites OK")
        }
    }
    if !isWhole { throw ExitCode(ExitStatus.failure) }
}

/// A finding of `check`.
private struct Finding {
    let text: String
    /// Whether the finding might not be a fault.
    var isNote = false
}

extension SuiteTarget {
    /// The problems and notes of the suite, in the order of its keys.
    fileprivate var findings: [Finding] {
        var problems: [String] = []
        var notes: [String] = []
        var systemHasRefused = false
        func note(_ error: any Error) {
            if case .system? = error as? SettingsError {
                // A system error for one file usually affects the files beside it too, so it is reported
                // once.
                if systemHasRefused { return }
                systemHasRefused = true
            }
            let text = message(for: error)
            // The output already starts with the suite's name.
            problems.append(text.hasPrefix("\(name): ") ? String(text.dropFirst(name.count + 2)) : text)
        }
        var schema = SuiteSchema()
        do {
            schema = try schemaPlace?.read() ?? SuiteSchema()
        } catch {
            note(error)
        }
        do {
            let others = otherLayers()
            problems += others.problems.map(\.description)
            for layer in others.layers {
                for (key, value) in layer.values.sorted(by: { $0.key < $1.key }) {
                    do throws(InvalidValueError) {
                        try schema.validate(value, forKey: key)
                    } catch {
                        problems.append("\(MessageText.path(layer.location ?? "")): \(error)")
                    }
                }
            }
            guard let values = try values({ problems.append($0) }) else {
                if others.exists { return findings(problems, notes) }
                throw missing
            }
            notes += others.sentencesAboutLocks(hiding: values)
            for (key, value) in [String: PropertyListValue](values).sorted(by: { $0.key < $1.key }) {
                let invalid = schema.problems(with: value, at: [.key(key)])
                invalid.forEach(note)
                let change = ValueChange(old: nil, new: value)
                if invalid.isEmpty, let doubt = schema.declarations[key]?.doubt(about: change) {
                    notes.append("programs may not read “\(MessageText.name(key))”: \(doubt)")
                }
            }
            notes += schema.deprecations(in: [String: PropertyListValue](values)).map {
                "\($0.path.messageText) is deprecated" + ($0.sentence.isEmpty ? "" : ": \($0.sentence)")
            }
            notes += notesOnUnicodeForms(of: values) + notesOnJSON
        } catch {
            note(error)
        }
        do throws(SettingsError) {
            let kept = try keptValues()
            if let newest = kept.last {
                let count = kept.count == 1 ? "a value" : "\(kept.count) values"
                problems.append(
                    "\(count) that no program could read, kept before being overwritten. Delete the files when you no longer "
                        + "need them, the newest is \(newest)"
                )
            }
        } catch {
            note(error)
        }
        return findings(problems, notes)
    }

    private func findings(_ problems: [String], _ notes: [String]) -> [Finding] {
        problems.map { Finding(text: $0) } + notes.map { Finding(text: $0, isNote: true) }
    }
}

extension SuiteSchema {
    /// The problems of the values inside a value. If there are none, the problem of the value itself.
    fileprivate func problems(with value: PropertyListValue, at path: ValuePath) -> [InvalidValueError] {
        guard let declaration = declaration(at: path) else { return [] }
        // A message about a part would quote it.
        if !declaration.isSecret {
            let inside = ValueNode(value).children.flatMap { step, node -> [InvalidValueError] in
                guard case .propertyList(let value) = node.content else { return [] }
                return problems(with: value, at: path.appending(step))
            }
            if !inside.isEmpty { return inside }
        }
        guard let problem = declaration.problem(with: value) else { return [] }
        let place = path.steps.count > 1 ? "at \(path.inside): " : ""
        return [InvalidValueError(key: path.key, problem: place + problem)]
    }
}

extension SuiteLayers {
    /// A sentence about each of the user’s values that has no effect because of a lock.
    fileprivate func sentencesAboutLocks(hiding values: PropertyListEntries) -> [String] {
        layers.filter { $0.layer == .mandatory }.flatMap { locks in
            locks.values.filter { values[$0.key] != nil && values[$0.key] != $0.value }.map(\.key).sorted()
                .map {
                    "the user’s value of “\(MessageText.name($0))” has no effect, because "
                        + "\(MessageText.path(locks.location ?? "")) locks the key"
                }
        }
    }
}

extension SuiteTarget {
    /// Says which names occur several times in an object of a JSON file, why the schema that it names is not used, and whether a
    /// property list has the suite's name too. The sentences have no full stop.
    fileprivate var notesOnJSON: [String] {
        guard let path else { return [] }
        var notes: [String] = []
        if let bytes = try? Data(contentsOf: URL(filePath: path)),
            let document = try? PropertyListDocument.read([UInt8](bytes), expecting: .ofNewFile(called: path))
                .document
        {
            let repeated = document.repeatedMembers.map { path, members in
                (path, first: members.first?.line ?? 0, last: members.last?.line ?? 0)
            }
            notes += repeated.sorted { $0.first < $1.first }.map { path, first, last in
                "\(path.messageText) occurs in line \(first) and again in line \(last), and only the last one counts"
            }
        }
        if let problem = (schemaPlace as? SchemaFile)?.problemWithNamedSchema { notes.append(problem) }
        if let other = unreadJSONFile {
            notes.append(
                "\(abbreviated(other)) is not read, because a property list has the same name. Rename or delete one of the two"
            )
        }
        return notes
    }

    /// Describes each key that the file contains in several Unicode forms, of which only one is read. The sentences have
    /// no full stop.
    func notesOnUnicodeForms(of values: PropertyListEntries) -> [String] {
        Set(values.keysInSeveralForms).sorted().map { key in
            "“\(MessageText.name(key))” exists in several Unicode forms, and only one is read; a change may drop the "
                + "others. To keep them, first rename them in \(location)"
        }
    }
}

/// Runs `schema`: prints the settings that programs have declared for a suite.
func printSchema(of target: SuiteTarget) throws {
    let store = target.schemaPlace
    let schema = try store?.read() ?? SuiteSchema()
    guard !schema.isEmpty else {
        throw CommandError(
            "No program has declared the settings of \(target.name) (looked for \(store?.location ?? target.location))."
        )
    }
    Output.text(String(decoding: schema.text, as: UTF8.self))
}
