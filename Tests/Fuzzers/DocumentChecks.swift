/// Checks that a file can be read as a suite's document exactly if it contains a dictionary, and that a
/// change to the document changes nothing else.
func checkDocument(_ input: [UInt8], _ value: PropertyListValue, _ format: PropertyListFormat) {
    let expected: [String: PropertyListValue]
    switch value {
    case .dictionary(let entries): expected = entries
    // At the top of a suite's file, this is an ordinary key.
    case .uid(let number) where format == .xml:
        expected = ["CF$UID": .integer(PropertyListInteger(number))]
    default:
        do {
            _ = try PropertyListDocument.read(input)
            fatalError("a document needs a dictionary at the top")
        } catch {
            // A single word in the old style may be garbage.
            let mayBeGarbage = format == .openStep && value.kind == .string && error.reason == .malformed
            require(
                error.reason == .unsupported || mayBeGarbage,
                "a value that is no dictionary is not malformed: \(error)"
            )
            return checkPlace(error, in: input)
        }
    }
    let (document, values) = requireSuccess("a dictionary is a document") {
        () throws(PropertyListError) in try PropertyListDocument.read(input)
    }
    require(values == expected, "a document has the values of the property list")
    require(document.bytes == input && document.format == format, "a document keeps its bytes")
    for key in values.keys.sorted().prefix(4) {
        require(document.value(forKey: key) == values[key], "a key by itself has the same value")
    }
    require(document.value(forKey: "not there") == values["not there"], "what is not there has no value")
    checkChanges(document, values)
}

private func checkChanges(_ document: PropertyListDocument, _ values: PropertyListEntries) {
    let keys = values.keys.sorted()
    let first = keys.first ?? "a"
    let last = keys.last ?? "b"
    let middle = keys.isEmpty ? "c" : keys[keys.count / 2]
    checkChange(document, values, [(middle, "new")])
    checkChange(document, values, [(last, nil)])
    checkChange(document, values, [(first, values[first])])
    checkChange(
        document,
        values,
        // A new key must be one that XML can hold.
        [(isXML(middle) ? middle + "0" : "0", ["new": [.uid(1), 2]]), (first, nil), ("~", "new")]
    )
}

private func checkChange(
    _ document: PropertyListDocument,
    _ values: PropertyListEntries,
    _ pairs: [(String, PropertyListValue?)]
) {
    // Two of the keys may be equal.
    let changes = Dictionary(pairs, uniquingKeysWith: { $1 })
    var changed = document
    do {
        try changed.apply(changes)
    } catch {
        require(changed.bytes == document.bytes, "what throws leaves the document alone")
        // A file that differs from our own form must be written as a whole.
        let isForeign = (try? FileEncoding(of: document.bytes, limits: .standard)).map {
            $0 != .binary && $0 != .xml(.utf8)
        }
        require(isForeign == true && error.reason == .unrepresentable, "a change is refused: \(error)")
        return
    }
    var expected = values
    for (key, value) in changes { expected[key] = value }
    if expected == values {
        require(changed.bytes == document.bytes, "a change that is none leaves the bytes alone")
    }
    let (again, newValues) = requireSuccess("a changed document can be read") {
        () throws(PropertyListError) in try PropertyListDocument.read(changed.bytes)
    }
    require(newValues == expected, "a change changes what it says and nothing else")
    require(again.format == changed.format, "a changed document keeps its format")
    for key in changes.keys {
        require(changed.value(forKey: key) == newValues[key], "a changed document knows its keys")
    }
}
