/// Takes down what a change does to the entries of a document, in their order.
protocol XMLEditing {
    mutating func insert(
        _ key: String,
        _ value: PropertyListValue,
        before entry: Int
    ) throws(PropertyListError)

    /// - Parameter range: Where the entry's value is now.
    mutating func replace(
        _ range: Range<Int>,
        ofEntry entry: Int,
        _ key: String,
        with value: PropertyListValue
    ) throws(PropertyListError)

    mutating func remove(_ entry: Int) throws(PropertyListError)
}

/// A change to a document, worked out and not yet made.
enum XMLEdit: Sendable {
    case none
    /// Stretches of bytes to be replaced, in their order.
    case splices([XMLSplice])
    /// The next version.
    case whole(XMLDocument)
}

extension XMLDocument {
    /// Sets keys, or removes them where the value is nil.
    ///
    /// Only what changes is written. Where the keys are not in sorted order, or one is there twice,
    /// the entries that count are first put in order, each with the bytes that it has.
    mutating func apply(_ changes: [String: PropertyListValue?]) throws(PropertyListError) {
        make(try edit(changes))
    }

    func edit(_ changes: [String: PropertyListValue?]) throws(PropertyListError) -> XMLEdit {
        // Each splice moves what is behind it: for many of them the next version is made in one walk.
        if order == .sorted, emptySlash == nil, changes.count <= 8 {
            var splices = XMLSplices(self)
            try take(changes, into: &splices)
            return try splices.finish()
        }
        var document = order == .sorted ? self : sorted()
        if document.emptySlash != nil, changes.values.contains(where: { $0 != nil }) { document.open() }
        var rewriting = XMLRewriting(document, count: changes.count)
        try document.take(changes, into: &rewriting)
        return try rewriting.finish()
    }

    mutating func make(_ edit: XMLEdit) {
        switch edit {
        case .none: break
        case .splices(let splices): for splice in splices.reversed() { make(splice) }
        case .whole(let document): self = document
        }
    }

    private func take(
        _ changes: [String: PropertyListValue?],
        into editing: inout some XMLEditing
    ) throws(PropertyListError) {
        var known = KnownKeys()
        var from = 0
        for (key, value) in sortedByKey(changes) {
            from = firstIndex(notBelow: key, from: from, count: ends.count) {
                known.key($0, reading: self.key(ofEntry:))
            }
            let isPresent = from < ends.count && known.key(from, reading: self.key(ofEntry:)) == key
            switch (isPresent ? entry(from) : nil, value) {
            case (nil, nil): break
            case (nil, let value?): try editing.insert(key, value, before: from)
            case (let present?, let value?) where present.value == value: break
            case (let present?, let value?):
                try editing.replace(present.valueRange, ofEntry: from, key, with: value)
            case (_?, nil): try editing.remove(from)
            }
        }
    }
}
