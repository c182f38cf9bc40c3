import CStartup
import CommandLanguage

/// The arguments of the program.
///
/// Swift's own list of arguments is empty if `/proc` is missing, and replaces invalid UTF-8 by other
/// characters.
enum ProgramArguments {
    /// The name by which the program was started.
    static var name: String { cstartup_arguments()?.pointee.map { String(cString: $0) } ?? "pdefaults" }

    /// Returns the arguments after the program's name.
    ///
    /// - Throws: ``UsageError`` if an argument is not UTF-8, because it would be stored as another name or
    ///   value.
    static func words() throws(UsageError) -> [String] {
        var words: [String] = []
        guard var next = cstartup_arguments(), next.pointee != nil else { return words }
        next += 1
        while let bytes = next.pointee {
            guard let word = String(validatingCString: bytes) else {
                throw UsageError("The argument “\(String(cString: bytes))” is not UTF-8; nothing was done.")
            }
            words.append(word)
            next += 1
        }
        return words
    }
}
