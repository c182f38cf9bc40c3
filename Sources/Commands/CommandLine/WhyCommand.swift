import CommandLanguage
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// Runs `why`: prints the effective value of a key, and every layer that has the key.
func explain(_ target: SuiteTarget, _ line: ParsedCommand) throws {
    let key = line.words[1]
    var isHidden = true
    do {
        isHidden = try target.hiddenKeys(line).contains(key)
    } catch {
        Output.error("\(error)")
    }
    let sources = try target.layers { Output.error("\($0).") }.sources(forKey: key)
    guard let effective = sources.first else {
        throw CommandError(
            "\(MacOSMessage.pairDoesNotExist(target.name, key)) in any layer, and no default is declared. Looked in:\n"
                + target.searchedLocations.map { "  \(lineName(abbreviated($0)))" }.joined(separator: "\n")
        )
    }
    if line.has(.json) {
        let objects = sources.map { source in
            var object: [String: PropertyListValue] = [
                "layer": .string(source.layer.rawValue), "value": source.value,
                "locked": .boolean(source.isLocking), "effective": .boolean(source.isEffective),
            ]
            object["location"] = source.location.map { .string($0) }
            return PropertyListValue.dictionary(object)
        }
        let places = sources.indices.map { ValuePath([.index($0), .key("value")]) }
        return Output.json(.array(objects), hiding: isHidden ? Set(places) : [])
    }
    func text(_ value: PropertyListValue) -> String {
        isHidden ? PropertyListValue.hiddenText : value.oldStyleLine
    }
    var rows = sources.map { source in
        [
            source.layer.rawValue, shortened(text(source.value)),
            source.location.map { lineName(abbreviated($0)) } ?? "", remark(on: source, below: effective),
        ]
    }
    for column in 0..<3 {
        let width = rows.map { $0[column].count }.max() ?? 0
        for row in rows.indices {
            rows[row][column] += String(repeating: " ", count: width - rows[row][column].count)
        }
    }
    Output.line("\(lineName(key)) = \(text(effective.value))")
    for row in rows {
        var line = "  " + row.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        Output.line(line)
    }
    if target.kind == .files {
        Output.error(
            "A running program’s arguments and registered defaults are not shown, because only that program knows them."
        )
    }
}

/// The longest value in the list of layers, in characters.
private let valueWidth = 40

private func shortened(_ text: String) -> String {
    text.count > valueWidth ? text.prefix(valueWidth - 1) + "…" : text
}

/// Says why a layer's value does not count, if that is not clear from the order.
private func remark(on source: SettingSource, below effective: SettingSource) -> String {
    if source.isLocking { return "(locked)" }
    let isUsersOwn = [.host, .user, .global].contains(source.layer)
    return effective.isLocking && isUsersOwn ? "(hidden by the lock)" : ""
}
