import FoundationEssentials
import PropertyList

/// The process arguments that set a key for this run: `-key value`, as with Foundation's `UserDefaults`. Foundation has
/// them only inside `UserDefaults`, and libraries for command lines use other rules.
enum ProcessArguments {
    private static let all = values(in: CommandLine.arguments)

    /// The values that count for all suites with layers.
    static var ofThisProcess: [String: PropertyListValue] { SettingsSuite.usesArguments ? all : [:] }

    /// An argument that begins with `-` is a key if the next one does not begin with `-`; that one is the value. A value
    /// that begins with `{`, `(`, `[`, `<` or `"` is parsed as a property list if it is one. Any other value is a string,
    /// without the white space around it. The last value of a key counts.
    static func values(in arguments: [String]) -> [String: PropertyListValue] {
        var values: [String: PropertyListValue] = [:]
        for (word, next) in zip(arguments, arguments.dropFirst()) {
            guard word.hasPrefix("-"), word != "-", !next.hasPrefix("-") else { continue }
            values[String(word.dropFirst())] = value(next)
        }
        return values
    }

    private static func value(_ word: String) -> PropertyListValue {
        let text = String(trimmed(word))
        if let first = text.first, "{([<\"".contains(first),
            let list = try? PropertyListValue.read(Array(text.utf8))
        {
            return list.value
        }
        return .string(text)
    }
}

extension ValueShape {
    /// Converts the value of an argument, in which numbers and dates are strings, to this shape; nil if that is
    /// impossible.
    package func value(ofArgument argument: PropertyListValue) -> PropertyListValue? {
        switch (self, argument) {
        case (.json, .string(let text)): return .data(Data(text.utf8))
        case (.array, .array), (.dictionary, .dictionary), (.record, .dictionary):
            return converting(argument) { $0.value(ofArgument: $1) }
        case (_, .string(let text)):
            guard let kind, kind != .string else { return argument }
            return try? PropertyListValue.parse(text, as: kind)
        default: return argument
        }
    }
}
