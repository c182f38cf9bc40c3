import PropertyList

/// What decides which rows of a suite are shown: a text that is found in them, something that they have in
/// common, or both.
struct RowFilter: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        /// The keys in which a text is found, be it anywhere inside them, and of what is in these likewise.
        case text(Pattern)
        /// The keys that have something in common since they differ from a value; of what is in these that which
        /// differs. Without such a value all of a key does.
        case among(Selection, [String: PropertyListValue?])
        /// The keys that programs can't read, which is found out key by key.
        case undecodable(DecodingCheck)

        fileprivate var isText: Bool { if case .text = self { true } else { false } }

        /// A few words for the title.
        fileprivate var name: String {
            switch self {
            case .text(let pattern): "&" + pattern.text
            case .among(let selection, _): selection.name
            case .undecodable: Selection.undecodable.name
            }
        }
    }

    /// The text that is looked for.
    private(set) var text: Pattern?
    /// What else decides.
    private(set) var kind: Part?
    /// Of the two, the text was set last.
    private var isTextLast: Bool

    init(_ part: Part) {
        if case .text(let text) = part { self.text = text } else { kind = part }
        isTextLast = part.isText
    }

    private init?(_ text: Pattern?, _ kind: Part?, isTextLast: Bool) {
        if text == nil, kind == nil { return nil }
        (self.text, self.kind, self.isTextLast) = (text, kind, isTextLast)
    }

    var name: String {
        let parts = [kind, text.map(Part.text)].compactMap(\.self)
        return (isTextLast ? parts : parts.reversed()).map(\.name).joined(separator: ", ")
    }

    var isTextAlone: Bool { kind == nil }

    /// Whether it shows what others have deleted.
    var showsDeleted: Bool { if case .among(.changedByOthers, _)? = kind { true } else { false } }

    /// What is left of it without the part that was set last; nil where that was the only one.
    var withoutLast: RowFilter? {
        text == nil || kind == nil
            ? nil : RowFilter(isTextLast ? nil : text, isTextLast ? kind : nil, isTextLast: !isTextLast)
    }

    /// The same with another text, or with none.
    static func setting(_ text: Pattern?, in filter: RowFilter?) -> RowFilter? {
        guard let text else { return RowFilter(nil, filter?.kind, isTextLast: false) }
        return filter?.text == text ? filter : setting(.text(text), in: filter)
    }

    /// The same with another part, in place of what was of its kind, as the one that was set last.
    static func setting(_ part: Part, in filter: RowFilter?) -> RowFilter? {
        if case .text(let text) = part { return RowFilter(text, filter?.kind, isTextLast: true) }
        return RowFilter(filter?.text, part, isTextLast: false)
    }

    /// The same with what decides beside the text as it is by now, at its place.
    func renewed(_ kind: Part) -> RowFilter {
        var filter = self
        filter.kind = kind
        return filter
    }

    /// What a key held before it came to differ; nil where that is not what decides, or it held nothing.
    func former(_ key: String) -> PropertyListValue? {
        guard case .among(_, let keys)? = kind else { return nil }
        return keys[key] ?? nil
    }
}

extension Selection {
    var name: String {
        switch self {
        case .changedByOthers: "changed by others"
        case .changedFromDefault: "changed from default"
        case .undecodable: "undecodable"
        }
    }
}

extension SuiteModel {
    func filter(of selection: Selection) -> RowFilter.Part {
        switch selection {
        case .changedByOthers:
            let former = changedByOthers.keys.map { ($0, formerValue($0) ?? nil) }
            return .among(selection, Dictionary(uniqueKeysWithValues: former))
        case .changedFromDefault:
            let keys = schema.declarations.keys.filter { origin(of: $0) == .modified }
            let defaults = keys.map { ($0, schema.declarations[$0]?.defaultValue) }
            return .among(selection, Dictionary(uniqueKeysWithValues: defaults))
        case .undecodable: return .undecodable(decodingCheck)
        }
    }

    /// Lets the filter leave what it would leave of these keys now.
    mutating func renewFilter(_ keys: [String]) {
        guard let filter = tree.filter else { return }
        switch filter.kind {
        case .among(let selection, var among)?:
            let changed = keys.filter { key in
                let former = former(selection, key)
                if among[key] == former { return false }
                among[key] = former
                return true
            }
            if !changed.isEmpty { tree.amendFilter(filter.renewed(.among(selection, among)), changed) }
        case .undecodable(var check)?:
            let changed = keys.filter { key in
                isWithoutValue(key) ? check.unset.insert(key).inserted : check.unset.remove(key) != nil
            }
            if !changed.isEmpty { tree.amendFilter(filter.renewed(.undecodable(check)), changed) }
        case .text?, nil: break
        }
    }

    /// What a key of a selection held before it came to differ, which may have been nothing; nil where it is none
    /// of these.
    private func former(_ selection: Selection, _ key: String) -> PropertyListValue?? {
        switch selection {
        case .changedByOthers: formerValue(key)
        case .changedFromDefault:
            origin(of: key) == .modified ? .some(schema.declarations[key]?.defaultValue) : nil
        case .undecodable: nil
        }
    }

    /// Tries all keys again where what tells what programs can't read has changed.
    mutating func renewDecodingCheck() {
        guard let filter = tree.filter, case .undecodable? = filter.kind else { return }
        setFilter(filter.renewed(.undecodable(decodingCheck)), from: tree.selectedRow?.path)
    }
}
