extension PropertyListDocument {
    /// Where the file has a key in several Unicode forms (é as one character, and as two), be it at the top or in a
    /// dictionary inside a value: for whoever reads it they are one key, of whose values there is one. Takes about as
    /// long as to read the file. What several values of a binary file share is told of under one of them, and of so
    /// many places that their paths are longer than a megabyte together some are left out.
    public var placesInSeveralForms: [ValuePath] {
        // What was read once can be read again.
        (try? findKeyForms().places) ?? []
    }

    private func findKeyForms() throws(PropertyListError) -> KeyForms {
        var forms = KeyForms()
        switch form {
        case .xml(let document): try forms.find(inXML: document.bytes, document.limits)
        case .binary(let document):
            var file = BinaryKeyForms(document.file)
            try file.find(in: document.file.topObject, &forms)
        case .foreign(let bytes, .xml, let limits):
            try forms.find(inXML: TextEncoding.decode(bytes), limits)
        case .foreign(let bytes, _, let limits):
            forms = try OpenStepReader.keyForms(in: bytes, limits: limits)
        }
        return forms
    }
}

/// The keys in several Unicode forms that are found on a walk through a file. It is a walk of its own, so that
/// nobody who reads values pays for it.
struct KeyForms {
    private(set) var places: [ValuePath] = []
    private var path = ValuePath()
    /// For how many bytes of paths there is still room: a file has a long key once, be it in the path of many.
    private var room = 1 << 20

    /// Goes on inside a value of the dictionary, or of the array, that the walk is in.
    mutating func enter(_ step: PathStep) { path.steps.append(step) }

    mutating func leave() { path.steps.removeLast() }

    /// - Parameter keys: All that the file has in the dictionary that the walk is in, with whatever values.
    mutating func note(_ keys: consuming EntryList) {
        // Of keys that rise no two are equal.
        if keys.isSorted { return }
        var noted: Set<String> = []
        for key in keys.table(of: .last).keysInSeveralForms where noted.insert(key).inserted {
            let place = path.appending(.key(key))
            room -= place.steps.reduce(0) { $0 + $1.length }
            if room < 0, !places.isEmpty { return }
            places.append(place)
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
    /// Bytes, about.
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
            forms.note(keys)
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
    /// What is referred to more than once is walked through once.
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
        forms.note(keys)
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
