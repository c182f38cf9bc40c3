import PropertyList

extension EditPlan {
    /// What `write`, `rename` and `delete` ask for. `write <domain> -` takes its lines from elsewhere.
    public init(_ line: CommandWords) throws(UsageError) {
        do throws(UsageError) {
            self.init([try Self.edit(line)])
        } catch {
            throw UsageError(error.description, of: error.command ?? line.command)
        }
    }

    private static func edit(_ line: CommandWords) throws(UsageError) -> Edit {
        let pointer = try line.pointer
        let words = line.words
        switch line.command {
        case .write where words.count == 2:
            if pointer != nil || line.has(.ifEquals) || line.has(.ifAbsent) {
                throw UsageError("A whole domain is replaced without --at, --if-equals and --if-absent.")
            }
            guard case .dictionary(let values) = try literal(words[1]) else {
                throw UsageError(
                    "Rep argument is not a dictionary\nDefaults have not been changed. (With a key the value is missing.)"
                )
            }
            return .replaceAll(values)
        case .rename: return .rename(key: words[1], at: pointer, to: words[2])
        case .delete:
            return .write(key: words[1], at: pointer, .delete, if: try line.expectation)
        default:
            let operation = try ValueOperation(words: Array(words[2...]))
            if operation == .delete {
                throw UsageError("“pdefaults delete” removes a key; a string like this goes behind -string.")
            }
            return .write(key: words[1], at: pointer, operation, if: try line.expectation)
        }
    }

    /// What lines of text ask for, each as it would stand behind `write <domain>`.
    ///
    /// - Throws: ``UsageError`` with the number of the line.
    public init(lines text: String) throws(UsageError) {
        var edits: [(line: Int, edit: Edit)] = []
        // By scalars: a carriage return makes one character with the line feed behind it.
        var scalars = text.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        for (index, line) in scalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            do throws(UsageError) {
                let words = try shellWords(String(line))
                guard let first = words.first, !first.hasPrefix("#") else { continue }
                edits.append((index + 1, try Self.edit(line: words)))
            } catch {
                throw UsageError("Line \(index + 1): \(error)", of: .write)
            }
        }
        self.init(edits)
    }

    private static func edit(line words: [String]) throws(UsageError) -> Edit {
        // The domain's place is filled, so that the words have theirs.
        let line = try CommandWords([CommandName.write.rawValue, "domain"] + words)
        guard line.words.count > 2 else { throw UsageError("The value is missing.") }
        for option in CommandOption.general where line.has(option) {
            throw UsageError("The option “\(option.spelling)” has no meaning in a line.")
        }
        let operation = try ValueOperation(words: Array(line.words[2...]))
        return .write(key: line.words[1], at: try line.pointer, operation, if: try line.expectation)
    }
}

extension CommandWords {
    /// The place that `--at` names.
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
    var expectation: Expectation? {
        get throws(UsageError) {
            guard let words = value(of: .ifEquals) else { return has(.ifAbsent) ? .absent : nil }
            if has(.ifAbsent) { throw UsageError("--if-equals and --if-absent exclude each other.") }
            return try Expectation(words: words)
        }
    }
}
