import CommandLanguage
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

// The commands that change, copy or recover a suite: `write`, `rename`, `delete`, `import`, `export` and
// `recover`.

/// Runs `write`, `rename` and `delete`.
func change(_ target: SuiteTarget, _ line: ParsedCommand) throws {
    if line.command == .delete, line.words.count == 1 {
        if line.has(.at) || line.has(.ifEquals) {
            throw UsageError(
                "--at and --if-equals need a key. Without a key, delete removes the whole suite.",
                of: .delete
            )
        }
        return try delete(target)
    }
    if line.command == .write, line.words.count == 2, line.words[1] == "-" {
        if line.has(.at) || line.has(.ifEquals) || line.has(.ifAbsent) {
            throw UsageError("Write the options into the lines of standard input.", of: .write)
        }
        guard let text = String(validating: try readAll(STDIN_FILENO, "standard input"), as: UTF8.self) else {
            throw CommandError("Standard input is not UTF-8. Nothing was written.")
        }
        return try target.change(EditPlan(lines: text, inJSONFile: target.storesJSON))
    }
    try target.change(EditPlan(line, inJSONFile: target.storesJSON))
    // The program of a declared setting wants the text, or the text would have been refused.
    if line.command == .write, target.storesJSON,
        let text = ValueOperation.textLikeJSON(in: Array(line.words.dropFirst(2))),
        (try? target.schemaPlace?.read())?.declarations[line.words[1]] == nil
    {
        Output.error(
            "“\(text)” was stored as a text. To store it without quotation marks, write -json \(text)."
        )
    }
}

private func delete(_ target: SuiteTarget) throws {
    guard try target.remove() else {
        if let schema = target.schemaPlace, schema.exists {
            throw CommandError(
                "Nothing is stored in \(target.name). It is listed because programs have declared its settings in "
                    + "\(schema.location).\n\(MacOSMessage.nothingChanged)"
            )
        }
        throw CommandError(MacOSMessage.suiteNotFound(target.name))
    }
}

/// Runs `import`: stores every key of a dictionary in a file.
func importFile(_ path: String, into target: SuiteTarget) throws {
    try target.change(EditPlan([.setAll(try importedValues(path))]))
}

/// Reads the dictionary in a file, or from standard input if the path is a dash.
func importedValues(_ path: String) throws -> [String: PropertyListValue] {
    let bytes = try readInput(path)
    do throws(PropertyListError) {
        if case .dictionary(let values) = try PropertyListValue.readAnyFormat(bytes).value { return values }
    } catch {
        throw CommandError("\(MacOSMessage.couldNotParse(path)): \(error).")
    }
    throw CommandError(MacOSMessage.fileIsNotADictionary(path))
}

/// Reads a file, or standard input if the path is a dash.
func readInput(_ path: String) throws -> [UInt8] {
    if path == "-" { return try readAll(STDIN_FILENO, "standard input") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
        throw CommandError("\(MacOSMessage.couldNotRead(path)): \(lastSystemError()).")
    }
    defer { close(descriptor) }
    return try readAll(descriptor, path)
}

/// Runs `export`: writes a suite into a file or to standard output.
func export(_ target: SuiteTarget, _ line: ParsedCommand) throws {
    if line.has(.asSettings) { throw UsageError("--as-settings needs --all.", of: .export) }
    guard let values = try target.values({ Output.error("\($0).") }) else { throw target.missing }
    for sentence in target.notesOnUnicodeForms(of: values) { Output.error("\(target.name): \(sentence).") }
    let value = PropertyListValue.dictionary([String: PropertyListValue](values))
    try export(value, of: target.name, to: line[1] ?? "-", asJSON: line.has(.json))
}

/// Writes a dictionary into a file or to standard output. A file whose name is one of a JSON file is JSON.
func export(_ value: PropertyListValue, of name: String, to path: String, asJSON: Bool) throws {
    let asJSON = asJSON || PropertyListFormat.ofNewFile(called: path) == .json
    if asJSON, path == "-" { return Output.json(value) }
    let isStandardOutput = path == "-"
    let bytes: [UInt8]
    do {
        bytes =
            asJSON
            ? Array((value.typedJSON(indented: true) + "\n").utf8)
            : try value.encoded(as: isStandardOutput ? .xml : .binary)
    } catch {
        let fitsBinary = isStandardOutput && (try? value.encoded(as: .binary)) != nil
        throw CommandError(
            "\(name): \(error). Use \(fitsBinary ? "a file, which is binary, or " : "")--json."
        )
    }
    if isStandardOutput { return Output.text(String(decoding: bytes, as: UTF8.self)) }
    try replaceFile(path, with: bytes)
}

/// Runs `recover`: moves an unreadable file aside and prints its new path.
func recover(_ target: SuiteTarget) throws {
    // If no server answers, the suite's state is unknown, and this throws.
    if target.path == nil { _ = try target.values() }
    guard let path = try target.suite.recover() else {
        throw CommandError(
            "Nothing was done: \(target.name) is readable or does not exist (\(target.location))."
        )
    }
    Output.line(lineName(path))
}
