/// How keys of a suite's XML file were written before they changed, so that a value that comes back comes
/// back as it was written: its numbers, its white space and its comments.
///
/// As much is kept as a user takes back; what was written long ago is forgotten.
public struct Spellings: Sendable {
    private struct Entry: Sendable {
        let bytes: [UInt8]
        /// The key of the entry before it; nil where it was the first.
        let previous: String?
    }

    /// Of each key what it was, the last at the end.
    private var entries: [String: [Entry]] = [:]
    /// Those keys, the one that was noted last at the end.
    private var keys: [String] = []
    private var size = 0

    private static let mostOfKey = 16
    private static let mostBytes = 1 << 20

    public init() {}

    /// Notes how keys are written in a document, before they are changed. What is no XML in UTF-8 has nothing
    /// to note.
    public mutating func note(_ keys: some Collection<String>, of document: PropertyListDocument) {
        guard case .xml(let document) = document.form else { return }
        for (key, index) in document.indices(ofKeys: Set(keys)) {
            let range = document.range(ofEntry: index)
            guard range.count <= Self.mostBytes / 4 else { continue }
            let previous = index == 0 ? nil : document.key(ofEntry: index - 1)
            note(key, Entry(bytes: Array(document.bytes[range]), previous: previous))
        }
    }

    private mutating func note(_ key: String, _ entry: Entry) {
        keys.removeAll { $0 == key }
        keys.append(key)
        if entries[key]?.last?.bytes == entry.bytes { return }
        entries[key, default: []].append(entry)
        size += entry.bytes.count
        if let old = entries[key], old.count > Self.mostOfKey {
            size -= old[0].bytes.count
            entries[key]?.removeFirst()
        }
        while size > Self.mostBytes, let first = keys.first {
            for entry in entries.removeValue(forKey: first) ?? [] { size -= entry.bytes.count }
            keys.removeFirst()
        }
    }

    /// How an entry was written when it had this key and value, if that is known.
    func spelling(of key: String, _ value: PropertyListValue) -> Spelling? {
        for entry in (entries[key] ?? []).reversed() {
            let document = XMLDocument(
                bytes: entry.bytes,
                limits: .standard,
                bodyStart: 0,
                ends: [UInt32(entry.bytes.count)],
                emptySlash: nil,
                order: .sorted
            )
            guard let found = document.entry(0), found.value.value == value,
                let keyRange = document.keyRange(ofEntry: 0)
            else { continue }
            return Spelling(
                key: found.key,
                keyBytes: entry.bytes[keyRange],
                content: value,
                entry: entry.bytes,
                value: entry.bytes[found.value.range],
                previous: entry.previous
            )
        }
        return nil
    }
}

/// How an entry was written.
struct Spelling {
    let key: String
    let keyBytes: ArraySlice<UInt8>
    let content: PropertyListValue
    /// With what is in front of it, and the comments that end its line.
    let entry: [UInt8]
    /// The value alone.
    let value: ArraySlice<UInt8>
    /// The key of the entry before it; nil where it was the first.
    let previous: String?
}

extension XMLDocument {
    /// Where the entries of keys are, of several with one key the last one.
    fileprivate func indices(ofKeys keys: Set<String>) -> [String: Int] {
        var found: [String: Int] = [:]
        if order == .sorted {
            for key in keys { found[key] = index(ofKey: key) }
        } else {
            for index in ends.indices {
                let key = key(ofEntry: index)
                if keys.contains(key) { found[key] = index }
            }
        }
        return found
    }
}
