import PropertyList
import SettingsStore

// All writes pass these steps, each in a file of its own: validate (WriteValidation), record for undo (here), stage or
// send (WriteSending), and handle the result (WriteResults).
extension EditorState {
    /// Sets or deletes a key, if it still has the value that is shown.
    mutating func write(
        _ new: PropertyListValue?,
        to key: String,
        of suite: String
    ) throws -> [Effect] {
        try write([key: new], of: suite)
    }

    /// Sets or deletes keys of one suite in one transaction.
    mutating func write(
        _ values: [String: PropertyListValue?],
        of suite: String,
        _ source: EditSource? = nil,
        isMove: Bool = false,
        isAgreed: Bool = false
    ) throws -> [Effect] {
        guard let part = try part(values, of: suite) else { return [] }
        return try write([part], source, isMove: isMove, isAgreed: isAgreed)
    }

    /// Writes a transaction, suite by suite. Each part is sent after the one before is stored.
    ///
    /// - Parameters:
    ///   - isMove: Whether a value moves from one key to another.
    ///   - isAgreed: Whether the user agreed to values that break a declaration.
    /// - Throws: ``SchemaViolation`` if the user has to be asked.
    mutating func write(
        _ parts: [Transaction.Part],
        _ source: EditSource? = nil,
        isMove: Bool = false,
        isAgreed: Bool = false
    ) throws -> [Effect] {
        try check(parts)
        if !isAgreed, let problem = schemaViolation(in: parts, .edit(source), isMove: isMove) {
            throw problem
        }
        var (effects, parts) = ([Effect](), parts)
        if staging.isOn { (effects, parts) = restoreBeforeStaging(parts) }
        if parts.isEmpty { return effects }
        let transaction = Transaction(number: history.nextNumber(), parts: parts, isMove: isMove)
        // Undo does not delete a restored file again.
        let own = parts.map { beyondRestoring($0) }
        history.undo.add(transaction.part(own))
        return effects + begin(parts[...], of: transaction, .edit(source))
    }

    /// The part of a transaction that sets these values; nil if none is new.
    func part(_ values: [String: PropertyListValue?], of suite: String) throws -> Transaction.Part? {
        guard let index = suiteIndex(suite) else { throw Refusal("“\(suite)” is gone.") }
        var changes: [String: ValueChange] = [:]
        for (key, new) in values {
            let old = suiteList.suites[index].value(forKey: key)
            if old != new { changes[key] = ValueChange(old: old, new: new) }
        }
        if changes.isEmpty { return nil }
        var part = Transaction.Part(suite: suite, changes: changes)
        // Undo removes the suite that this creates.
        if suiteList.suites[index].presence == .new, suiteList.suites[index].values.isEmpty {
            part.wholeReversed = .removed()
        }
        return part
    }
}

extension InFlight.Purpose {
    /// The start of the message about a failed write.
    var failure: String {
        switch self {
        case .edit, .staged: "Not written"
        case .undo: "Not undone"
        case .redo: "Not redone"
        }
    }
}
