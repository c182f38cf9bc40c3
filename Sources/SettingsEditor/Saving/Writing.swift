import PropertyList
import SettingsStore

// All writes pass these steps, each in a file of its own: validate (WriteRefusals), record for undo (here), stage or
// send (WriteSending), and handle the result (WriteResults).
extension EditorState {
    /// Writes what a command has computed for one suite, in one transaction. Keys that still have the value that is
    /// shown are set or deleted.
    mutating func write(_ edit: SuiteEdit, isAgreed: Bool = false) throws -> [Effect] {
        for key in edit.secrets { suiteList.keepSecret(key, of: edit.suite) }
        let part = try existingSuite(edit.suite).part(edit.values)
        let effects =
            try part.map { try write([$0], edit.source, isMove: edit.isMove, isAgreed: isAgreed) } ?? []
        if let index = suiteIndex(edit.suite) {
            suiteList.suites[index].multiSelection.subtract(edit.deselected)
        }
        if let path = edit.selected {
            suiteList.select(path, of: edit.suite)
            if edit.isInserted, suiteList.filterHides(path, of: edit.suite) {
                say("The filter hides “\(path.lastName)”. Press Esc to show all.")
            }
        }
        if let message = edit.message { say(message) }
        return effects
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
        if parts.isEmpty { return [] }
        let transaction = Transaction(number: history.nextNumber(), parts: parts, isMove: isMove)
        history.undo.add(transaction)
        return begin(parts[...], of: transaction, .edit(source))
    }
}

extension SuiteModel {
    /// The part of a transaction that sets these values; nil if none is new.
    func part(_ values: [String: PropertyListValue?]) -> Transaction.Part? {
        var changes: [String: ValueChange] = [:]
        for (key, new) in values {
            let old = value(forKey: key)
            if old != new { changes[key] = ValueChange(old: old, new: new) }
        }
        if changes.isEmpty { return nil }
        var part = Transaction.Part(suite: id, changes: changes)
        // Undo removes the suite that this creates.
        if presence == .new, self.values.isEmpty { part.wholeReversed = .removed() }
        return part
    }
}

extension InFlight.Purpose {
    /// The start of the message about a failed write.
    var failure: String {
        switch self {
        case .edit: "Not written"
        case .staged: "Not saved"
        case .undo: "Not undone"
        case .redo: "Not redone"
        }
    }
}
