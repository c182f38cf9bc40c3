extension PropertyListDocument {
    /// A change to a document that is worked out and not yet made, so that it can be written to a file
    /// first.
    ///
    /// It is good for the document that it was worked out for as long as that is not changed.
    public struct Edit: Sendable {
        fileprivate enum Form {
            case none
            case splices([XMLSplice])
            case binarySplices(BinarySplices)
            case whole(PropertyListDocument)
        }

        fileprivate let form: Form

        /// Whether it leaves all bytes as they are.
        public var isEmpty: Bool { if case .none = form { true } else { false } }
    }

    /// Works out what it takes to set keys, or to remove them where the value is nil.
    ///
    /// - Parameter spellings: How keys were written before: in XML what has its old value again is written as
    ///   it was.
    public func edit(
        _ changes: [String: PropertyListValue?],
        spelledAs spellings: Spellings? = nil
    ) throws(PropertyListError) -> Edit {
        switch form {
        case .xml(let document):
            switch try document.edit(changes, spellings) {
            case .none: return Edit(form: .none)
            case .splices(let splices): return Edit(form: .splices(splices))
            case .whole(let document): return Edit(form: .whole(PropertyListDocument(form: .xml(document))))
            }
        case .binary(var document):
            if let splices = document.splices(changes) { return Edit(form: .binarySplices(splices)) }
            guard try document.apply(changes) else { return Edit(form: .none) }
            return Edit(form: .whole(PropertyListDocument(form: .binary(document))))
        case .foreign(let bytes, let format, let limits):
            let oldValues = values
            guard changes.contains(where: { oldValues[$0.key] != $0.value }) else { return Edit(form: .none) }
            var document = try XMLDocument(translating: bytes, of: format, limits: limits)
            try document.apply(changes)
            return Edit(form: .whole(PropertyListDocument(form: .xml(document))))
        }
    }

    /// The bytes as the edit will make them, in pieces that follow each other.
    public func pieces(after edit: Edit) -> [ArraySlice<UInt8>] {
        switch (edit.form, form) {
        case (.splices(let splices), .xml(let document)): document.pieces(after: splices)
        case (.binarySplices(let splices), .binary(let document)): document.pieces(after: splices)
        case (.whole(let document), _): [document.bytes[...]]
        default: [bytes[...]]
        }
    }

    /// Makes an edit that was worked out for this document.
    public mutating func make(_ edit: Edit) {
        switch edit.form {
        case .none: break
        case .splices(let splices):
            guard case .xml(var document) = takeForm() else { return }
            document.make(.splices(splices))
            form = .xml(document)
        case .binarySplices(let splices):
            guard case .binary(var document) = takeForm() else { return }
            document.make(splices)
            form = .binary(document)
        case .whole(let document): self = document
        }
    }

    /// Hands the form over, to be put back changed, so that its bytes are held once only and not copied.
    private mutating func takeForm() -> Form {
        var taken = Form.foreign([], format, .standard)
        swap(&taken, &form)
        return taken
    }

    /// Sets keys, or removes them where the value is nil. When it throws, the document is as it was.
    public mutating func apply(_ changes: [String: PropertyListValue?]) throws(PropertyListError) {
        make(try edit(changes))
    }
}

extension XMLDocument {
    /// What a file in OpenStep form, or in XML of another encoding, becomes with its first change.
    fileprivate init(
        translating bytes: [UInt8],
        of format: PropertyListFormat,
        limits: PropertyListLimits
    ) throws(PropertyListError) {
        if format == .xml {
            var text = try TextEncoding.decode(bytes)
            if let name = TextEncoding.declaredName(in: text) {
                text.replaceSubrange(name, with: "UTF-8".utf8)
            }
            self = try XMLDocument.read(text, limits: limits).document
        } else {
            let (reader, values) = try OpenStepReader.readWithComments(bytes, limits: limits)
            let document = try XMLDocument(writing: PropertyListEntries(values), limits: limits)
            self = try document.adding(reader.placedComments)
        }
    }
}
