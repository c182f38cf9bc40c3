import Glibc
import PropertyList

extension PropertyListValue {
    /// Whether it has a date with a fraction of a second, which XML has no place for.
    var isRoundedByXML: Bool {
        switch self {
        case .date(let date):
            date.timeIntervalSinceReferenceDate != date.timeIntervalSinceReferenceDate.rounded(.down)
        case .array(let elements): elements.contains(where: \.isRoundedByXML)
        case .dictionary(let entries): entries.values.contains(where: \.isRoundedByXML)
        default: false
        }
    }
}

/// Whether the file at a path is one of XML.
func isXML(_ path: String) -> Bool {
    guard let file = fopen(path, "re") else { return false }
    defer { fclose(file) }
    return fgetc(file) == Int32(UInt8(ascii: "<"))
}
