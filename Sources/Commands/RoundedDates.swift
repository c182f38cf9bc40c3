import FoundationEssentials
import Glibc
import PropertyList
import SettingsEditor
import Synchronization

/// What a write comes to in a file of XML, which has no place for the fraction of a date's second.
struct RoundedWrite {
    let changes: [String: ValueChange]
    /// What is stored of keys that were to get something else.
    private(set) var rounded: [String: PropertyListValue] = [:]

    /// - Parameter isXML: Else all is as it was meant.
    init(_ write: Write, isXML: Bool) {
        guard isXML else {
            changes = write.changes
            return
        }
        for (key, change) in write.changes {
            if let new = change.new, new.isRoundedByXML { rounded[key] = new.roundedAsXML }
        }
        // What it replaces may have been written a moment ago, and the editor not know yet what came of that.
        changes = write.changes.mapValues { change in
            ValueChange(old: change.old?.asInXML, new: change.new?.asInXML)
        }
    }
}

extension PropertyListValue {
    fileprivate var asInXML: PropertyListValue { isRoundedByXML ? roundedAsXML : self }

    /// Whether it has a date with a fraction of a second.
    fileprivate var isRoundedByXML: Bool {
        switch self {
        case .date(let date):
            date.timeIntervalSinceReferenceDate != date.timeIntervalSinceReferenceDate.rounded(.down)
        case .array(let elements): elements.contains(where: \.isRoundedByXML)
        case .dictionary(let entries): entries.values.contains(where: \.isRoundedByXML)
        default: false
        }
    }

    /// The value with the dates that XML has in place of such.
    fileprivate var roundedAsXML: PropertyListValue {
        switch self {
        case .date(let date):
            .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down)))
        case .array(let elements): .array(elements.map(\.roundedAsXML))
        case .dictionary(let entries): .dictionary(entries.mapValues(\.roundedAsXML))
        default: self
        }
    }
}

/// Which files are written in binary, as far as they were there when that was asked.
final class BinaryFiles: Sendable {
    private let known = Mutex<[String: Bool]>([:])

    /// Whether what is written to a path is binary, as its file is, or was before it was removed.
    func have(_ path: String) -> Bool {
        // A pipe in its place is not waited for.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { return known.withLock { $0[path] ?? false } }
        defer { close(file) }
        var start = [UInt8](repeating: 0, count: 6)
        let isBinary = pread(file, &start, start.count, 0) == start.count && start == Array("bplist".utf8)
        known.withLock { $0[path] = isBinary }
        return isBinary
    }
}
