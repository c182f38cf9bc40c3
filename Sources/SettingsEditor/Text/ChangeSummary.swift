import FoundationEssentials
import PropertyList
import TerminalCanvas
import ValueDiff

/// Describes a change in a few words: the parts of a value that differ, and the first difference itself.
struct ChangeSummary: Sendable, Hashable {
    struct Place: Sendable, Hashable {
        /// The path inside the key's value; empty for the value as a whole.
        let path: ValuePath
        let old: String
        let new: String
        /// Whether the value was removed.
        var isGone = false

        /// For example `250 → 9999`.
        var text: String { old == new ? "\(new), in another notation" : "\(old) → \(new)" }
    }

    /// The first differences.
    let places: [Place]
    let count: Int

    /// - Parameters:
    ///   - format: the format of dates; nil for UTC.
    ///   - limit: how many differences are kept.
    init(_ old: ValueNode?, _ new: ValueNode?, _ format: ValueFormat?, limit: Int = 1) {
        self.init(TreeDiff(old, new, limit: limit), format)
    }

    /// Describes all differences that were kept.
    init(_ differences: TreeDiff, _ format: ValueFormat?) {
        places = differences.places.map { Place($0, format) }
        count = differences.count
    }

    /// Nil if the values need no explanation, or are too large to be compared.
    ///
    /// - Parameter isOwn: whether the change is the user's own. Then the comparison may take longer,
    ///   because foreign changes can arrive at any time.
    init?(
        _ old: PropertyListValue?,
        _ new: PropertyListValue?,
        _ format: ValueFormat?,
        limit: Int = 1,
        isOwn: Bool = false
    ) {
        let most = isOwn ? 1 << 25 : 1 << 22
        guard let old, let new, old.isWorthALook(most), new.isWorthALook(most) else { return nil }
        self.init(ValueNode(old), ValueNode(new), format, limit: limit)
    }

    /// The first difference at a path or inside it, with its path from there, and how many more are known.
    func first(below path: ValuePath) -> (place: Place, more: Int)? {
        let inside = places.filter { $0.path.starts(with: path) }
        guard let first = inside.first else { return nil }
        let rest = ValuePath(Array(first.path.steps.dropFirst(path.steps.count)))
        let more = path.steps.isEmpty ? count - 1 : inside.count - 1
        return (Place(path: rest, old: first.old, new: first.new, isGone: first.isGone), more)
    }
}

extension ChangeSummary.Place {
    init(_ place: TreeDiff.Place, _ format: ValueFormat?) {
        let (old, new) = excerpts(place.old, place.new, format)
        self.init(path: place.path, old: old, new: new, isGone: place.new == nil)
    }

    /// The value as a whole.
    init(_ change: ValueChange, _ format: ValueFormat) {
        let (old, new) = (change.old.map(ValueNode.init), change.new.map(ValueNode.init))
        self.init(path: [], old: summary(old, format), new: summary(new, format), isGone: new == nil)
    }
}

extension ValuePath {
    /// Whether one of the two paths contains the other, or both are the same.
    func touches(_ other: ValuePath) -> Bool { starts(with: other) || other.starts(with: self) }
}

extension ChangeSummary.Place {
    /// The name of the changed value beside a row, with a space after it; empty if the row is that value. A value inside
    /// the row has its path from there.
    func name(from row: ValuePath) -> String {
        let inside = row.inside
        if path == inside { return "" }
        return path.starts(with: inside)
            ? "\(ValuePath(Array(path.steps.dropFirst(inside.steps.count)))) " : "\(row.key)\(path): "
    }
}

extension EditorState {
    /// The part of a change that touches a row: the row's value, a value inside it, or a value that contains it. Nil if
    /// the change left the row alone.
    func words(_ change: Journal.KeyChange, touching row: ValuePath, in suite: String) -> String? {
        let inside = row.inside
        guard !inside.steps.isEmpty, let summary = change.words, !hides(change.key, of: suite) else {
            let words = words(change.words, change.value, of: change.key, in: suite)
            let place =
                !inside.steps.isEmpty
                ? "\(words.place): "
                : words.place == change.key ? "" : "\(words.place.dropFirst(change.key.count)) "
            return "\(place)\(words.text)\(words.more)"
        }
        let touching = summary.places.filter { $0.path.touches(inside) }
        guard let first = touching.first else {
            // Of a change in many places only the first places are kept.
            let isComplete = summary.count <= summary.places.count
            return isComplete ? nil : "\(change.key): \(summary.count) places"
        }
        let more = touching.count == 1 ? "" : ", \(touching.count - 1) more"
        return first.name(from: row) + first.text + more
    }
}

extension PropertyListValue {
    /// Whether two such values can differ in a part of them, and comparing them is quick enough.
    fileprivate func isWorthALook(_ most: Int) -> Bool {
        switch self {
        case .array, .dictionary: true
        case .data(let data): data.count <= most
        case .string(let text):
            // The text may be JSON, or is too long for a few words.
            text.utf8.count <= most && (text.utf8.count >= 60 || text.contains { "{[".contains($0) })
        case .boolean, .integer, .real, .date, .uid, .null, .number: false
        }
    }
}

extension EditorState {
    /// The path of a changed key or value, the change, and how many more values changed. Secrets stay hidden.
    func words(
        _ words: ChangeSummary?,
        _ change: ValueChange,
        of key: String,
        in suite: String
    ) -> (place: String, text: String, more: String) {
        guard let (place, more) = words?.first(below: []), !hides(key, of: suite) else {
            let old = summary(change.old, of: key, in: suite)
            return (key, "\(old) → \(summary(change.new, of: key, in: suite))", "")
        }
        return (key + place.path.description, place.text, more == 0 ? "" : ", \(more) more")
    }

    /// The same for a pending change. If it conflicts with a foreign change, the two values of the conflict are named.
    ///
    /// - Parameter columns: The room for the change. The values of a conflict are shortened, so that both fit.
    func words(_ row: PendingRow, columns: Int) -> (place: String, text: String, more: String) {
        let pending = row.pending
        if let place = row.place {
            let place = ChangeSummary.Place(place, format)
            return (place.path.description, place.text, "")
        }
        var words = (place: pending.key, text: "\(row.count) places", more: "")
        if row.count <= 1 {
            let inside = ChangeSummary(pending.change.old, pending.change.new, format)
            words = self.words(inside, pending.change, of: pending.key, in: pending.suite)
        }
        let companions = staging.companions(of: pending, in: suiteList)
        if !companions.isEmpty {
            words.more += "  with \(StagingState.names(companions, from: pending.suite, title(ofSuite:)))"
        }
        guard let conflict = row.conflicts.first else { return words }
        let isHidden = hides(pending.key, of: pending.suite)
        let path = isHidden ? "" : conflict.path.description
        if row.count <= 1 { words.place = pending.key + path }
        let lead = row.count <= 1 || path.isEmpty ? "" : "\(path) "
        if row.conflicts.count > 1 { words.more = ", \(row.conflicts.count - 1) more" + words.more }
        let room = columns - displayWidth(of: words.more, glyphs: options.glyphs)
        let values = isHidden ? nil : (conflict.theirs, conflict.mine)
        words.text =
            lead + textOfConflict(values, columns: room - displayWidth(of: lead, glyphs: options.glyphs))
        return words
    }

    /// The stored value and the user's value, shortened so that both fit.
    ///
    /// - Parameter values: Nil for secrets.
    private func textOfConflict(_ values: (theirs: ValueNode?, mine: ValueNode?)?, columns: Int) -> String {
        func width(_ text: String) -> Int { displayWidth(of: text, glyphs: options.glyphs) }
        func text(_ theirs: String, _ mine: String) -> String { "\(kind.word) \(theirs), yours \(mine)" }
        func short(_ limit: Int) -> (String, String) {
            guard let values else { return ("a secret", "a secret") }
            return excerpts(values.theirs, values.mine, format, limit: limit)
        }
        let room = columns - width(text("", ""))
        var (theirs, mine) = short(60)
        if width(theirs) + width(mine) > room {
            let shorter = min(width(theirs), width(mine))
            let longest = shorter <= room / 2 ? room - shorter : room / 2
            // Quotation marks and ellipses take four columns.
            let limit = max(4, longest - 4)
            (theirs, mine) = short(limit)
            // Some characters are two columns wide.
            if width(theirs) + width(mine) > room { (theirs, mine) = short(limit / 2) }
        }
        return text(theirs, mine)
    }
}

// Long texts in a few words.

/// Describes two values in a few words each. Long values with the same beginning start shortly before the
/// difference.
func excerpts(
    _ old: ValueNode?,
    _ new: ValueNode?,
    _ format: ValueFormat?,
    limit: Int = 60
) -> (old: String, new: String) {
    if let before = old?.text, let after = new?.text {
        let same = commonPrefix(before, after)
        if same > limit / 2 { return (before.excerpt(from: same, limit), after.excerpt(from: same, limit)) }
    }
    if let before = old?.plainData, let after = new?.plainData {
        let same = zip(before, after).prefix { $0 == $1 }.count
        if same > limit / 4 {
            return (before.excerpt(from: same, limit / 2), after.excerpt(from: same, limit / 2))
        }
    }
    return (summary(old, format, limit: limit), summary(new, format, limit: limit))
}

/// The number of bytes with which both texts begin, up to the start of a character.
func commonPrefix(_ a: String, _ b: String) -> Int {
    let same = zip(a.utf8, b.utf8).prefix { $0 == $1 }.count
    return min(a.characterStart(upTo: same), b.characterStart(upTo: same))
}

extension String {
    /// The offset of the character that contains a byte.
    fileprivate func characterStart(upTo offset: Int) -> Int {
        let index = utf8.index(startIndex, offsetBy: offset, limitedBy: endIndex) ?? endIndex
        return utf8.distance(from: startIndex, to: self[...].characterStart(index))
    }

    /// A few words of the text, from shortly before an offset.
    fileprivate func excerpt(from offset: Int, _ limit: Int) -> String {
        let place = self[...].characterStart(utf8.index(startIndex, offsetBy: offset))
        let start = index(place, offsetBy: -8, limitedBy: startIndex) ?? startIndex
        let rest = self[start...].unicodeScalars
        let text = String(rest.prefix(limit)) + (rest.dropFirst(limit).isEmpty ? "" : "…")
        let marks = QuotationMarks.typographic
        return marks.opening + (start == startIndex ? "" : "…") + text + marks.closing
    }
}

extension Substring {
    fileprivate func characterStart(_ index: Index) -> Index {
        index == endIndex ? index : self.index(before: self.index(after: index))
    }
}

extension Data {
    /// For example `600 bytes  …00ff`.
    fileprivate func excerpt(from offset: Int, _ limit: Int) -> String {
        let start = Swift.max(0, offset - 2)
        let bytes = dropFirst(start).prefix(limit)
        let hex = PropertyListValue.data(Data(bytes)).editText ?? ""
        let end = start + bytes.count < count ? "…" : ""
        return "\(count == 1 ? "1 byte" : "\(count) bytes")  …\(hex)\(end)"
    }
}

extension ValueNode {
    /// The characters of a string, in JSON or in a property list.
    var text: String? {
        if isContainer { return nil }
        if let json { return json.string }
        if case .propertyList(.string(let text)) = content { return text }
        return nil
    }

    /// Data that is not recognized as text, JSON or a property list.
    fileprivate var plainData: Data? {
        if json == nil, embedded == nil, case .propertyList(.data(let data)) = content { data } else { nil }
    }
}
