import FoundationEssentials

/// Checks the properties that hold for a file in any format.
func checkPropertyList(_ input: [UInt8]) {
    let value: PropertyListValue
    let format: PropertyListFormat
    do {
        (value, format) = try PropertyListValue.read(input)
    } catch {
        checkPlace(error, in: input)
        require(
            (try? PropertyListDocument.read(input)) == nil,
            "a document can be read that is no property list: \(error)"
        )
        return
    }
    checkDepth(input, value, format)
    checkEncodings(value)
    checkDocument(input, value, format)
}

/// Checks that a smaller depth limit refuses deeper values, and changes nothing else.
private func checkDepth(_ input: [UInt8], _ value: PropertyListValue, _ format: PropertyListFormat) {
    var limits = PropertyListLimits()
    limits.depth = 3
    do {
        let again = try PropertyListValue.read(input, limits: limits).value
        require(depth(of: value, format) <= limits.depth, "something deeper than the limit was read")
        require(again == value, "the limit for depth changes what is read")
    } catch {
        // The value may have been replaced by another one with the same key.
        require(error.reason == .limitExceeded, "a smaller limit makes another error: \(error)")
        checkPlace(error, in: input)
    }
}

private func depth(of value: PropertyListValue, _ format: PropertyListFormat) -> Int {
    switch value {
    case .array(let elements): 1 + (elements.lazy.map { depth(of: $0, format) }.max() ?? 0)
    case .dictionary(let entries): 1 + (entries.values.lazy.map { depth(of: $0, format) }.max() ?? 0)
    // A dictionary in XML.
    case .uid: format == .xml ? 1 : 0
    default: 0
    }
}

/// Checks that a written value can be read back, in each format that can hold it.
func checkEncodings(_ value: PropertyListValue) {
    let binary = requireSuccess("the binary format holds everything that was read") {
        () throws(PropertyListError) in try value.encoded(as: .binary)
    }
    let fromBinary = requireSuccess("a written binary file can be read") {
        () throws(PropertyListError) in try PropertyListValue.read(binary)
    }
    require(fromBinary.format == .binary && fromBinary.value == value, "binary keeps a value as it is")

    let xml: [UInt8]
    do {
        xml = try value.encoded(as: .xml)
    } catch {
        require(!isXML(value) || error.reason == .limitExceeded, "XML can hold what is refused: \(error)")
        guard case .path = error.place else { fatalError("what is written has a path: \(error)") }
        return
    }
    let fromXML = requireSuccess("a written XML file can be read") {
        () throws(PropertyListError) in try PropertyListValue.read(xml)
    }
    require(isXML(value), "XML can't hold what was written")
    require(fromXML.format == .xml && fromXML.value == asInXML(value), "XML keeps a value as it is")
    let again = requireSuccess("what was read from XML can be written") {
        () throws(PropertyListError) in try fromXML.value.encoded(as: .xml)
    }
    require(again == xml, "the same value is written in the same bytes")
}

/// Whether XML can hold a value.
private func isXML(_ value: PropertyListValue) -> Bool {
    switch value {
    case .boolean, .integer, .real, .data, .uid, .null, .number: return true
    case .string(let text): return isXML(text)
    case .date(let date):
        let seconds = date.timeIntervalSinceReferenceDate
        return -63_145_526_400..<252_423_993_600 ~= seconds
    case .array(let elements): return elements.allSatisfy(isXML)
    case .dictionary(let entries):
        if entries.count == 1, case .integer(let number)? = entries["CF$UID"], number >= 0 { return false }
        return entries.allSatisfy { isXML($0.key) && isXML($0.value) }
    }
}

/// By the production `Char` of XML 1.0.
func isXML(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { character in
        switch character.value {
        case 9, 10, 13, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

/// A value as XML holds it: dates of whole seconds, rounded down, and one NaN.
private func asInXML(_ value: PropertyListValue) -> PropertyListValue {
    switch value {
    case .real(let number) where number.isNaN: .real(.nan)
    case .date(let date):
        .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down) + 0))
    case .array(let elements): .array(elements.map(asInXML))
    case .dictionary(let entries): .dictionary(entries.mapValues(asInXML))
    default: value
    }
}
