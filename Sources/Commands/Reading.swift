import CommandLanguage
import PropertyList
import SettingsStore

func listDomains(_ line: CommandWords, in place: any SuitePlace) throws {
    let suites = try line.domainNames(in: place)
    let unfinished = try place.unfinished(of: suites)
    for name in suites {
        if let words = unfinished[name] { Output.error("\(lineName(name.rawValue)) \(words).") }
    }
    let names = suites.map(\.rawValue)
    if line.has(.json) { return Output.json(.array(names.map { .string($0) })) }
    for name in names { Output.line(lineName(name)) }
}

/// `read`, in each of its forms.
func read(_ line: CommandWords, in place: any SuitePlace) throws {
    let asJSON = line.has(.json)
    guard let word = line[0] else { return try readAll(line, in: place) }
    let domain = try Domain(word, in: place)
    guard let key = line[1] else {
        if line.has(.at) {
            throw UsageError("--at is a place inside the value of a key, which is missing.", of: .read)
        }
        let values = try domain.presentValues()
        return Output.dictionary(values, hiding: try domain.hiddenKeys(line).places(), asJSON: asJSON)
    }
    let value = try domain.value(forKey: key)
    guard let pointer = try line.pointer else { return Output.value(value, asJSON: asJSON) }
    let node = try node(at: pointer, in: value, domain, key)
    if let json = node.json {
        if !asJSON, let text = json.editText { Output.line(text) } else { Output.json(json.source) }
    } else if case .propertyList(let value) = node.content {
        Output.value(value, asJSON: asJSON)
    }
}

private func readAll(_ line: CommandWords, in place: any SuitePlace) throws {
    let place = place.readAtOnce()
    var all: [String: PropertyListValue] = [:]
    var hidden: Set<ValuePath> = []
    var hasFailed = false
    for name in try line.domainNames(in: place) {
        do {
            let domain = Domain(name, in: place)
            guard let values = try domain.values({ Output.error("\($0).") }) else { continue }
            hidden.formUnion(try domain.hiddenKeys(line).places(in: [.key(name.rawValue)]))
            all[name.rawValue] = .dictionary([String: PropertyListValue](values))
        } catch {
            Output.error("\(error)")
            hasFailed = true
        }
    }
    Output.dictionary(all, hiding: hidden, asJSON: line.has(.json))
    if hasFailed { throw ExitCode(ExitStatus.failure) }
}

func printType(of key: String, in domain: Domain, at pointer: JSONPointer?, asJSON: Bool) throws {
    let value = try domain.value(forKey: key)
    let node = try node(at: pointer ?? JSONPointer(""), in: value, domain, key)
    let type =
        switch node.content {
        case .propertyList(.real): "float"
        case .propertyList(let value): value.kind.rawValue
        case .json(let node): node.kind.rawValue
        }
    if asJSON { Output.json(.string(type)) } else { Output.line("Type is \(type)") }
}

private func node(
    at pointer: JSONPointer,
    in value: PropertyListValue,
    _ domain: Domain,
    _ key: String
) throws -> ValueNode {
    guard let node = ValueNode(value).node(at: pointer.path(in: value)) else {
        throw CommandError("There is nothing at \(pointer) in the value of (\(domain.name), \(key)).")
    }
    return node
}

func find(_ line: CommandWords, in place: any SuitePlace) throws {
    let place = place.readAtOnce()
    let word = line.words[0]
    var found: [String: PropertyListValue] = [:]
    var hidden: Set<ValuePath> = []
    var hasFailed = false
    let search = Search(word)
    for name in try line.domainNames(in: place) {
        do {
            let domain = Domain(name, in: place)
            guard let values = try domain.values({ Output.error("\($0).") }) else { continue }
            let all = search.matches(name.rawValue)
            let candidates = [String: PropertyListValue](values).filter {
                all || search.matches($0.key) || search.matches($0.value)
            }
            if candidates.isEmpty { continue }
            let secrets = try domain.hiddenKeys(line)
            // What is hidden is not guessed letter by letter either.
            let matches = candidates.filter {
                all || search.matches($0.key) || !secrets.contains($0.key)
            }
            if matches.isEmpty { continue }
            hidden.formUnion(secrets.places(in: [.key(name.rawValue)]))
            found[name.rawValue] = .dictionary(matches)
            if !line.has(.json) {
                let values = PropertyListValue.dictionary(matches).oldStyle(hiding: secrets.places())
                Output.line("Found \(matches.count) keys in domain '\(lineName(name.rawValue))': \(values)")
            }
        } catch {
            Output.error("\(error)")
            hasFailed = true
        }
    }
    if line.has(.json) { Output.json(.dictionary(found), hiding: hidden) }
    if found.isEmpty { Output.error("No domain, key, nor value containing '\(word)'") }
    if hasFailed { throw ExitCode(ExitStatus.failure) }
}

func printDifferences(_ a: Domain, _ b: Domain, _ line: CommandWords) throws {
    let (old, new): ([String: PropertyListValue], [String: PropertyListValue])
    let secrets: Set<String>
    do {
        (old, new) = (try a.presentValues(), try b.presentValues())
        secrets = try a.hiddenKeys(line).union(b.hiddenKeys(line))
    } catch {
        Output.error("\(error)")
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

/// A value beside another one, with its type where the old style does not tell them apart.
func differing(_ value: PropertyListValue, _ other: PropertyListValue?) -> String {
    let text = value.oldStyleLine
    return other?.oldStyleLine == text ? value.typedJSON() : text
}

/// A name in a line of its own: in quotation marks where it would otherwise break the line, or be taken
/// for one that has them.
func lineName(_ name: String) -> String {
    let isPlain = !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0.value == 0x85 }
    return isPlain && !name.hasPrefix("\"") && !name.isEmpty ? name : oldStyleQuoted(name)
}
