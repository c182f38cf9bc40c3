import PropertyList
import SettingsStore
import ValueDiff

// The first step of every write: whether it may be written, and whether the keys still hold what was shown.
extension EditorState {
    /// Why a suite cannot be written; nil if it can.
    func refusal(forWritingTo suite: SuiteModel, isKnown: Bool = false) -> Refusal? {
        if let refusal = refusalOfReadOnly(suite) ?? refusalOfUnreadable(suite) { return refusal }
        if case .stale(let reason)? = suite.status?.content {
            return Refusal("Not written, because the cluster is unreachable: \(reason)")
        }
        if suite.presence != .new, suite.contents != .loaded, !isKnown {
            return Refusal("“\(suite.title)” has not been read yet.")
        }
        return nil
    }

    /// Why a suite with an unreadable file cannot be edited; nil if it can be read.
    func refusalOfUnreadable(_ suite: SuiteModel) -> Refusal? {
        guard case .unreadable(let reason, let isSound)? = suite.status?.content else { return nil }
        let problem = sentence("Not written, because the stored values are unreadable: \(reason)")
        return Refusal(isSound ? problem : "\(problem) Press R to recover.")
    }

    /// Why no suite can be created; nil if one can.
    var refusalOfMaking: Refusal? { refusal(ofMakingIn: place) }

    private func refusal(ofMakingIn place: Place?) -> Refusal? {
        (options.readOnlyReason ?? place?.readOnlyReason).map { Refusal("Read-only: \($0)") }
    }

    /// The same for a part of a transaction.
    func refusal(of part: Transaction.Part, in suite: SuiteModel) -> Refusal? {
        if part.whole?.isLink == true {
            return options.readOnlyReason.map { Refusal("Read-only: \($0)") }
        }
        let place = suiteList.placeIndex(suite.place).map { suiteList.places[$0] }
        if part.whole?.isMade == true, let refusal = refusal(ofMakingIn: place) { return refusal }
        // An unread suite is no problem here: the write checks the old values.
        return refusal(forWritingTo: suite, isKnown: true)
    }

    /// Why nothing at all may be done to a suite; nil if it may.
    func refusalOfReadOnly(_ suite: SuiteModel) -> Refusal? {
        (options.readOnlyReason ?? suite.status?.readOnlyReason).map { Refusal("Read-only: \($0)") }
    }

    /// Whether the selected suite may be written to.
    var canWrite: Bool { suite.map { refusal(forWritingTo: $0) == nil } ?? false }

    /// - Throws: Why the parts cannot be written: a suite is gone or read-only, or a value has changed.
    func check(_ parts: [Transaction.Part]) throws {
        for part in parts {
            _ = try existingSuite(part.suite)
            guard let index = suiteIndex(part.suite) else { continue }
            if let refusal = refusal(of: part, in: suiteList.suites[index]) { throw refusal }
            try checkPreferences(part, in: suiteList.suites[index])
            for (key, change) in part.changes.sorted(by: { $0.key < $1.key }) {
                // A removal changes nothing that programs see.
                if change.new != nil, let refusal = suiteList.suites[index].refusal(ofChanging: key) {
                    throw refusal
                }
                let current = suiteList.suites[index].value(forKey: key)
                guard current == change.old else {
                    let conflict = ThreeWayMerge.Conflict(
                        path: [],
                        base: change.old.map(ValueNode.init),
                        mine: change.new.map(ValueNode.init),
                        theirs: current.map(ValueNode.init)
                    )
                    throw Refusal(changedSince([conflict], of: key, in: part.suite))
                }
            }
        }
    }
}
