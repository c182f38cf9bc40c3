import PropertyList

extension SettingsFile {
    /// Returns the text of a settings file.
    ///
    /// - Parameter suites: The suites with their keys, and the values that these must have. Nil deletes a key.
    package static func text(
        _ suites: [(name: String, keys: [(key: String, value: PropertyListValue?)])]
    ) -> String {
        let members = suites.map { suite in
            let keys = suite.keys.map { key, value in
                (key, value?.typedJSON(indented: true, openingJSON: true) ?? #"{"$delete": true}"#)
            }
            return (suite.name, object(keys))
        }
        return object(members) + "\n"
    }

    private static func object(_ members: [(name: String, text: String)]) -> String {
        // No string in the text has a line feed of its own, because JSON escapes it.
        let lines = members.map { jsonText($0.name) + ": " + $0.text.replacing("\n", with: "\n  ") }
        return "{\n  " + lines.joined(separator: ",\n  ") + "\n}"
    }
}
