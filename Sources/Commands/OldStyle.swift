import FoundationEssentials
import PropertyList

/// A value in the old property-list style (ASCII, `{ key = value; }`), the form that `read` prints.
///
/// It is made to be read by people: it does not tell `1` from `true`.
func oldStyle(_ value: PropertyListValue) -> String {
    var text = ""
    write(value, indentation: 0, to: &text)
    return text
}

private func write(_ value: PropertyListValue, indentation: Int, to text: inout String) {
    let margin = String(repeating: " ", count: indentation)
    switch value {
    case .boolean(let value): text += value ? "1" : "0"
    case .integer(let value): text += "\(value)"
    case .real(let value): text += quotedIfNeeded("\(value)")
    case .string(let value): text += quotedIfNeeded(value)
    case .date: text += "\"\(value.editText ?? "")\""
    case .data(let data): text += "{length = \(data.count), bytes = 0x\(value.editText ?? "")}"
    case .uid(let number): text += "{ \"CF$UID\" = \(number); }"
    case .array(let elements):
        text += "(\n"
        for (index, element) in elements.enumerated() {
            text += margin + "    "
            write(element, indentation: indentation + 4, to: &text)
            text += index + 1 < elements.count ? ",\n" : "\n"
        }
        text += margin + ")"
    case .dictionary(let entries):
        text += "{\n"
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            text += margin + "    " + quotedIfNeeded(key) + " = "
            write(value, indentation: indentation + 4, to: &text)
            text += ";\n"
        }
        text += margin + "}"
    }
}

private func quotedIfNeeded(_ string: String) -> String {
    let isPlain =
        !string.isEmpty
        && string.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    if isPlain { return string }
    var text = "\""
    for unit in string.utf16 {
        switch unit {
        case UInt16(UInt8(ascii: "\"")): text += "\\\""
        case UInt16(UInt8(ascii: "\\")): text += "\\\\"
        case UInt16(UInt8(ascii: "\n")): text += "\\n"
        case UInt16(UInt8(ascii: "\t")): text += "\\t"
        case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
        default:
            let digits = String(unit, radix: 16)
            text += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
    return text + "\""
}
