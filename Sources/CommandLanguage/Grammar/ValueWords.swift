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
    ///
    /// - Parameter inJSONFile: Whether the value is for a JSON file, in which `-json` is a value of its own and not data, and
    ///   a word may be a JSON object or array.
    public init(words: [String], inJSONFile: Bool = false) throws(UsageError) {
        var rest = ValueWords(words: words[...], inJSONFile: inJSONFile)
        self = try rest.operation()
        guard let next = rest.words.first else { return }
        if let word = words.first, word.hasPrefix("-"), ValueType(flag: word) == nil,
            word.dropFirst().first?.isLetter == true
        {
            throw .noType(word)
        }
        throw UsageError(MacOSMessage.unexpectedArgument(next))
    }

    /// The first word without a type that is a text in a JSON file, as on macOS, but would be a number, true, false or null as
    /// JSON.
    public static func textLikeJSON(in words: [String]) -> String? {
        var rest = ValueWords(words: words[...], inJSONFile: true)
        _ = try? rest.operation()
        return rest.textLikeJSON
    }
}

/// The words of a value that are not parsed yet.
private struct ValueWords {
    var words: ArraySlice<String>
    let inJSONFile: Bool
    var textLikeJSON: String?

    mutating func operation() throws(UsageError) -> ValueOperation {
        guard let word = words.popFirst() else { throw UsageError("The value is missing.") }
        return switch ValueType(flag: word) {
        case .array: .set(.propertyList(.array(try elements())))
        case .arrayAdd: .append(try elements())
        case .dictionary: .set(.propertyList(.dictionary(try entries())))
        case .dictionaryAdd: .merge(try entries())
        case .delete: .delete
        default: .set(try given(word))
        }
    }

    private mutating func elements() throws(UsageError) -> [PropertyListValue] {
        var elements: [PropertyListValue] = []
        while let word = words.popFirst() { elements.append(try value(word)) }
        return elements
    }

    private mutating func entries() throws(UsageError) -> [String: PropertyListValue] {
        var entries: [String: PropertyListValue] = [:]
        while let word = words.popFirst() {
            let text = textLikeJSON
            guard case .string(let key) = try value(word) else {
                throw UsageError("Dictionary keys must be strings. “\(word)” is not a string.")
            }
            textLikeJSON = text
            guard let next = words.popFirst() else {
                throw UsageError(MacOSMessage.lacksValue(key))
            }
            entries[key] = try value(next)
        }
        return entries
    }

    private mutating func value(_ word: String) throws(UsageError) -> PropertyListValue {
        switch try given(word) {
        case .propertyList(let value): value
        case .json(let text): .data(Data(text.utf8))
        }
    }

    /// Parses one value that is not a list of words.
    mutating func given(_ word: String) throws(UsageError) -> GivenValue {
        guard let type = ValueType(flag: word) else {
            // Only {} is valid as JSON and as a property list, and it means the same.
            if inJSONFile, word.hasPrefix("{") || word.hasPrefix("["), let value = try? json(word) {
                return value
            }
            let value = try literal(word)
            if inJSONFile, textLikeJSON == nil, case .string = value,
                let root = try? JSONDocument(parsing: Data(word.utf8)).root, root.kind != .string
            {
                textLikeJSON = word
            }
            return .propertyList(value)
        }
        if type.takesAll {
            throw UsageError(
                "Lists of words cannot be nested. Write the inner array or dictionary as '(1, 2)' or '{a = 1;}'."
            )
        }
        guard type != .delete else {
            throw UsageError("“-delete” works only in a line of standard input, without a value.")
        }
        guard let text = words.popFirst() ?? (type == .json ? "" : nil) else {
            throw UsageError("“\(word)” needs a value after it.")
        }
        guard let kind = type.kind else { return try json(text) }
        do {
            return .propertyList(try .parse(text, as: kind))
        } catch {
            throw UsageError("\(word): \(error.problem).")
        }
    }

    private func json(_ text: String) throws(UsageError) -> GivenValue {
        do {
            let document = try JSONDocument(parsing: Data(text.utf8))
            return inJSONFile ? .propertyList(document.root.propertyListValue) : .json(text)
        } catch {
            throw UsageError("-json: the text is not JSON: \(error).")
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
    init(words: [String], inJSONFile: Bool) throws(UsageError) {
        var rest = ValueWords(words: words[...], inJSONFile: inJSONFile)
        guard let word = rest.words.popFirst() else {
            throw UsageError("“--if-equals” needs a value after it.")
        }
        self = ValueType(flag: word) == nil ? .text(word) : .exactly(try rest.given(word))
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
