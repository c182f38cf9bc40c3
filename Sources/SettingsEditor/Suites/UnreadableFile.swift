import PropertyList
import SettingsStore

// Setting an unreadable file aside, and restoring a key that another program deleted.
extension EditorState {
    /// Restores the selected key if another process deleted it. Otherwise asks about the file.
    func recovering() throws -> Outcome {
        guard let suite else { return .nothing }
        if let refusal = refusalOfReadOnly(suite) { throw refusal }
        if display.focus == .keys, let key = selectedRow?.path.key,
            let value = suite.deletedValue(forKey: key)
        {
            var edit = SuiteEdit(suite: suite.id, values: [key: value])
            let what = staging.isOn ? "Staged" : "Restored"
            edit.message = "\(what): “\(key)” is \(summary(value, of: key, in: suite.id))."
            return .write(edit)
        }
        guard case .unreadable(let reason, let isSound)? = suite.status?.content else {
            throw Refusal(kind.nothingToRecover)
        }
        if isSound { throw Refusal(sentence("The file is not damaged, so it stays in its place: \(reason)")) }
        let count = suite.storedValues.count
        let keys = count == 1 ? "the 1 known key" : "the \(count) known keys"
        let rest = count == 0 ? "" : ", and store \(keys) in a new one"
        let values = count == 0 ? "Its values are not restored: the" : "The"
        let text =
            "Move the unreadable file aside\(rest)? \(values) file stays beside the others as "
            + "“\(suite.fileName).broken-…”, where you can repair it."
        return .open(.question(Confirmation(text: text, subject: .recover(suite: suite.id))))
    }

    mutating func recover(_ id: String) throws -> [Effect] {
        modals.closeAll()
        guard let index = suiteIndex(id) else { throw Refusal("“\(title(ofSuite: id))” is gone.") }
        if let reason = options.readOnlyReason { throw Refusal("Read-only: \(reason)") }
        if suiteList.suites[index].isUnreadable { suiteList.suites[index].ownAction = .beginsAnew }
        return [.recover(id)]
    }

    mutating func recovered(_ id: String, _ result: RecoverResult) {
        guard let index = suiteIndex(id) else { return }
        switch result {
        case .setAside(let path):
            say("The unreadable file is kept as \(path).")
            suiteList.suites[index].movedAside = path
            // The store reports the same, before or after this.
            if suiteList.suites[index].isUnreadable {
                let isStored = !suiteList.suites[index].storedValues.isEmpty
                suiteList.suites[index].status?.content = isStored ? .stored : .absent
            }
        case .notNeeded:
            suiteList.suites[index].noLongerBeginsAnew()
            say("There is no unreadable file any more. Nothing was changed.")
        case .failed(let reason):
            suiteList.suites[index].noLongerBeginsAnew()
            say("Not recovered: \(sentence(reason))", isProblem: true)
        }
    }
}

extension SuiteModel {
    /// The name of the suite's file. The name of a file may be a path.
    fileprivate var fileName: String {
        name.contains("/") ? String(name.split(separator: "/").last ?? "") : "\(name).plist"
    }
}
