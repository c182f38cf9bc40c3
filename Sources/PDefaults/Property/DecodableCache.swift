import PropertyList
import SettingsStore

/// The last few values of a key that the program can decode.
///
/// Problem: before a stored value is overwritten, the suite asks whether the program can read it, so that an unreadable
/// value goes to quarantine. Approach: remember the values that were just read or set, and decode only a value that is
/// not among them. Without it, each set would decode the previous value a second time.
///
/// A commit of many sets of one key may find that its value was pushed out. The committing thread decodes that one
/// again.
final class DecodableCache: Sendable {
    private static let limit = 4

    private let recent = Mutex<[PropertyListValue]>([])

    func insert(_ value: PropertyListValue) {
        switch value {
        // To decode these takes less time than to remember them.
        case .boolean, .integer, .real, .date: return
        case .string, .data, .array, .dictionary, .uid: break
        }
        let oldest = recent.withLock { recent -> PropertyListValue? in
            if recent.last == value { return nil }
            defer { recent.append(value) }
            return recent.count == Self.limit ? recent.removeFirst() : nil
        }
        // A `Data` may have a deallocator of the program, which must not run under the lock.
        withExtendedLifetime(oldest) {}
    }

    func contains(_ value: PropertyListValue) -> Bool { recent.withLock { $0.contains(value) } }
}
