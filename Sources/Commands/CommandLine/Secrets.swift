import CommandLanguage
import PropertyList
import SettingsStore

// A value that its program declared secret is printed only if the command names its key or has
// `--show-secrets`. An export contains secrets, because it is meant to be imported again.
extension SuiteTarget {
    /// Returns the keys whose values the command must not print.
    ///
    /// - Throws: ``CommandError`` if the declarations cannot be read, because then the secrets are unknown.
    func hiddenKeys(_ line: ParsedCommand) throws -> Set<String> {
        if line.has(.showSecrets) { return [] }
        do {
            return try schemaPlace?.read().secretKeys ?? []
        } catch {
            throw CommandError(
                "The declarations of \(name) are unreadable, so its secrets are unknown (\(error)). Use --show-secrets to print all values."
            )
        }
    }
}

extension Set<String> {
    /// Returns the paths of these keys inside an outer path.
    func places(in outer: ValuePath = []) -> Set<ValuePath> {
        Set<ValuePath>(map { outer.appending(.key($0)) })
    }
}
