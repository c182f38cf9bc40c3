import CStart
import CommandLanguage

/// The words that the program was started with. Swift's own list of them is empty where there is no
/// `/proc`, and has other characters in place of bytes that are no UTF-8.
enum ProgramArguments {
    /// The program as it was called.
    static var name: String { cstart_arguments()?.pointee.map { String(cString: $0) } ?? "pdefaults" }

    /// Those behind the name.
    ///
    /// - Throws: where one is not UTF-8: as another name or value it would be stored.
    static func words() throws(UsageError) -> [String] {
        var words: [String] = []
        guard var next = cstart_arguments(), next.pointee != nil else { return words }
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
