import FoundationEssentials
import PropertyList

// Arrays and dictionaries as one word of the command line. `pdefaults write` reads the old property-list style with
// GNUstep's typed values, which keeps the types and escapes control characters. XML is used for what that style cannot
// express.
extension PropertyListValue {
    /// The value as one word that `pdefaults write` reads back exactly.
    ///
    /// - Throws: ``NoCommandError`` if no form can express it.
    var literalText: String {
        get throws {
            let text = oldStyleText
            if let text, let back = try? PropertyListValue.read(Array(text.utf8)).value, back == self {
                return text
            }
            let xml = String(decoding: try encoded(as: .xml), as: UTF8.self)
            guard try PropertyListValue.read(Array(xml.utf8)).value == self else {
                throw NoCommandError.inexpressible
            }
            return xml
        }
    }

    private var oldStyleText: String? {
        switch self {
        case .string(let text): return Self.quoted(text)
        case .boolean(let value): return value ? "<*BY>" : "<*BN>"
        case .integer(let number): return "<*I\(number)>"
        case .real(let number): return number.isFinite ? "<*R\(number)>" : nil
        case .data(let data):
            return "<" + (PropertyListValue.data(data).editText ?? "").filter { $0 != " " } + ">"
        case .date:
            guard let text = editText, text.count == 20, text.hasSuffix("Z") else { return nil }
            return "<*D\(text.dropLast().replacing("T", with: " ")) +0000>"
        case .uid, .null, .number: return nil
        case .array(let elements):
            let texts = elements.compactMap(\.oldStyleText)
            return texts.count == elements.count ? "(\(texts.joined(separator: ", ")))" : nil
        case .dictionary(let entries):
            var members = ""
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                guard let text = value.oldStyleText else { return nil }
                members += (members.isEmpty ? "" : " ") + "\(Self.quoted(key)) = \(text);"
            }
            return "{\(members)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            case _ where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
