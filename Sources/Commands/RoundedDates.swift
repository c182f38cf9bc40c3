import FoundationEssentials
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

    /// The value with the dates that XML has in place of such.
    var roundedAsXML: PropertyListValue {
        switch self {
        case .date(let date):
            .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down)))
        case .array(let elements): .array(elements.map(\.roundedAsXML))
        case .dictionary(let entries): .dictionary(entries.mapValues(\.roundedAsXML))
        default: self
        }
    }
}

/// Whether the file at a path is one of XML.
func isXML(_ path: String) -> Bool {
    guard let file = fopen(path, "re") else { return false }
    defer { fclose(file) }
    return fgetc(file) == Int32(UInt8(ascii: "<"))
}
