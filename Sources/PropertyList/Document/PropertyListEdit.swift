// Splits a change into two steps: work out the edit, then apply it. A caller can write the edited bytes
// to a file between the two steps and keep the old document if the write fails.
extension PropertyListDocument {
    /// A change that is worked out but not yet applied.
    ///
    /// An edit is valid only for the document that created it, and only until that document changes.
    public struct Edit: Sendable {
        fileprivate enum Form {
            case none
            case splices(XMLSplices)
            case whole(PropertyListDocument)
        }

        fileprivate let form: Form

        /// Whether the edit leaves all bytes as they are.
        public var isEmpty: Bool { if case .none = form { true } else { false } }
    }

    /// Works out how to set keys, or to remove the keys whose value is nil.
    ///
    /// - Parameters:
    ///   - changes: The keys with their new values.
    ///   - spellings: Earlier forms of the entries or of the text. What gets its old value back is written in its old form.
    /// - Throws: ``PropertyListError`` if a value cannot be written in this format or if the file would
    ///   exceed a limit.
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
            guard try document.apply(changes) else { return Edit(form: .none) }
            return Edit(form: .whole(PropertyListDocument(form: .binary(document))))
        case .json(let file):
            guard var new = try file.edited(changes) else { return Edit(form: .none) }
            if let earlier = spellings?.text(before: file, withValuesOf: new) { new = earlier }
            return Edit(form: .whole(PropertyListDocument(form: .json(new))))
        case .readOnly(let bytes, let format, let limits):
            let oldValues = values
            guard changes.contains(where: { oldValues[$0.key] != $0.value }) else { return Edit(form: .none) }
            var document = try XMLDocument(translating: bytes, of: format, limits: limits)
            try document.apply(changes)
            return Edit(form: .whole(PropertyListDocument(form: .xml(document))))
        }
    }

    /// The bytes of the edited document, as consecutive pieces. If little of an XML file changes, they share memory with this
    /// document.
    public func pieces(after edit: Edit) -> [ArraySlice<UInt8>] {
        switch (edit.form, form) {
        case (.splices(let splices), .xml(let document)): document.pieces(after: splices)
        case (.whole(let document), _): [document.bytes[...]]
        default: [bytes[...]]
        }
    }

    /// Applies an edit that this document created.
    public mutating func make(_ edit: Edit) {
        switch edit.form {
        case .none: break
        case .splices(let splices):
            guard case .xml(var document) = takeForm() else { return }
            document.make(splices)
            form = .xml(document)
        case .whole(let document): self = document
        }
    }

    /// Takes the form out of the document. Its bytes then have one owner and can be changed without a
    /// copy.
    private mutating func takeForm() -> Form {
        var taken = Form.readOnly([], format, .standard)
        swap(&taken, &form)
        return taken
    }

    /// Sets keys, or removes the keys whose value is nil. If this method throws, the document is
    /// unchanged.
    public mutating func apply(_ changes: [String: PropertyListValue?]) throws(PropertyListError) {
        make(try edit(changes))
    }
}

extension XMLDocument {
    /// Converts a file in OpenStep format, or in XML with another encoding, to XML in UTF-8.
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
            self = try document.adding(reader.commentTexts)
        }
    }
}
