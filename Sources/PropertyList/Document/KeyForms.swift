// Finds keys that a file spells in several Unicode forms, for example “é” as one character and as two.
// This module treats the forms as one key and shows one of their values, so a check of the file must be
// able to warn about the hidden ones.
extension PropertyListDocument {
    /// The paths of all keys that the file has in several Unicode forms, at the top or in a nested
    /// dictionary.
    ///
    /// Finding them takes about as long as reading the file. If several values of a binary file share a
    /// dictionary, its keys are reported under one of them. Once the paths exceed about one megabyte in
    /// total, further paths are left out.
    public var placesInSeveralForms: [ValuePath] {
        // This cannot fail, because the same bytes were read before.
        (try? findKeyForms().paths) ?? []
    }

    private func findKeyForms() throws(PropertyListError) -> KeyForms {
        var forms = KeyForms()
        switch form {
        case .xml(let document): try forms.find(inXML: document.bytes, document.limits)
        case .binary(let document):
            var file = BinaryKeyForms(document.file)
            try file.find(in: document.file.topObject, &forms)
        case .readOnly(let bytes, .xml, let limits):
            try forms.find(inXML: TextEncoding.decode(bytes), limits)
        case .readOnly(let bytes, _, let limits):
            forms = try OpenStepReader.keyForms(in: bytes, limits: limits)
        }
        return forms
    }
}

/// Collects keys in several Unicode forms during a walk through a file.
///
/// The walk is separate from reading, so that normal reads do not pay for it.
struct KeyForms {
    private(set) var paths: [ValuePath] = []
    private var path = ValuePath()
    /// How many more bytes of paths may be stored. A file stores a long key once, even if thousands of
    /// paths contain it.
    private var remainingPathBytes = 1 << 20

    /// Steps into a value of the current dictionary or array.
    mutating func enter(_ step: PathStep) { path.steps.append(step) }

    mutating func leave() { path.steps.removeLast() }

    /// Records the keys of the current dictionary that occur in several forms.
    ///
    /// - Parameter keys: All keys of the dictionary. Their values are ignored.
    mutating func record(_ keys: consuming EntryList) {
        // Keys in strictly rising order are all different.
        if keys.isSorted { return }
        var recorded: Set<String> = []
        for key in keys.entries(keeping: .last).keysInSeveralForms where recorded.insert(key).inserted {
            let keyPath = path.appending(.key(key))
            remainingPathBytes -= keyPath.steps.reduce(0) { $0 + $1.length }
            if remainingPathBytes < 0, !paths.isEmpty { return }
            paths.append(keyPath)
        }
    }

    fileprivate mutating func find(inXML text: [UInt8], _ limits: PropertyListLimits)
        throws(PropertyListError)
    {
        var reader = XMLReader(text, limits: limits)
        try reader.readStart()
        try reader.findKeyForms(&self)
    }
}

extension PathStep {
    /// The approximate number of bytes.
    fileprivate var length: Int {
        switch self {
        case .key(let key), .twin(let key, _): key.utf8.count + 1
        case .index: 8
        }
    }
}

extension XMLReader {
    fileprivate mutating func findKeyForms(_ forms: inout KeyForms) throws(PropertyListError) {
        let start = try readValueStart()
        switch start.element {
        case .dict where !start.isEmpty:
            var keys = EntryList()
            while let key = try readKey() {
                keys.append(key, .boolean(true))
                try skipToValue()
                forms.enter(.key(key))
                try findKeyForms(&forms)
                forms.leave()
            }
            forms.record(keys)
        case .array where !start.isEmpty:
            var index = 0
            while try skipToElement() {
                forms.enter(.index(index))
                try findKeyForms(&forms)
                forms.leave()
                index += 1
            }
        default: _ = try readContent(of: start)
        }
    }
}

private struct BinaryKeyForms {
    let file: BinaryFile
    private var repeatedKeys = RepeatedKeys()
    /// Whether each object was visited. A shared object is visited once.
    private var seen: [Bool]

    init(_ file: BinaryFile) {
        self.file = file
        seen = Array(repeating: false, count: file.objectCount)
    }

    mutating func find(in index: Int, _ forms: inout KeyForms) throws(PropertyListError) {
        let object = try file.object(index)
        guard object.kind.isContainer, !seen[index] else { return }
        seen[index] = true
        let count = file.count(of: object)
        if object.kind == .array {
            for position in 0..<count {
                try find(in: file.reference(position, of: object), under: .index(position), &forms)
            }
            return
        }
        var keys = EntryList()
        for position in try repeatedKeys.firstEntries(of: object, in: file) ?? Array(0..<count) {
            let key = file.key(position, of: object)
            keys.append(key, .boolean(true))
            try find(in: file.reference(count + position, of: object), under: .key(key), &forms)
        }
        forms.record(keys)
    }

    private mutating func find(
        in index: Int,
        under step: PathStep,
        _ forms: inout KeyForms
    ) throws(PropertyListError) {
        forms.enter(step)
        try find(in: index, &forms)
        forms.leave()
    }
}
