/// Checks that a series of edits leaves a JSON file with the values that were set and with every comment that no edit
/// removed.
///
/// The input begins with a byte for the number of edits, and four bytes for each of them. The file follows.
func checkJSONFile(_ input: [UInt8]) {
    let count = Int(input.first ?? 0) % 8
    guard input.count > 4 * count else { return }
    let bytes = Array(input.dropFirst(1 + 4 * count))
    var (document, values): (PropertyListDocument, [String: PropertyListValue])
    do {
        let read = try PropertyListDocument.read(bytes, expecting: .json)
        guard read.document.format == .json else { return }
        (document, values) = (read.document, Dictionary(read.values.map { ($0.key, $0.value) }) { $1 })
    } catch {
        return checkPlace(error, in: bytes)
    }
    require(document.bytes == bytes, "a document keeps its bytes")
    var changes: [String: PropertyListValue?] = [:]
    for number in 0..<count {
        let edit = RandomEdit(input[(1 + 4 * number)...].prefix(4))
        var new = values
        for (key, value) in changes { new[key] = value }
        changes.merge(edit.changes(of: new)) { $1 }
        // Some edits are stored together.
        if edit.isStored || number == count - 1 {
            checkEdit(&document, &values, changes)
            changes = [:]
        }
    }
}

private func checkEdit(
    _ document: inout PropertyListDocument,
    _ values: inout [String: PropertyListValue],
    _ changes: [String: PropertyListValue?]
) {
    let old = json(document.bytes)
    do {
        try document.apply(changes)
    } catch {
        require(error.reason == .limitExceeded, "an edit is refused: \(error)")
        return require(document.bytes == old.storage.bytes, "what throws leaves the file alone")
    }
    let isNone = changes.allSatisfy { key, value in
        switch (values[key], value) {
        case (nil, nil): true
        case (let old?, let new?): isSame(old, new)
        default: false
        }
    }
    if isNone {
        require(document.bytes == old.storage.bytes, "an edit that changes no value changes no byte")
    }
    let new = json(document.bytes)
    for (key, value) in changes { values[key] = value }
    let (_, found) = requireSuccess("an edited file can be read") { () throws(PropertyListError) in
        try PropertyListDocument.read(document.bytes, expecting: .json)
    }
    require(found.count == values.count, "an edit removes what it says, and adds what it says")
    for (key, value) in found {
        require(values[key].map { isSame($0, value) } == true, "an edited file has the expected values")
        require(document.value(forKey: key) == value, "a key by itself has the same value")
    }
    for index in 0..<old.root.childCount where !changes.keys.contains(old.root.child(index).name ?? "") {
        let member = old.root.child(index)
        require(
            new.root.children.contains { $0.node.name == member.name && $0.node.source == member.source },
            "a member that is not edited keeps its text"
        )
    }
    if (try? JSONDocument(parsing: old.storage.bytes, limits: .standard)) != nil {
        let isStrict = (try? JSONDocument(parsing: new.storage.bytes, limits: .standard)) != nil
        require(isStrict, "no comment and no last comma comes into a file without them")
    }
    require(
        hasBlankAtLineEnd(old.storage.bytes) || !hasBlankAtLineEnd(new.storage.bytes),
        "no line gets a blank at its end"
    )
    var comments = KeptComments(old)
    comments.change(changes)
    require(comments.texts == KeptComments(new).texts, "the comments stay that no edit removed")
    // Comments before a removed member stay, and belong to a neighbour then.
    for (path, text) in old.comments where comments.owners.contains(path) {
        require(new.comments[path]?.utf8.contains(text.utf8) == true, "a comment stays with its value")
    }
}

private func hasBlankAtLineEnd(_ bytes: [UInt8]) -> Bool {
    zip(bytes, bytes.dropFirst()).contains { ASCII.isBlank($0) && ASCII.isLineBreak($1) }
}

private func json(_ bytes: [UInt8]) -> JSONDocument {
    requireSuccess("an edited file is JSON") { () throws(PropertyListError) in
        try JSONDocument(parsing: bytes, limits: .standard, .withComments)
    }
}

/// Whether the values are equal, however their numbers are spelled.
private func isSame(_ a: PropertyListValue, _ b: PropertyListValue) -> Bool {
    switch (a, b) {
    case (.array(let a), .array(let b)): a.elementsEqual(b, by: isSame)
    case (.dictionary(let a), .dictionary(let b)):
        a.count == b.count && a.allSatisfy { key, value in b[key].map { isSame($0, value) } ?? false }
    case (.integer, _), (.real, _), (.number, _):
        [.integer, .real, .number].contains(b.kind)
            && PropertyListValue.isSameNumber(a.editText ?? "", b.editText ?? "")
    default: a == b
    }
}

/// One edit: where it is, what it does, and the new value.
private struct RandomEdit {
    private let place: Int
    private let action: UInt8
    private let choice: Int

    init(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        place = Int(bytes[0]) << 8 | Int(bytes[1])
        (action, choice) = (bytes[2], Int(bytes[3]))
    }

    var isStored: Bool { action & 0x80 == 0 }

    private var newValue: PropertyListValue {
        let values: [PropertyListValue] = [
            1, 14, "x", true, .null, 0.5, [], [:], [1, [2]], ["k": ["l": 1], "m": []], .number("1e3"),
            .number("123456789012345678901234567890"), .real(-0.0), "// é\u{1} */\"\\",
        ]
        return values[choice % values.count]
    }

    private var newKey: String {
        let keys = ["new", "a", "b", "", "// x", "/*", "é", "e\u{301}", "\"\\\n"]
        return keys[choice % keys.count]
    }

    /// The keys at the top that the edit changes.
    func changes(of values: [String: PropertyListValue]) -> [String: PropertyListValue?] {
        let old = PropertyListValue.dictionary(values)
        guard case .dictionary(let new)? = edited(old, place, isTop: true) else { return [:] }
        var changes: [String: PropertyListValue?] = [:]
        for key in Set(values.keys).union(new.keys) where values[key] != new[key] {
            changes.updateValue(new[key], forKey: key)
        }
        return changes
    }

    /// Follows the place to one value, and changes that. Nil removes it.
    private func edited(_ value: PropertyListValue, _ place: Int, isTop: Bool = false) -> PropertyListValue? {
        switch value {
        case .dictionary(var entries):
            let (rest, index) = place.quotientAndRemainder(dividingBy: entries.count + 1)
            guard index < entries.count else { break }
            let key = entries.keys.sorted()[index]
            entries[key] = edited(entries[key] ?? .null, rest)
            return .dictionary(entries)
        case .array(var elements):
            let (rest, index) = place.quotientAndRemainder(dividingBy: elements.count + 1)
            guard index < elements.count else { break }
            let new = edited(elements[index], rest)
            elements.replaceSubrange(index...index, with: new.map { [$0] } ?? [])
            return .array(elements)
        default: break
        }
        switch (action % 4, value) {
        case (0, .dictionary(var entries)),
            (_, .dictionary(var entries)) where isTop:
            entries[newKey] = newValue
            return .dictionary(entries)
        case (0, .array(var elements)):
            elements.insert(newValue, at: choice % (elements.count + 1))
            return .array(elements)
        case (1, _): return nil
        case (2, _): return [value, newValue]
        default: return newValue
        }
    }
}
