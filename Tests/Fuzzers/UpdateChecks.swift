/// Checks that adopting a newer version of a file gives the difference of two readings, and
/// throws the error that a reading throws.
///
/// Two files always have a common beginning, a different part, and a common end. So the input
/// has: the start and end of the different part and the length of its replacement, two bytes each; the
/// replacement; the file. If the highest bit is set, both files are put into the frame of
/// a binary file.
func checkUpdate(_ input: [UInt8]) {
    guard input.count > 6 else { return }
    func number(_ place: Int) -> Int { Int(input[2 * place] & 0x7F) << 8 | Int(input[2 * place + 1]) }
    let newLength = min(number(2), input.count - 6)
    var old = Array(input[(6 + newLength)...])
    let start = min(number(0), old.count)
    let end = max(start, min(number(1), old.count))
    var new = Array(old[..<start] + input[6..<6 + newLength] + old[end...])
    if input[0] & 0x80 != 0 { (old, new) = (BinaryInput.file(old), BinaryInput.file(new)) }
    checkUpdate(from: old, to: new)
    checkUpdate(from: new, to: old)
}

private func checkUpdate(from old: [UInt8], to new: [UInt8]) {
    guard let (read, oldValues) = try? PropertyListDocument.read(old) else { return }
    var document = read
    let reference: PropertyListDocument
    let newValues: PropertyListEntries
    do {
        (reference, newValues) = try PropertyListDocument.read(new, expecting: document.format)
    } catch {
        return checkRefusal(document, oldValues, new, error)
    }
    let found = requireSuccess("what can be read can be taken over") {
        () throws(PropertyListError) in try document.update(to: new)
    }
    require(document.bytes == new && document.format == reference.format, "an update takes over the bytes")
    var expected: [String: PropertyListValue?] = [:]
    for key in Set(oldValues.keys).union(newValues.keys) where oldValues[key] != newValues[key] {
        expected.updateValue(newValues[key], forKey: key)
    }
    require(found == expected, "an update tells the difference of the values")

    // The document knows its entries as well as a new reading does.
    for key in newValues.keys.sorted().prefix(3) {
        require(document.value(forKey: key) == newValues[key], "an updated document knows its keys")
    }
    let pairs: [(String, PropertyListValue?)] = [
        ("m", 1), (newValues.keys.max() ?? "", nil), (newValues.keys.min() ?? "", "new"),
    ]
    let changes = Dictionary(pairs, uniquingKeysWith: { $1 })
    var changedReference = reference
    let isAccepted = (try? document.apply(changes)) != nil
    require(((try? changedReference.apply(changes)) != nil) == isAccepted, "both can be changed or none")
    require(document.bytes == changedReference.bytes, "an updated document changes like a new one")
}

private func checkRefusal(
    _ document: PropertyListDocument,
    _ values: PropertyListEntries,
    _ new: [UInt8],
    _ expected: PropertyListError
) {
    var updated = document
    do {
        _ = try updated.update(to: new)
        fatalError("an update takes over what can't be read: \(expected)")
    } catch {
        require(error == expected, "an update says \(error), a reading says \(expected)")
    }
    require(updated.bytes == document.bytes, "what throws leaves the document alone")
    for key in values.keys.sorted().prefix(3) {
        require(updated.value(forKey: key) == values[key], "what throws leaves the values alone")
    }
}
