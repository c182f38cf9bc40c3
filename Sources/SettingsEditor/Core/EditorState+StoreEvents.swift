import FoundationEssentials
import PropertyList
import SettingsStore

// How the state changes with each event of the store.
extension EditorState {
    mutating func apply(_ event: StoreEvent) -> [Effect] {
        switch event {
        case .opened(let place, let suite): opened(place, selecting: suite)
        case .listed(let suites, let place):
            guard let place = placeIndex(place) else { break }
            let effects = list(suites, in: place)
            goToWantedSuite()
            compareWantedSuites()
            return effects
        case .rights(let reason, let place):
            if let place = placeIndex(place) { suiteList.places[place].readOnlyReason = reason }
        case .listingFailed(let reason, let place):
            guard let place = placeIndex(place) else { break }
            suiteList.places[place].listing = .failed(reason)
            // A lost connection has a message of its own.
            if !suiteList.isEmpty, suiteList.places[place].connection?.isLost != true {
                say(reason, isProblem: true)
            }
        case .connection(let connection, let place):
            guard let place = placeIndex(place) else { break }
            suiteList.places[place].connection = connection
            if connection.state == .open, let text = statusLine.endOutage(shown: notice) { note(text) }
            if suiteList.waitsForConnection, modal == nil { statusLine.tellOfWaiting() }
        case .loaded(let id, let values, let status):
            guard let index = suiteIndex(id) else { break }
            take(status, of: index)
            let multiSelection = suiteList.suites[index].multiSelection.count
            let changes = suiteList.suites[index].load(values, now: clock.now)
            report(changes, of: index)
            reportDroppedSelection(multiSelection, of: index)
            if !suiteList.goToGoal() { say("It is gone.", isProblem: true) }
            return moveWaiting()
        case .layers(let id, let layers):
            guard let index = suiteIndex(id) else { break }
            let known = suiteList.suites[index].otherLayers.problems
            report(suiteList.suites[index].take(layers, now: clock.now), of: index)
            if let new = layers.problems.first(where: { !known.contains($0) }) {
                statusLine.say(sentence("\(new)"), isProblem: true)
            }
        case .changed(let id, let changes, let read):
            guard let index = suiteIndex(id) else { break }
            let multiSelection = suiteList.suites[index].multiSelection.count
            let foreign = suiteList.suites[index].change(changes, read, now: clock.now)
            report(foreign, read, of: index)
            reportDroppedSelection(multiSelection, of: index)
        case .status(let id, let status):
            if let index = suiteIndex(id) { take(status, of: index) }
        case .read(let id, let values, let schema, let problem, let unreadable):
            guard search.library != nil, let index = suiteList.index(of: id, near: search.lastRead) else {
                break
            }
            search.lastRead = index
            // An open suite gets its declarations on its own.
            if suiteList.suites[index].contents == .unknown {
                suiteList.suites[index].learnSecrets(of: schema, problem: problem)
            }
            search.library?[id] = Finder.Source(entries: schema.shown(over: values), unreadable: unreadable)
        case .recovered(let id, let result): recovered(id, result)
        case .revisions(let id, let key, let result): show(result, of: key, in: id)
        case .declared(let id, let schema, let problem):
            guard let index = suiteIndex(id) else { break }
            let isNew = suiteList.suites[index].secrets.doubt != problem
            // The declarations of the original move with a staged copy when it is written.
            var schema = schema
            if schema.isEmpty, case .made(_, _, let model?)? = suiteList.suites[index].stagedWhole {
                schema = suiteIndex(model).map { suiteList.suites[$0].schema } ?? schema
            }
            suiteList.suites[index].declare(schema, problem: problem)
            if let problem, isNew {
                say(
                    "The declarations of “\(suiteList.suites[index].title)” are unreadable, so all values are hidden. "
                        + "Press v to show one. \(sentence(problem))",
                    isProblem: true
                )
            }
        case .setAside(let id, let files):
            if let index = suiteIndex(id) { suiteList.suites[index].setAside(files) }
        case .applied(let id, let settings):
            if let index = suiteIndex(id) { suiteList.suites[index].applied = settings }
        case .wrote(let id, let result): return wrote(id, result)
        case .declarationsStay(let id, let result): leaveDeclarations(of: id, result)
        case .file(let id, let path, let result): return finish(result, of: id, path: path)
        case .preferences(let preferences): return use(preferences)
        case .link(let id, let target):
            if let index = suiteIndex(id) { suiteList.suites[index].link = target }
        case .comments(let id, let comments, let repeated):
            if let index = suiteIndex(id) {
                suiteList.suites[index].comments = comments
                suiteList.suites[index].repeatedMembers = repeated
            }
        case .badLine(let id, let line):
            if let index = suiteIndex(id) { suiteList.suites[index].badLine = line }
        }
        return []
    }

    /// The index of the place of an event; nil if it was closed meanwhile.
    private func placeIndex(_ id: String?) -> Int? {
        id.map(suiteList.placeIndex(_:)) ?? suiteList.places.firstIndex(where: \.isFirst)
    }

    /// Stores the status of a suite. If the status was the reason for a message or a refusal, the text changes with
    /// it.
    private mutating func take(_ status: SuiteStatus, of index: Int) {
        let former = refusal(forWritingTo: suiteList.suites[index], isKnown: true)?.description
        let old = suiteList.suites[index].status?.content
        suiteList.suites[index].status = status
        let suite = suiteList.suites[index]
        history.record(status.content, after: old, of: suite.id, isOwn: suite.beginsAnew, at: clock.date)
        // The keys were reported as removed first. Now it is known that the suite was deleted.
        if status.content == .absent, old != .absent, statusLine.told?.suite == suite.id,
            statusLine.told?.message == statusLine.message
        {
            statusLine.message = StatusMessage(
                text: "Another program deleted “\(suite.title)”. Press H to list its values.",
                until: clock.now + ChangeHighlights.lifetime
            )
        }
        let present = refusal(forWritingTo: suiteList.suites[index], isKnown: true)?.description
        guard let former, former != present else { return }
        if statusLine.message?.text == former {
            statusLine.message = present.map { StatusMessage(text: $0, isProblem: true) }
        }
        modals.updateEach { if $0.problem == former { $0.problem = present } }
    }

    /// Records foreign changes, and reports them unless a modal is open or a problem is shown.
    private mutating func report(_ new: [Change], _ read: [UInt64: PreparedDiff] = [:], of index: Int) {
        history.record(new, read, of: suiteList.suites[index].id, at: clock.date, format)
        guard let first = new.first, let last = new.last, modal == nil, statusLine.takesReports else {
            return
        }
        let id = suiteList.suites[index].id
        // A large value was compared beforehand, and only its last change is reported.
        let prepared = read[last.sequence]
        let change = ValueChange(old: prepared == nil ? first.old : last.old, new: last.new)
        let place =
            id == suite?.id || !hasSuitesPane ? "" : "\(suiteList.suites[index].title): "
        let keys = Set(new.map(\.key)).sorted()
        let text =
            keys.count == 1
            ? place + told(change, prepared, of: last.key, in: id)
            : "\(place)\(keys.count) keys changed by another program: "
                + keys.prefix(5).joined(separator: ", ") + (keys.count > 5 ? ", …" : "")
        let statusMessage = StatusMessage(text: text, until: clock.now + ChangeHighlights.lifetime)
        statusLine.message = statusMessage
        statusLine.told = (id, statusMessage)
    }

    /// Reports that a foreign change removed rows from the multi-selection, because the next command acts on fewer
    /// rows.
    private mutating func reportDroppedSelection(_ before: Int, of index: Int) {
        let gone = before - suiteList.suites[index].multiSelection.count
        guard gone > 0, modal == nil, index == suiteList.selected else { return }
        say(
            "\(gone == 1 ? "1 selected row has" : "\(gone) selected rows have") changed, and left the selection.",
            isProblem: true
        )
    }

    private func told(
        _ change: ValueChange,
        _ read: PreparedDiff?,
        of key: String,
        in suite: String
    ) -> String {
        let inside =
            read.map { ChangeSummary($0.differences, format) }
            ?? ChangeSummary(change.old, change.new, format)
        let (place, text, more) = words(inside, change, of: key, in: suite)
        return "\(place) changed by another program: \(text)\(more)"
    }
}
