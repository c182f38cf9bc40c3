import PropertyList
import SettingsStore

// The gate that all writing goes through, and the way back.
extension EditorState {
    /// Why nothing may be written to a suite; nil where it may.
    ///
    /// - Parameter restoring: What was deleted with its file is written with it.
    func refusal(
        forWritingTo suite: SuiteModel,
        isKnown: Bool = false,
        restoring: Bool = false
    ) -> Refusal? {
        if let refusal = refusalOfReadOnly(suite) { return refusal }
        if case .unreadable(let reason)? = suite.status?.content {
            return Refusal("Not written, since what is there can't be read: \(reason)")
        }
        if case .stale(let reason)? = suite.status?.content {
            return Refusal("Not written, since the cluster is out of reach: \(reason)")
        }
        if case .unfinished(let reason)? = suite.status?.content {
            return Refusal("Not written: “\(suite.title)” \(reason).")
        }
        if suite.isLost, !restoring {
            return Refusal(kind.refusalOfTheLost)
        }
        if suite.presence != .new, suite.contents != .loaded, !isKnown {
            return Refusal("“\(suite.title)” has not been read yet.")
        }
        return nil
    }

    /// Why no suite may be made; nil where one may.
    var refusalOfMaking: Refusal? {
        (options.readOnlyReason ?? placeReadOnlyReason).map { Refusal("Read-only: \($0)") }
    }

    /// The same for what is to be written.
    func refusal(of part: Edit.Part, in suite: SuiteModel) -> Refusal? {
        if part.whole?.isLink == true {
            return options.readOnlyReason.map { Refusal("Read-only: \($0)") }
        }
        if part.whole?.isMade == true, let refusal = refusalOfMaking { return refusal }
        // A suite that was not looked at yet needs no look: nothing is written over what is not expected.
        return refusal(forWritingTo: suite, isKnown: true, restoring: part.restores)
    }

    /// Whether the selected suite may be written to.
    /// Why nothing at all may be done to a suite; nil where it may.
    func refusalOfReadOnly(_ suite: SuiteModel) -> Refusal? {
        (options.readOnlyReason ?? suite.status?.readOnlyReason).map { Refusal("Read-only: \($0)") }
    }

    var canWrite: Bool { suite.map { refusal(forWritingTo: $0) == nil } ?? false }

    /// Gives a key a value, or takes it away, if it still holds what is shown.
    mutating func write(
        _ new: PropertyListValue?,
        to key: String,
        of suite: String
    ) throws -> [EditorEffect] {
        try write([key: new], of: suite)
    }

    /// Gives keys of one suite values in one step, likewise.
    mutating func write(
        _ values: [String: PropertyListValue?],
        of suite: String,
        _ source: EditSource? = nil,
        isMove: Bool = false,
        isAgreed: Bool = false
    ) throws -> [EditorEffect] {
        guard let part = try part(values, of: suite) else { return [] }
        return try write([part], source, isMove: isMove, isAgreed: isAgreed)
    }

    /// Writes what belongs together, suite by suite; what comes later only once the earlier is stored.
    ///
    /// - Parameters:
    ///   - isMove: What goes from one key comes to another.
    ///   - isAgreed: The user wants values that were not declared so.
    /// - Throws: ``UndeclaredValue`` where that is to be asked.
    mutating func write(
        _ parts: [Edit.Part],
        _ source: EditSource? = nil,
        isMove: Bool = false,
        isAgreed: Bool = false
    ) throws -> [EditorEffect] {
        try check(parts)
        if !isAgreed, let problem = undeclaredValue(in: parts, .edit(source), isMove: isMove) {
            throw problem
        }
        var (effects, parts) = ([EditorEffect](), parts)
        if isStaging { (effects, parts) = restoreBeforeStaging(parts) }
        if parts.isEmpty { return effects }
        let edit = Edit(number: nextNumber(), parts: parts, isMove: isMove)
        // What was deleted is there again, and stays.
        let own = parts.map { beyondRestoring($0) }
        undoHistory.add(edit.part(own))
        return effects + begin(parts[...], of: edit, .edit(source))
    }

    /// What of these values is new to a suite; nil where nothing is.
    func part(_ values: [String: PropertyListValue?], of suite: String) throws -> Edit.Part? {
        guard let index = suiteIndex(suite) else { throw Refusal("“\(suite)” is gone.") }
        var changes: [String: ValueChange] = [:]
        for (key, new) in values {
            let old = suites[index].value(forKey: key)
            if old != new { changes[key] = ValueChange(old: old, new: new) }
        }
        if changes.isEmpty { return nil }
        var part = Edit.Part(suite: suite, changes: changes)
        // What makes it is taken back with it.
        if suites[index].presence == .new, suites[index].values.isEmpty { part.wholeReversed = .removed() }
        return part
    }

    /// - Throws: why it can't be written: a suite is gone or may not be written to, or a value has changed.
    func check(_ parts: [Edit.Part]) throws {
        for part in parts {
            guard let index = suiteIndex(part.suite) else { throw Refusal("“\(part.suite)” is gone.") }
            if let refusal = refusal(of: part, in: suites[index]) { throw refusal }
            // It goes over what is there no more.
            if part.restores, suites[index].lost != nil { continue }
            for (key, change) in part.changes.sorted(by: { $0.key < $1.key }) {
                let current = suites[index].value(forKey: key)
                guard current == change.old else {
                    let clash = Merge.Clash(
                        path: [],
                        base: change.old.map(ValueNode.init),
                        mine: change.new.map(ValueNode.init),
                        theirs: current.map(ValueNode.init)
                    )
                    throw Refusal(changedSince([clash], of: key, in: part.suite))
                }
            }
        }
    }

    /// Sends the first of the parts; the rest follows when it is stored.
    mutating func begin(
        _ parts: ArraySlice<Edit.Part>,
        of edit: Edit,
        _ purpose: InFlight.Purpose
    ) -> [EditorEffect] {
        if isStaging, purpose != .staged {
            tie(edit.part(parts))
            for part in parts {
                if let index = suiteIndex(part.suite) { suites[index].stage(part.changes, part.whole) }
            }
            // Where there is no key there is nothing that could wait.
            let empty = parts.filter(\.changes.isEmpty)
            return empty.isEmpty ? [] : send(empty[...], of: edit, purpose)
        }
        return send(parts, of: edit, purpose)
    }

    /// The same, whether changes wait or not.
    mutating func send(
        _ parts: ArraySlice<Edit.Part>,
        of edit: Edit,
        _ purpose: InFlight.Purpose
    ) -> [EditorEffect] {
        guard let part = parts.first, let index = suiteIndex(part.suite) else { return [] }
        var write = Write(
            id: WriteID(number: nextNumber()),
            suite: part.suite,
            changes: part.changes,
            whole: part.whole
        )
        let rest = Array(parts.dropFirst())
        var flight = InFlight(write: write, purpose: purpose, edit: edit, rest: rest)
        if let next = rest.first, kind == .cluster, next.goesForWhat(part), let other = suiteIndex(next.suite)
        {
            write.inPlaceOf = next.suite
            let removal = Write(
                id: WriteID(number: nextNumber()),
                suite: next.suite,
                changes: next.changes,
                whole: next.whole
            )
            suites[other].begin(
                InFlight(write: removal, purpose: purpose, edit: edit, rest: Array(rest.dropFirst()))
            )
            flight = InFlight(write: write, purpose: purpose, edit: edit, rest: rest, removal: removal.id)
        }
        if case .naming(let naming)? = input { flight.naming = naming }
        flight.selectedBefore = suites[index].tree.selectedRow?.path
        suites[index].begin(flight)
        return [.write(write)]
    }
}

extension EditorState {
    /// Writes what was kept back.
    mutating func begin(written edit: Edit) -> [EditorEffect] { begin(edit.parts[...], of: edit, .staged) }
}

extension Edit.Part {
    /// Whether this removes what another part makes under another name: one suite takes the other's place.
    fileprivate func goesForWhat(_ made: Edit.Part) -> Bool {
        guard whole?.isRemoved == true, made.whole?.isMade == true, !changes.isEmpty, suite != made.suite
        else { return false }
        return changes.mapValues(\.old) == made.changes.mapValues(\.new)
            && made.changes.values.allSatisfy { $0.old == nil }
    }
}

extension InFlight.Purpose {
    /// What is said of one that failed.
    var failure: String {
        switch self {
        case .edit, .staged: "Not written"
        case .undo: "Not undone"
        case .redo: "Not done again"
        }
    }

    /// What is said behind that, where the same key may be typed once more.
    var passingOver: String {
        switch self {
        case .edit, .staged: ""
        case .undo: " u again passes over it."
        case .redo: " ^R again passes over it."
        }
    }
}
