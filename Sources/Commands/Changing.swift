import CommandLanguage
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// `write`, `rename` and `delete`.
func change(_ domain: Domain, _ line: CommandWords) throws {
    if line.command == .delete, line.words.count == 1 {
        if line.has(.at) || line.has(.ifEquals) {
            throw UsageError("A whole domain is deleted without --at and --if-equals.", of: .delete)
        }
        return try delete(domain)
    }
    if line.command == .write, line.words.count == 2, line.words[1] == "-" {
        if line.has(.at) || line.has(.ifEquals) || line.has(.ifAbsent) {
            throw UsageError("Options belong into the lines of standard input.", of: .write)
        }
        guard let text = String(validating: try readAll(STDIN_FILENO, "standard input"), as: UTF8.self) else {
            throw CommandError("Standard input is not UTF-8; nothing was written.")
        }
        return try domain.change(EditPlan(lines: text))
    }
    try domain.change(EditPlan(line))
}

private func delete(_ domain: Domain) throws {
    guard try domain.remove() else {
        if let place = domain.schemaPlace, place.exists {
            throw CommandError(
                "Nothing is stored in domain (\(domain.name)): it is listed since programs have declared its "
                    + "settings (\(place.location)).\nDefaults have not been changed."
            )
        }
        throw CommandError("Domain (\(domain.name)) not found.\nDefaults have not been changed.")
    }
}

/// Stores every key of a dictionary that a file holds.
func importFile(_ path: String, into domain: Domain) throws {
    let bytes: [UInt8]
    if path == "-" {
        bytes = try readAll(STDIN_FILENO, "standard input")
    } else {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw CommandError("Could not read data from \(path): \(lastSystemError()).")
        }
        defer { close(descriptor) }
        bytes = try readAll(descriptor, path)
    }
    guard case .dictionary(let values) = try propertyList(bytes, from: path) else {
        throw CommandError("Property list \(path) was not a dictionary.\nDefaults have not been changed.")
    }
    try domain.change(EditPlan([.setAll(values)]))
}

/// Reads typed JSON, or a property list in any format. No dictionary with an entry is both.
private func propertyList(_ bytes: [UInt8], from path: String) throws -> PropertyListValue {
    do {
        let problem: String
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            do {
                return try PropertyListValue.read(typedJSON: Data(bytes))
            } catch {
                problem = "\(error)"
            }
        } else {
            return try PropertyListValue.read(bytes).value
        }
        do {
            return try PropertyListValue.read(bytes).value
        } catch {
            throw CommandError(
                "Could not parse property list from \(path): as JSON, \(problem); as old style, \(error)."
            )
        }
    } catch let error as PropertyListError {
        throw CommandError("Could not parse property list from \(path): \(error).")
    }
}

/// Writes a domain into a file, or to standard output.
func export(_ domain: Domain, to path: String, asJSON: Bool) throws {
    guard let values = try domain.values({ Output.error("\($0).") }) else {
        throw CommandError("The domain \(domain.name) does not exist (\(domain.absence)).")
    }
    for sentence in try domain.keysInSeveralForms() { Output.error("\(domain.name): \(sentence).") }
    let value = PropertyListValue.dictionary([String: PropertyListValue](values))
    if asJSON, path == "-" { return Output.json(value) }
    let isStandardOutput = path == "-"
    let bytes: [UInt8]
    do {
        bytes =
            asJSON
            ? Array((value.typedJSON(indented: true) + "\n").utf8)
            : try value.encoded(as: isStandardOutput ? .xml : .binary)
    } catch {
        throw CommandError(
            "\(domain.name): \(error). A file, which is binary, and --json have a place for it."
        )
    }
    if isStandardOutput { return Output.text(String(decoding: bytes, as: UTF8.self)) }
    try replaceFile(path, with: bytes)
}

/// Sets aside what can't be read, and prints where it lies then.
func recover(_ domain: Domain) throws {
    // What can't be asked can't be told to be in order.
    if domain.path == nil { _ = try domain.values() }
    guard let place = try domain.suite.recover() else {
        throw CommandError(
            "Domain \(domain.name) can be read, or is not there; nothing was done (\(domain.location))."
        )
    }
    Output.outcome(
        lineName(place),
        or: "What can't be read was set aside, and is \(lineName(place)) now"
    )
}
