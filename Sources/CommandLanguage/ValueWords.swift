import FoundationEssentials
import PropertyList

/// What is to become of a value.
public enum ValueOperation: Sendable, Hashable {
    case set(GivenValue)
    case append([PropertyListValue])
    case merge([String: PropertyListValue])
    case delete
}

/// A value as it was given.
public enum GivenValue: Sendable, Hashable {
    case propertyList(PropertyListValue)
    /// A JSON text: Data that holds it, or a part of JSON that is there.
    case json(String)
}

extension ValueOperation {
    /// Reads the words of a value by the grammar of macOS: `-int 5`, `-array a b`, or one word that is a
    /// property list or a string.
    public init(words: [String]) throws(UsageError) {
        var rest = words[...]
        guard let word = rest.popFirst() else { throw UsageError("The value is missing.") }
        switch ValueType(flag: word) {
        case .array: self = .set(.propertyList(.array(try Self.elements(&rest))))
        case .arrayAdd: self = .append(try Self.elements(&rest))
        case .dictionary: self = .set(.propertyList(.dictionary(try Self.entries(&rest))))
        case .dictionaryAdd: self = .merge(try Self.entries(&rest))
        case .delete: self = .delete
        case .json?:
            self = .set(.json(try json(rest.popFirst() ?? "")))
        default: self = .set(.propertyList(try Self.value(word, &rest)))
        }
        if let next = rest.first {
            throw UsageError("Unexpected argument “\(next)”; leaving defaults unchanged.")
        }
    }

    private static func elements(_ rest: inout ArraySlice<String>) throws(UsageError) -> [PropertyListValue] {
        var elements: [PropertyListValue] = []
        while let word = rest.popFirst() { elements.append(try value(word, &rest)) }
        return elements
    }

    private static func entries(
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> [String: PropertyListValue] {
        var entries: [String: PropertyListValue] = [:]
        while let word = rest.popFirst() {
            guard case .string(let key) = try value(word, &rest) else {
                throw UsageError("Dictionary keys must be strings, and “\(word)” is none.")
            }
            guard let next = rest.popFirst() else {
                throw UsageError("Key “\(key)” lacks a corresponding value.")
            }
            entries[key] = try value(next, &rest)
        }
        return entries
    }

    /// Reads one value that is no list of words.
    fileprivate static func value(
        _ word: String,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> PropertyListValue {
        guard let type = ValueType(flag: word) else { return try literal(word) }
        if type.takesAll {
            throw UsageError(
                "Arrays and dictionaries of words can’t be nested; write the inner one as '(1, 2)' or '{a = 1;}'."
            )
        }
        guard type != .delete else {
            throw UsageError("“-delete” stands alone, in a line of standard input.")
        }
        guard let text = rest.popFirst() else { throw UsageError("Behind “\(word)” the value is missing.") }
        guard let kind = type.kind else { return .data(Data(try json(text).utf8)) }
        return try parsed(text, as: kind, behind: word)
    }

    private static func parsed(
        _ text: String,
        as kind: PropertyListValue.Kind,
        behind word: String
    ) throws(UsageError) -> PropertyListValue {
        do {
            return try .parse(text, as: kind)
        } catch {
            throw UsageError("\(word): \(error.problem).")
        }
    }
}

/// A condition on the value that is there.
public enum Expectation: Sendable, Hashable {
    case exactly(GivenValue)
    /// A value that this text spells, whatever its type.
    case text(String)
    case absent

    /// Reads what is behind `--if-equals`.
    init(words: [String]) throws(UsageError) {
        var rest = words[...]
        guard let word = rest.popFirst() else {
            throw UsageError("Behind “--if-equals” the value is missing.")
        }
        switch ValueType(flag: word) {
        case nil: self = .text(word)
        case .json?: self = .exactly(.json(try json(rest.popFirst() ?? "")))
        case .some: self = .exactly(.propertyList(try ValueOperation.value(word, &rest)))
        }
    }
}

/// A word as macOS takes it where no type is named: a property list where it has one of its marks, else a
/// string.
public func literal(_ word: String) throws(UsageError) -> PropertyListValue {
    guard word.utf8.contains(where: { #""()[]{}<>"#.utf8.contains($0) }) else { return .string(word) }
    do {
        return try PropertyListValue.read(Array(word.utf8)).value
    } catch {
        throw UsageError(
            "Could not parse: \(brief(word)). Try single-quoting it, or -string, if it is to be a string (\(error))."
        )
    }
}

/// The text, if it is JSON.
private func json(_ text: String) throws(UsageError) -> String {
    do {
        _ = try JSONDocument(parsing: Data(text.utf8))
        return text
    } catch {
        throw UsageError("-json: the text is not JSON: \(error).")
    }
}
