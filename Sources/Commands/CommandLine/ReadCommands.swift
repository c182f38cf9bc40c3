import CommandLanguage
import PropertyList
import SettingsStore

// The commands that only read: `suites`, `read`, `read-type`, `find` and `diff`. They print what macOS's
// `defaults` prints wherever it has the command, so that scripts work unchanged.

func listSuites(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    let suites = try line.suiteNames(in: backend)
    let names = suites.map { SuiteTarget($0, in: backend).name }.sorted()
    if line.has(.json) { return Output.json(.array(names.map { .string($0) })) }
    for name in names { Output.line(lineName(name)) }
}

/// Runs `read` in each of its forms.
func read(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    let asJSON = line.has(.json)
    if line.has(.effective), line.has(.layer) {
        throw UsageError("Use either --effective or --layer.", of: .read)
    }
    guard let word = line[0] else { return try readAll(line, in: backend) }
    let target = try SuiteTarget(word, layer: line.layer, in: backend)
    guard let key = line[1] else {
        if line.has(.at) {
            throw UsageError("--at needs a key before it.", of: .read)
        }
        let values = try line.has(.effective) ? target.effectiveValues() : target.presentValues()
        return Output.dictionary(values, hiding: try target.hiddenKeys(line).places(), asJSON: asJSON)
    }
    let value = try target.value(forKey: key, line)
    guard let pointer = try line.pointer else { return Output.value(value, asJSON: asJSON) }
    let node = try node(at: pointer, in: value, target, key)
    if let json = node.json {
        if !asJSON, let text = json.editText { Output.line(text) } else { Output.json(json.source) }
    } else if case .propertyList(let value) = node.content {
        Output.value(value, asJSON: asJSON)
    }
}

private func readAll(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    if line.has(.layer) { throw UsageError("--layer needs a suite.", of: .read) }
    var all: [String: PropertyListValue] = [:]
    var hidden: Set<ValuePath> = []
    var hasFailed = false
    for name in try line.suiteNames(in: backend) {
        do {
            let target = SuiteTarget(name, in: backend)
            let values =
                if line.has(.effective) {
                    try target.effectiveValues()
                } else {
                    try target.values({ Output.error("\($0).") }).map([String: PropertyListValue].init)
                }
            guard let values else { continue }
            hidden.formUnion(try target.hiddenKeys(line).places(in: [.key(target.name)]))
            all[target.name] = .dictionary(values)
        } catch {
            Output.error(message(for: error))
            hasFailed = true
        }
    }
    Output.dictionary(all, hiding: hidden, asJSON: line.has(.json))
    if hasFailed { throw ExitCode(ExitStatus.failure) }
}

/// Runs `read-type`.
func printType(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    let target = try SuiteTarget(line.words[0], layer: line.layer, in: backend)
    let key = line.words[1]
    let value = try target.value(forKey: key, line)
    let node = try node(at: line.pointer ?? JSONPointer(""), in: value, target, key)
    let type =
        switch node.content {
        case .propertyList(.real): "float"
        case .propertyList(let value): value.kind.rawValue
        case .json(let node): node.kind.rawValue
        }
    if line.has(.json) { Output.json(.string(type)) } else { Output.line(MacOSMessage.type(type)) }
}

extension SuiteTarget {
    /// Reads the value of a key: of the user’s layer, of the layer that the line names, or the effective value.
    fileprivate func value(forKey key: String, _ line: ParsedCommand) throws -> PropertyListValue {
        guard line.has(.effective) else { return try value(forKey: key) }
        guard let value = try layers({ Output.error("\($0).") }).value(forKey: key) else {
            throw CommandError(
                "\(MacOSMessage.pairDoesNotExist(name, key)) in any layer. “pdefaults why” lists where it was looked for."
            )
        }
        return value
    }
}

private func node(
    at pointer: JSONPointer,
    in value: PropertyListValue,
    _ target: SuiteTarget,
    _ key: String
) throws -> ValueNode {
    guard let node = ValueNode(value).node(at: pointer.path(in: value)) else {
        throw CommandError(
            "The value of (\(target.name), \(MessageText.name(key))) has no \(pointer)."
        )
    }
    return node
}

func find(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
    let word = line.words[0]
    var found: [String: PropertyListValue] = [:]
    var hidden: Set<ValuePath> = []
    var hasFailed = false
    let search = Search(word)
    for name in try line.suiteNames(in: backend) {
        do {
            let target = SuiteTarget(name, in: backend)
            // All keys of a schema exist, also those that the user has not set.
            let values =
                try target.kind == .desktop
                ? target.effectiveValues()
                : target.values({ Output.error("\($0).") }).map([String: PropertyListValue].init)
            guard let values else { continue }
            let all = search.matches(target.name)
            let candidates = values.filter {
                all || search.matches($0.key) || search.matches($0.value)
            }
            if candidates.isEmpty { continue }
            let secrets = try target.hiddenKeys(line)
            // A hidden value must not match, because it could be guessed letter by letter.
            let matches = candidates.filter {
                all || search.matches($0.key) || !secrets.contains($0.key)
            }
            if matches.isEmpty { continue }
            hidden.formUnion(secrets.places(in: [.key(target.name)]))
            found[target.name] = .dictionary(matches)
            if !line.has(.json) {
                let values = PropertyListValue.dictionary(matches).oldStyle(hiding: secrets.places())
                Output.line(MacOSMessage.found(matches.count, in: lineName(target.name)) + "\(values)")
            }
        } catch {
            Output.error(message(for: error))
            hasFailed = true
        }
    }
    if line.has(.json) { Output.json(.dictionary(found), hiding: hidden) }
    if found.isEmpty { Output.error(MacOSMessage.nothingContains(word)) }
    if hasFailed { throw ExitCode(ExitStatus.failure) }
}

func printDifferences(_ a: SuiteTarget, _ b: SuiteTarget, _ line: ParsedCommand) throws {
    let (old, new): ([String: PropertyListValue], [String: PropertyListValue])
    let secrets: Set<String>
    do {
        (old, new) = (try a.presentValues(), try b.presentValues())
        secrets = try a.hiddenKeys(line).union(b.hiddenKeys(line))
    } catch {
        Output.error(message(for: error))
        throw ExitCode(ExitStatus.trouble)
    }
    let keys = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    if line.has(.json) {
        var differences: [String: PropertyListValue] = [:]
        var hidden: Set<ValuePath> = []
        for key in keys {
            if secrets.contains(key) { hidden.formUnion(Set(["old", "new"]).places(in: [.key(key)])) }
            var sides: [String: PropertyListValue] = [:]
            sides["old"] = old[key]
            sides["new"] = new[key]
            differences[key] = .dictionary(sides)
        }
        Output.json(.dictionary(differences), hiding: hidden)
    } else {
        for key in keys {
            func text(_ value: PropertyListValue, beside other: PropertyListValue?) -> String {
                secrets.contains(key) ? PropertyListValue.hiddenText : differing(value, other)
            }
            if let value = old[key] { Output.line("- \(lineName(key)) = \(text(value, beside: new[key]))") }
            if let value = new[key] { Output.line("+ \(lineName(key)) = \(text(value, beside: old[key]))") }
        }
    }
    if !keys.isEmpty { throw ExitCode(ExitStatus.failure) }
}

/// Returns a value for a comparison. Its type is added if the old style shows both values alike.
func differing(_ value: PropertyListValue, _ other: PropertyListValue?) -> String {
    let text = lineText(value)
    return other.map(lineText) == text ? value.typedJSON() : text
}

/// Returns a value in the old style, or as JSON if it is data that holds an object or an array, as a `Codable` value is
/// stored. Their bytes would not show what has changed.
private func lineText(_ value: PropertyListValue) -> String {
    guard case .data(let data) = value, data.first == UInt8(ascii: "{") || data.first == UInt8(ascii: "["),
        let document = try? JSONDocument(parsing: data)
    else { return value.oldStyleLine }
    return document.root.propertyListValue.compactJSON
}

/// Returns a name for a line of its own. It is quoted if it contains control characters or starts with a
/// quotation mark.
func lineName(_ name: String) -> String {
    let isPlain = !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0.value == 0x85 }
    return isPlain && !name.hasPrefix("\"") && !name.isEmpty ? name : oldStyleQuoted(name)
}
