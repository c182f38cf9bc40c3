import PropertyList
import SettingsStore

/// The last few values of a key that were read or set, so that those need not be decoded once more to see
/// whether they have to be kept aside when they are overwritten. Sets that are stored together push each
/// other out; then one is decoded again, on the thread that stores.
final class ReadableValues: Sendable {
    private static let limit = 4

    private let recent = Mutex<[PropertyListValue]>([])

    func insert(_ value: PropertyListValue) {
        switch value {
        // To read one again takes less than to keep it.
        case .boolean, .integer, .real, .date: return
        case .string, .data, .array, .dictionary, .uid: break
        }
        recent.withLock { recent in
            if recent.last == value { return }
            if recent.count == Self.limit { recent.removeFirst() }
            recent.append(value)
        }
    }

    func contains(_ value: PropertyListValue) -> Bool { recent.withLock { $0.contains(value) } }
}
