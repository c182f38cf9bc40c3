/// Remembers how keys of an XML file, and the texts of a JSON file, were written before they changed.
///
/// If a user undoes a change, an entry of an XML file is written exactly as before, with the spelling of its numbers,
/// its white space and its comments. A JSON file gets its whole text back, unless somebody has changed it since. Only the
/// most recent ones are kept: at most 16 for each key and 1 MiB in total.
public struct Spellings: Sendable {
    private struct Entry: Sendable {
        let bytes: [UInt8]
        /// The key of the previous entry in the file, or nil if this entry was the first.
        let previous: String?
    }

    /// The earlier entries of each key, the most recent one last.
    private var entries: [String: [Entry]] = [:]
    /// The keys of `entries`, the most recently recorded one last.
    private var keys: [String] = []
    private var size = 0
    /// Texts of a JSON file with the texts that took their places, the most recent one last.
    private var texts: [(old: [UInt8], new: [UInt8])] = []

    private static let maximumPerKey = 16
    private static let maximumBytes = 1 << 20

    public init() {}

    /// Records how keys are written in a document, before they change. Documents in other formats than
    /// UTF-8 XML are ignored.
    public mutating func note(_ keys: some Collection<String>, of document: PropertyListDocument) {
        guard case .xml(let document) = document.form else { return }
        for (key, index) in document.indices(ofKeys: Set(keys)) {
            let range = document.range(ofEntry: index)
            guard range.count <= Self.maximumBytes / 4 else { continue }
            let previous = index == 0 ? nil : document.key(ofEntry: index - 1)
            note(key, Entry(bytes: Array(document.bytes[range]), previous: previous))
        }
    }

    /// Records the text of a JSON file before an edit. Documents in other formats are ignored.
    public mutating func note(_ edit: PropertyListDocument.Edit, of document: PropertyListDocument) {
        guard case .json(let file) = document.form, !edit.isEmpty,
            file.bytes.count <= Self.maximumBytes / 8
        else { return }
        texts.append((file.bytes, Array(document.pieces(after: edit).joined())))
        while texts.count > Self.maximumPerKey
            || texts.reduce(0, { $0 + $1.old.count + $1.new.count }) > Self.maximumBytes
        {
            texts.removeFirst()
        }
    }

    /// Returns an earlier text of a JSON file if it has the same values as an edited file, and if the file has not changed since
    /// that text was replaced.
    func text(before file: JSONFile, withValuesOf edited: JSONFile) -> JSONFile? {
        for (old, new) in texts.reversed() where new == file.bytes {
            guard let earlier = try? JSONFile.read(old, limits: file.limits) else { continue }
            if earlier.values == edited.values { return earlier.file }
        }
        return nil
    }

    private mutating func note(_ key: String, _ entry: Entry) {
        keys.removeAll { $0 == key }
        keys.append(key)
        if entries[key]?.last?.bytes == entry.bytes { return }
        entries[key, default: []].append(entry)
        size += entry.bytes.count
        if let old = entries[key], old.count > Self.maximumPerKey {
            size -= old[0].bytes.count
            entries[key]?.removeFirst()
        }
        while size > Self.maximumBytes, let first = keys.first {
            for entry in entries.removeValue(forKey: first) ?? [] { size -= entry.bytes.count }
            keys.removeFirst()
        }
    }

    /// Returns how an entry was written when it had this key and value, or nil if that is not known.
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
                entry: entry.bytes,
                value: entry.bytes[found.value.range],
                previous: entry.previous
            )
        }
        return nil
    }
}

/// An earlier form of an entry.
struct Spelling {
    let key: String
    let keyBytes: ArraySlice<UInt8>
    /// The bytes of the entry, with what is before it and the comments at the end of its line.
    let entry: [UInt8]
    /// The bytes of the value alone.
    let value: ArraySlice<UInt8>
    /// The key of the previous entry in the file, or nil if this entry was the first.
    let previous: String?
}

extension XMLDocument {
    /// Returns the indexes of the entries of keys. If a key repeats, the last one counts.
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
