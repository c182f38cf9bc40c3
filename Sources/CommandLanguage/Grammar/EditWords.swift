import PropertyList

// Turns the words of `write`, `rename` and `delete` into a plan of changes. The plan itself knows nothing
// about the command line.

extension EditPlan {
    /// Creates the plan for `write`, `rename` or `delete`. The lines of `write <suite> -` are parsed by
    /// ``init(lines:inJSONFile:)``.
    public init(_ line: ParsedCommand, inJSONFile: Bool = false) throws(UsageError) {
        do throws(UsageError) {
            self.init([try Self.edit(line, inJSONFile)])
        } catch {
            throw UsageError(error.description, of: error.command ?? line.command)
        }
    }

    private static func edit(_ line: ParsedCommand, _ inJSONFile: Bool) throws(UsageError) -> Edit {
        let pointer = try line.pointer
        let words = line.words
        switch line.command {
        case .write where words.count == 2:
            if pointer != nil || line.has(.ifEquals) || line.has(.ifAbsent) {
                throw UsageError(
                    "--at, --if-equals and --if-absent need a key. Without a key, write replaces the whole suite."
                )
            }
            guard
                case .set(.propertyList(.dictionary(let values))) = try ValueOperation(
                    words: [words[1]],
                    inJSONFile: inJSONFile
                )
            else {
                throw UsageError(
                    MacOSMessage.notADictionary + " (If the word is a key, write a value after it.)"
                )
            }
            return .replaceAll(values)
        case .rename: return .rename(key: words[1], at: pointer, to: words[2])
        case .delete:
            return .write(key: words[1], at: pointer, .delete, if: try line.expectation(inJSONFile))
        default:
            let operation = try ValueOperation(words: Array(words[2...]), inJSONFile: inJSONFile)
            if operation == .delete {
                throw UsageError(
                    "To delete a key, use “pdefaults delete”. To store this text, write -string before it."
                )
            }
            return .write(key: words[1], at: pointer, operation, if: try line.expectation(inJSONFile))
        }
    }

    /// Creates a plan from lines of text. Each line contains the words that would follow `write <suite>`.
    ///
    /// - Throws: ``UsageError`` with the number of the line.
    public init(lines text: String, inJSONFile: Bool = false) throws(UsageError) {
        var edits: [(line: Int, edit: Edit)] = []
        // Splits by scalars, because a carriage return and a line feed are one character.
        var scalars = text.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        for (index, line) in scalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            do throws(UsageError) {
                let words = try shellWords(String(line))
                guard let first = words.first, !first.hasPrefix("#") else { continue }
                edits.append((index + 1, try Self.edit(line: words, inJSONFile)))
            } catch {
                throw UsageError("Line \(index + 1): \(error)", of: .write)
            }
        }
        self.init(edits)
    }

    private static func edit(line words: [String], _ inJSONFile: Bool) throws(UsageError) -> Edit {
        // A placeholder for the suite, so that the other words are parsed in their usual positions.
        let line = try ParsedCommand([CommandName.write.rawValue, "suite"] + words)
        guard line.words.count > 2 else { throw UsageError("The value is missing.") }
        for option in CommandOption.general + [.layer] where line.has(option) {
            throw UsageError("A line of standard input has no option “\(option.spelling)”.")
        }
        let operation = try ValueOperation(words: Array(line.words[2...]), inJSONFile: inJSONFile)
        return .write(
            key: line.words[1],
            at: try line.pointer,
            operation,
            if: try line.expectation(inJSONFile)
        )
    }
}

extension ParsedCommand {
    /// The path of the option `--at`.
    public var pointer: JSONPointer? {
        get throws(UsageError) {
            guard let text = word(of: .at) else { return nil }
            do throws(ValueTextError) {
                return try JSONPointer(text)
            } catch {
                throw UsageError("--at: \(error).", of: command)
            }
        }
    }

    /// The condition of a write.
    func expectation(_ inJSONFile: Bool) throws(UsageError) -> Expectation? {
        guard let words = value(of: .ifEquals) else { return has(.ifAbsent) ? .absent : nil }
        if has(.ifAbsent) { throw UsageError("Use either --if-equals or --if-absent.") }
        return try Expectation(words: words, inJSONFile: inJSONFile)
    }
}
