import CommandLanguage
import PropertyList
import SettingsStore

// Values that programs declared secret are not printed, unless the command names their key or has
// `--show-secrets`. An export has them: it is there to be read back.
extension Domain {
    /// The keys whose values a command does not print.
    ///
    /// - Throws: where nobody can know them, since what programs declared can't be read.
    func hiddenKeys(_ line: CommandWords) throws -> Set<String> {
        if line.has(.showSecrets) { return [] }
        do {
            return try schemaPlace?.read().secretKeys ?? []
        } catch {
            throw CommandError(
                "Which values of \(name) are secrets can’t be known (\(error)). --show-secrets prints all."
            )
        }
    }
}

extension Set<String> {
    /// The places of their values inside something else.
    func places(in outer: ValuePath = []) -> Set<ValuePath> {
        Set<ValuePath>(map { outer.appending(.key($0)) })
    }
}
