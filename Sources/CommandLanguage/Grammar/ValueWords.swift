import FoundationEssentials
import PropertyList

// Parses the words of a value as macOS's `defaults` does, so that its scripts work unchanged.

/// The change that a command makes to a value.
public enum ValueOperation: Sendable, Hashable {
    case set(GivenValue)
    case append([PropertyListValue])
    case merge([String: PropertyListValue])
    case delete
}

/// A value as the user gave it.
public enum GivenValue: Sendable, Hashable {
    case propertyList(PropertyListValue)
    /// JSON text: new data, or a part of JSON that is stored as data.
    case json(String)
}

extension ValueOperation {
    /// Parses the words of a value by the grammar of macOS `defaults`: `-int 5`, `-array a b`, or one word
    /// that is a property list or a string.
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
        guard let next = rest.first else { return }
        if word.hasPrefix("-"), ValueType(flag: word) == nil, word.dropFirst().first?.isLetter == true {
            throw .noType(word)
        }
        throw UsageError(MacOSMessage.unexpectedArgument(next))
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
                throw UsageError("Dictionary keys must be strings. “\(word)” is not a string.")
            }
            guard let next = rest.popFirst() else {
                throw UsageError(MacOSMessage.lacksValue(key))
            }
            entries[key] = try value(next, &rest)
        }
        return entries
    }

    /// Parses one value that is not a list of words.
    fileprivate static func value(
        _ word: String,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> PropertyListValue {
        guard let type = ValueType(flag: word) else { return try literal(word) }
        if type.takesAll {
            throw UsageError(
                "Lists of words cannot be nested. Write the inner array or dictionary as '(1, 2)' or '{a = 1;}'."
            )
        }
        guard type != .delete else {
            throw UsageError("“-delete” works only in a line of standard input, without a value.")
        }
        guard let text = rest.popFirst() else { throw UsageError("“\(word)” needs a value after it.") }
        guard let kind = type.kind else { return .data(Data(try json(text).utf8)) }
        return try parsed(text, as: kind, after: word)
    }

    private static func parsed(
        _ text: String,
        as kind: PropertyListValue.Kind,
        after word: String
    ) throws(UsageError) -> PropertyListValue {
        do {
            return try .parse(text, as: kind)
        } catch {
            throw UsageError("\(word): \(error.problem).")
        }
    }
}

/// A condition on the stored value.
public enum Expectation: Sendable, Hashable {
    case exactly(GivenValue)
    /// A value that this text represents, whatever its type.
    case text(String)
    case absent

    /// Parses the words of `--if-equals`.
    init(words: [String]) throws(UsageError) {
        var rest = words[...]
        guard let word = rest.popFirst() else {
            throw UsageError("“--if-equals” needs a value after it.")
        }
        switch ValueType(flag: word) {
        case nil: self = .text(word)
        case .json?: self = .exactly(.json(try json(rest.popFirst() ?? "")))
        case .some: self = .exactly(.propertyList(try ValueOperation.value(word, &rest)))
        }
    }
}

/// Parses a word without a type, as macOS `defaults` does.
///
/// A word with a quotation mark, parenthesis, bracket, brace or angle bracket is a property list. Any other
/// word is a string.
///
/// - Throws: ``UsageError`` if the word is not a valid property list.
public func literal(_ word: String) throws(UsageError) -> PropertyListValue {
    guard word.utf8.contains(where: { #""()[]{}<>"#.utf8.contains($0) }) else { return .string(word) }
    do {
        return try PropertyListValue.read(Array(word.utf8)).value
    } catch {
        throw UsageError(
            "Could not parse: \(brief(word)). Try single-quoting it, or write -string before a string (\(error))."
        )
    }
}

/// Returns the text if it is valid JSON, and throws ``UsageError`` if not.
private func json(_ text: String) throws(UsageError) -> String {
    do {
        _ = try JSONDocument(parsing: Data(text.utf8))
        return text
    } catch {
        throw UsageError("-json: the text is not JSON: \(error).")
    }
}
