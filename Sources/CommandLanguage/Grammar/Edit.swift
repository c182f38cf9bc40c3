import FoundationEssentials
import PropertyList

/// One requested change to a suite.
public enum Edit: Sendable, Hashable {
    case write(key: String, at: JSONPointer?, ValueOperation, if: Expectation?)
    case rename(key: String, at: JSONPointer?, to: String)
    case replaceAll([String: PropertyListValue])
    /// Sets the given keys and keeps the others.
    case setAll([String: PropertyListValue])
}

/// The reason why a change is impossible. Nothing was written.
public struct EditRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// A message for the user that says why.
    public let description: String
    /// Whether a condition (`--if-equals`, `--if-absent`) did not hold.
    public let isConflict: Bool

    init(_ description: String, isConflict: Bool = false) {
        self.description = description
        self.isConflict = isConflict
    }
}

/// Changes to one suite that are made together or not at all.
///
/// A script must not leave a suite half changed. So all changes are computed in memory first, each on the
/// result of the previous one, and then written in one transaction.
public struct EditPlan: Sendable, Hashable {
    public let edits: [Edit]
    /// The line number of each edit. Empty if the edits do not come from lines of text.
    private let lines: [Int]

    public init(_ edits: [Edit]) { (self.edits, lines) = (edits, []) }

    /// Whether the changes depend on the stored values.
    public var dependsOnStoredValues: Bool {
        !edits.allSatisfy { if case .setAll = $0 { true } else { false } }
    }

    init(_ edits: [(line: Int, edit: Edit)]) { (self.edits, lines) = (edits.map(\.edit), edits.map(\.line)) }

    /// Computes the new value of each changed key, or nil if the key is deleted.
    ///
    /// - Parameters:
    ///   - stored: The stored values of the suite.
    ///   - suite: The suite's name, for error messages.
    ///   - isSecret: Whether the value of a key must not appear in messages.
    ///   - defaultValue: The value of a key that is not stored, which elements and members are added to.
    /// - Throws: ``EditRefusal`` if a change is impossible or a condition does not hold.
    public func changes(
        to stored: PropertyListEntries,
        of suite: String,
        isSecret: (String) -> Bool = { _ in false },
        defaultValue: (String) -> PropertyListValue? = { _ in nil }
    ) throws(EditRefusal) -> [String: PropertyListValue?] {
        var changes: [String: PropertyListValue?] = [:]
        for (index, edit) in edits.enumerated() {
            do throws(EditRefusal) {
                try add(edit, to: &changes, over: stored, of: suite, isSecret, defaultValue)
            } catch {
                throw lines.isEmpty
                    ? error : EditRefusal("Line \(lines[index]): \(error)", isConflict: error.isConflict)
            }
        }
        return changes
    }

    private func add(
        _ edit: Edit,
        to changes: inout [String: PropertyListValue?],
        over stored: PropertyListEntries,
        of suite: String,
        _ isSecret: (String) -> Bool,
        _ defaultValue: (String) -> PropertyListValue?
    ) throws(EditRefusal) {
        func current(_ key: String) -> PropertyListValue? { changes[key] ?? stored[key] }
        switch edit {
        case .write(let key, let pointer, let operation, let expectation):
            let isPart = operation.isAddition || pointer?.tokens.isEmpty == false
            let old = current(key) ?? (isPart ? defaultValue(key) : nil)
            guard old != nil || operation != .delete else { throw .missing(key, in: suite, stored) }
            changes[key] = .some(
                try edited(key, old, at: pointer) { place throws(EditRefusal) in
                    try expectation?.check(place, key, pointer, isSecret: isSecret(key))
                    return try operation.result(on: place, key)
                }
            )
        case .rename(let key, let pointer, let new):
            guard let old = current(key) else {
                throw EditRefusal(
                    MacOSMessage.keyDoesNotExist(key, in: suite)
                )
            }
            if let pointer, !pointer.tokens.isEmpty {
                changes[key] = .some(try renamed(old, at: pointer, to: new, key))
            } else {
                changes[key] = .some(nil)
                changes[new] = .some(old)
            }
        case .replaceAll(let values):
            for key in Set(stored.keys).union(changes.keys) { changes[key] = .some(nil) }
            for (key, value) in values { changes[key] = .some(value) }
        case .setAll(let values):
            for (key, value) in values { changes[key] = .some(value) }
        }
    }
}

extension EditRefusal {
    static func missing(_ key: String, in suite: String, _ stored: PropertyListEntries) -> EditRefusal {
        EditRefusal(
            stored.isEmpty
                ? MacOSMessage.suiteNotFound(suite)
                : "\(MacOSMessage.pairDoesNotExist(suite, key)).\n\(MacOSMessage.nothingChanged)"
        )
    }
}

/// Returns the subject of a message: the key, and the path inside its value if there is one.
private func subject(_ key: String, _ pointer: JSONPointer?) -> String {
    let name = "“\(MessageText.name(key))”"
    return pointer.map { $0.tokens.isEmpty ? name : "\(name) at \($0)" } ?? name
}

/// A position inside a value, with its current content.
private enum Place {
    case propertyList(PropertyListValue?)
    /// A position inside JSON that is stored as data. Nil if it has no content yet.
    case json(JSONNode?)
}

/// The result of an edit at a position.
private enum Outcome {
    case new(NewValue)
    case removed
}

private func edited(
    _ key: String,
    _ old: PropertyListValue?,
    at pointer: JSONPointer?,
    _ edit: (Place) throws(EditRefusal) -> Outcome
) throws(EditRefusal) -> PropertyListValue? {
    guard let pointer, !pointer.tokens.isEmpty else {
        switch try edit(.propertyList(old)) {
        case .removed: return nil
        case .new(.propertyList(let value)): return value
        case .new(.json(let text)): return .data(Data(text.utf8))
        }
    }
    guard let old else {
        throw EditRefusal(
            "“\(MessageText.name(key))” has no value, so it has no \(pointer). Write the whole value first."
        )
    }
    let path = pointer.path(in: old)
    let node = ValueNode(old).node(at: path)
    let parent = ValueNode(old).node(at: path.parent ?? [])
    let place: Place
    if parent?.json != nil {
        place = .json(node?.json)
    } else if case .propertyList(let value)? = node?.content {
        place = .propertyList(value)
    } else {
        place = .propertyList(nil)
    }
    do {
        switch try edit(place) {
        case .removed: return try old.removing(at: path)
        case .new(let value):
            let new = parent?.json == nil ? NewValue.propertyList(value.whole) : value
            return node == nil ? try old.inserting(new, at: path) : try old.replacing(at: path, with: new)
        }
    } catch let error as ValueEditError {
        let isThere = error.path.description == pointer.description
        throw EditRefusal("\(subject(key, pointer)): \(isThere ? error.problem : "\(error)")")
    } catch let error as EditRefusal {
        throw error
    } catch {
        throw EditRefusal("“\(MessageText.name(key))”: \(error)")
    }
}

private func renamed(
    _ old: PropertyListValue,
    at pointer: JSONPointer,
    to name: String,
    _ key: String
) throws(EditRefusal) -> PropertyListValue {
    do {
        return try old.renaming(at: pointer.path(in: old), to: name)
    } catch {
        throw EditRefusal("“\(MessageText.name(key))” at \(error)")
    }
}

extension NewValue {
    /// The value as a property-list value. JSON becomes data.
    fileprivate var whole: PropertyListValue {
        switch self {
        case .propertyList(let value): value
        case .json(let text): .data(Data(text.utf8))
        }
    }
}

extension ValueOperation {
    /// Whether it keeps what the value has.
    fileprivate var isAddition: Bool {
        switch self {
        case .append, .merge: true
        case .delete, .set: false
        }
    }

    fileprivate func result(on place: Place, _ key: String) throws(EditRefusal) -> Outcome {
        switch (self, place) {
        case (.delete, _): return .removed
        case (.set(.propertyList(let value)), .propertyList): return .new(.propertyList(value))
        case (.set(.propertyList(let value)), .json): return .new(.json(try plainJSON(value, key)))
        case (.set(.json(let text)), _): return .new(.json(text))
        case (.append(let elements), .propertyList(let old)):
            guard let old else { return .new(.propertyList(.array(elements))) }
            guard case .array(let present) = old else {
                throw EditRefusal(
                    MacOSMessage.cannotAppend(to: key, notA: "array")
                )
            }
            return .new(.propertyList(.array(present + elements)))
        case (.merge(let entries), .propertyList(let old)):
            guard let old else { return .new(.propertyList(.dictionary(entries))) }
            guard case .dictionary(let present) = old else {
                throw EditRefusal(
                    MacOSMessage.cannotAppend(to: key, notA: "dictionary")
                )
            }
            return .new(.propertyList(.dictionary(present.merging(entries) { $1 })))
        case (.append, .json), (.merge, .json):
            throw EditRefusal(
                "“\(MessageText.name(key))”: -array-add and -dict-add do not work inside JSON. Write one element at a time; --at POINTER/- appends."
            )
        }
    }
}

/// Returns the value as plain JSON, for a position inside JSON.
private func plainJSON(_ value: PropertyListValue, _ key: String) throws(EditRefusal) -> String {
    guard let kind = value.kindForeignToJSON else { return value.compactJSON }
    throw EditRefusal(
        "“\(MessageText.name(key))”: JSON cannot store this \(kind). Write its text with -json or -string."
    )
}

extension Expectation {
    fileprivate func check(
        _ place: Place,
        _ key: String,
        _ pointer: JSONPointer?,
        isSecret: Bool
    ) throws(EditRefusal) {
        let found: String?
        let holds: Bool
        switch (self, place) {
        case (.absent, .propertyList(let value)): (found, holds) = (value?.oldStyleLine, value == nil)
        case (.absent, .json(let node)): (found, holds) = (node?.source, node == nil)
        case (_, .propertyList(let value?)): (found, holds) = (value.oldStyleLine, isMet(by: value))
        case (_, .json(let node?)): (found, holds) = (node.source, isMet(by: node))
        case (_, .propertyList(nil)), (_, .json(nil)): (found, holds) = (nil, false)
        }
        if holds { return }
        let state = found.map { isSecret ? "has another value" : "is \($0)" } ?? "has no value"
        throw EditRefusal("Nothing was written: \(subject(key, pointer)) \(state) now.", isConflict: true)
    }

    private func isMet(by value: PropertyListValue) -> Bool {
        switch self {
        case .absent: return false
        case .exactly(.propertyList(let expected)): return expected == value
        case .exactly(.json(let text)): return value == .data(Data(text.utf8))
        case .text(let text):
            if let parsed = try? PropertyListValue.parse(text, as: value.kind) { return parsed == value }
            return (try? literal(text)) == value
        }
    }

    private func isMet(by node: JSONNode) -> Bool {
        switch self {
        case .absent: return false
        case .exactly(.propertyList(let expected)): return (try? plainJSON(expected, "")) == node.source
        case .exactly(.json(let text)):
            return (try? JSONDocument(parsing: Data(text.utf8)))?.root.source == node.source
        case .text(let text): return (node.editText ?? node.source) == text
        }
    }
}
