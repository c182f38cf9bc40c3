import PropertyList

/// The sentences that macOS's `defaults` prints. Scripts compare them, so they stay as they are, with macOS's word
/// "domain" for a suite. A caller may add a sentence that says what to do.
public enum MacOSMessage {
    public static func suiteNotFound(_ suite: String) -> String {
        "Domain (\(suite)) not found.\n\(nothingChanged)"
    }

    public static func suiteDoesNotExist(_ suite: String) -> String { "Domain \(suite) does not exist" }

    public static func pairDoesNotExist(_ suite: String, _ key: String) -> String {
        "The domain/default pair of (\(suite), \(MessageText.name(key))) does not exist"
    }

    public static func keyDoesNotExist(_ key: String, in suite: String) -> String {
        "Key \(MessageText.name(key)) does not exist in domain \(suite); leaving defaults unchanged."
    }

    /// - Parameter kind: `array` or `dictionary`.
    public static func cannotAppend(to key: String, notA kind: String) -> String {
        let article = kind == "array" ? "an" : "a"
        return "Value for key \(MessageText.name(key)) is not \(article) \(kind); cannot append. "
            + "Leaving defaults unchanged."
    }

    public static let notADictionary = "Rep argument is not a dictionary\n\(nothingChanged)"
    public static let nothingChanged = "Defaults have not been changed."

    public static func unexpectedArgument(_ word: String) -> String {
        "Unexpected argument “\(word)”; leaving defaults unchanged."
    }

    public static func lacksValue(_ key: String) -> String {
        "Key “\(MessageText.name(key))” lacks a corresponding value."
    }

    public static func fileIsNotADictionary(_ path: String) -> String {
        "Property list \(path) was not a dictionary.\n\(nothingChanged)"
    }

    public static func couldNotRead(_ path: String) -> String { "Could not read data from \(path)" }

    public static func couldNotParse(_ path: String) -> String {
        "Could not parse property list from \(path)"
    }

    public static func type(_ type: String) -> String { "Type is \(type)" }

    public static func found(_ count: Int, in suite: String) -> String {
        "Found \(count) keys in domain '\(suite)': "
    }

    public static func nothingContains(_ word: String) -> String {
        "No domain, key, nor value containing '\(word)'"
    }
}
