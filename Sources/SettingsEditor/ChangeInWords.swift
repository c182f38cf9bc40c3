import FoundationEssentials
import PropertyList

/// What a change has changed, in a few words, told by the places inside the value that differ.
struct ChangeInWords: Sendable, Hashable {
    struct Place: Sendable, Hashable {
        /// From the key's value down; empty for the value as a whole.
        let path: ValuePath
        let old: String
        let new: String
        /// Nothing is there now.
        var isGone = false

        /// `250 → 9999`.
        var text: String { old == new ? "\(new), written otherwise" : "\(old) → \(new)" }
    }

    /// The first of them.
    let places: [Place]
    let count: Int

    /// - Parameters:
    ///   - spelling: has dates in the time of this place.
    ///   - limit: how many places are kept.
    init(_ old: ValueNode?, _ new: ValueNode?, _ spelling: ValueSpelling?, limit: Int = 1) {
        self.init(Differences(old, new, limit: limit), spelling)
    }

    /// The places that were kept.
    init(_ differences: Differences, _ spelling: ValueSpelling?) {
        places = differences.places.map { Place($0, spelling) }
        count = differences.count
    }

    /// Nil where the values say all themselves, or are so long that they need not be taken apart.
    ///
    /// - Parameter isOwn: It is the user's own, for which there is more time than for what others change.
    init?(
        _ old: PropertyListValue?,
        _ new: PropertyListValue?,
        _ spelling: ValueSpelling?,
        isOwn: Bool = false
    ) {
        let most = isOwn ? 1 << 25 : 1 << 22
        guard let old, let new, old.isWorthALook(most), new.isWorthALook(most) else { return nil }
        self.init(ValueNode(old), ValueNode(new), spelling)
    }

    /// The first place at or below another one, from there on, and how many more are known there.
    func first(below path: ValuePath) -> (place: Place, more: Int)? {
        let inside = places.filter { $0.path.starts(with: path) }
        guard let first = inside.first else { return nil }
        let rest = ValuePath(Array(first.path.steps.dropFirst(path.steps.count)))
        let more = path.steps.isEmpty ? count - 1 : inside.count - 1
        return (Place(path: rest, old: first.old, new: first.new, isGone: first.isGone), more)
    }
}

extension ChangeInWords.Place {
    init(_ place: Differences.Place, _ spelling: ValueSpelling?) {
        let (old, new) = excerpts(place.old, place.new, spelling)
        self.init(path: place.path, old: old, new: new, isGone: place.new == nil)
    }

    /// The value as a whole.
    init(_ change: ValueChange, _ spelling: ValueSpelling) {
        let (old, new) = (change.old.map(ValueNode.init), change.new.map(ValueNode.init))
        self.init(path: [], old: brief(old, spelling), new: brief(new, spelling), isGone: new == nil)
    }
}

extension PropertyListValue {
    /// Whether two such values differ somewhere inside, and it takes no longer than may pass to find that.
    fileprivate func isWorthALook(_ most: Int) -> Bool {
        switch self {
        case .array, .dictionary: true
        case .data(let data): data.count <= most
        case .string(let text):
            // What may be JSON, and what has room for more than a few words.
            text.utf8.count <= most && (text.utf8.count >= 60 || text.contains { "{[".contains($0) })
        case .boolean, .integer, .real, .date, .uid: false
        }
    }
}

extension EditorState {
    /// Where a key has changed, how, and how many more places of it have, as far as that may be shown.
    func words(
        _ words: ChangeInWords?,
        _ change: ValueChange,
        of key: String,
        in suite: String
    ) -> (place: String, text: String, more: String) {
        guard let (place, more) = words?.first(below: []), !hides(key, of: suite) else {
            let old = brief(change.old, of: key, in: suite)
            return (key, "\(old) → \(brief(change.new, of: key, in: suite))", "")
        }
        return (key + place.path.description, place.text, more == 0 ? "" : ", \(more) more")
    }

    /// Likewise of a change that waits; where others have changed the value since, what the file holds now.
    func words(_ row: PendingRow) -> (place: String, text: String, more: String) {
        let pending = row.pending
        if let place = row.place {
            let place = ChangeInWords.Place(place, spelling)
            return (
                place.path.description, place.text,
                !isMoved(row) ? "" : place.isGone ? "  with where it went" : "  with where it was"
            )
        }
        var words = (place: pending.key, text: "\(row.count) places", more: "")
        if row.count <= 1 {
            let inside = ChangeInWords(pending.change.old, pending.change.new, spelling)
            words = self.words(inside, pending.change, of: pending.key, in: pending.suite)
        }
        let companions = companions(of: pending)
        if !companions.isEmpty { words.more += "  with \(names(companions, from: pending.suite))" }
        guard let clash = row.clashes.first else { return words }
        let now = brief(clash.theirs, of: pending.key, in: pending.suite)
        let isInside = !clash.path.steps.isEmpty && !hides(pending.key, of: pending.suite)
        let place = isInside && row.count > 1 ? "\(clash.path) " : ""
        words.more += "  (\(place)\(now) \(kind.inside) now)"
        return words
    }
}

// Long texts in a few words.

/// Two values in a few words each. Long ones that begin alike begin shortly before they differ.
func excerpts(
    _ old: ValueNode?,
    _ new: ValueNode?,
    _ spelling: ValueSpelling?,
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
    return (brief(old, spelling, limit: limit), brief(new, spelling, limit: limit))
}

/// The bytes that two texts begin with alike, up to a character that both begin anew.
func commonPrefix(_ a: String, _ b: String) -> Int {
    let same = zip(a.utf8, b.utf8).prefix { $0 == $1 }.count
    return min(a.characterStart(notBehind: same), b.characterStart(notBehind: same))
}

extension String {
    /// The last byte up to an offset with which a character begins.
    func characterStart(notBehind offset: Int) -> Int {
        let index = utf8.index(startIndex, offsetBy: offset, limitedBy: endIndex) ?? endIndex
        return utf8.distance(from: startIndex, to: self[...].characterStart(index))
    }

    /// A few words of the text, from shortly before an offset on.
    fileprivate func excerpt(from offset: Int, _ limit: Int) -> String {
        let place = self[...].characterStart(utf8.index(startIndex, offsetBy: offset))
        let start = index(place, offsetBy: -8, limitedBy: startIndex) ?? startIndex
        let rest = String(self[start...].unicodeScalars.prefix(limit + 1))
        return "“\(start == startIndex ? "" : "…")\(shortened(rest, limit))”"
    }

    private func shortened(_ text: String, _ limit: Int) -> String {
        text.unicodeScalars.count > limit ? String(text.unicodeScalars.prefix(limit)) + "…" : text
    }
}

extension Substring {
    fileprivate func characterStart(_ index: Index) -> Index {
        index == endIndex ? index : self.index(before: self.index(after: index))
    }
}

extension Data {
    /// `600 bytes  …00ff`.
    fileprivate func excerpt(from offset: Int, _ limit: Int) -> String {
        let start = Swift.max(0, offset - 2)
        let bytes = dropFirst(start).prefix(limit)
        let hex = PropertyListValue.data(Data(bytes)).editText ?? ""
        let end = start + bytes.count < count ? "…" : ""
        return "\(count == 1 ? "1 byte" : "\(count) bytes")  …\(hex)\(end)"
    }
}

extension ValueNode {
    /// The characters of a string, be it JSON's or a property list's.
    var text: String? {
        if isContainer { return nil }
        if let json { return json.string }
        if case .propertyList(.string(let text)) = content { return text }
        return nil
    }

    /// Data that nothing else is seen in.
    fileprivate var plainData: Data? {
        if json == nil, embedded == nil, case .propertyList(.data(let data)) = content { data } else { nil }
    }
}
