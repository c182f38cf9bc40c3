import PropertyList
import SettingsStore

// What the store tells.
extension EditorState {
    mutating func applyFromStore(_ action: EditorAction) -> [EditorEffect] {
        switch action {
        case .listed(let suites): return list(suites)
        case .rights(let reason): placeReadOnlyReason = reason
        case .listingFailed(let reason):
            listing = .failed(reason)
            // That nobody answers is said in the line below anyway.
            if !suites.isEmpty, connection?.isLost != true { say(reason, isProblem: true) }
        case .connection(let connection):
            self.connection = connection
            if connection.state == .open { endOutage() }
            tellOfWaiting()
        case .loaded(let id, let values, let status):
            guard let index = suiteIndex(id) else { break }
            take(status, of: index)
            let marked = suites[index].marked.count
            let former = index == selectedSuite ? selectedRow : nil
            let changes = suites[index].load(values, now: now)
            noteUnseen(former, changes)
            takeOver(changes, of: index)
            tellOfMarks(marked, of: index)
            goToGoal()
            return moveWaiting()
        case .changing(let id, let keys):
            guard let index = suiteIndex(id), suites[index].contents == .loaded else { break }
            suites[index].marks.announce(keys, now: now)
            guard input == nil, message?.isProblem != true, let key = keys.first else { break }
            let place = index == selectedSuite || options.isSingle ? "" : "\(suites[index].title): "
            let what = keys.count == 1 ? key : "\(keys.count) keys"
            message = Message(
                text: "\(place)\(what) changed from outside: reading…",
                until: now + Marks.lifetime
            )
        case .changed(let id, let changes, let read):
            guard let index = suiteIndex(id) else { break }
            let marked = suites[index].marked.count
            let former = index == selectedSuite ? selectedRow : nil
            let foreign = suites[index].change(changes, read, now: now)
            noteUnseen(former, foreign)
            takeOver(foreign, read, of: index)
            tellOfMarks(marked, of: index)
            return renewedRevisions(of: id, changes)
        case .status(let id, let status):
            if let index = suiteIndex(id) { take(status, of: index) }
        case .read(let id, let values, let schema, let problem, let unreadable):
            guard library != nil, let index = suiteIndex(id, behind: lastRead) else { break }
            lastRead = index
            // One that is open is told more by itself.
            if suites[index].contents == .unknown {
                suites[index].learnSecrets(of: schema, problem: problem)
            }
            library?[id] = Finder.Source(entries: schema.shown(over: values), unreadable: unreadable)
        case .recovered(let id, let result): return recovered(id, result)
        case .removedPart(let id, let problem):
            let done = "What was there of “\(id)” is taken away."
            say(problem.map { "Not taken away: \(sentence($0))" } ?? done, isProblem: problem != nil)
        case .revisions(let id, let key, let result): return show(result, of: key, in: id)
        case .declared(let id, let schema, let problem):
            guard let index = suiteIndex(id) else { break }
            let isNew = suites[index].secrets.doubt != problem
            // What is declared for a suite goes along once that is written.
            var schema = schema
            if schema.isEmpty, case .made(_, _, let model?)? = suites[index].stagedWhole {
                schema = suiteIndex(model).map { suites[$0].schema } ?? schema
            }
            suites[index].declare(schema, problem: problem)
            if let problem, isNew {
                say(
                    "Nobody can tell which values of “\(suites[index].title)” are secret, so all are hidden "
                        + "(v shows one): \(sentence(problem))",
                    isProblem: true
                )
            }
        case .setAside(let id, let files):
            if let index = suiteIndex(id) { suites[index].setAside(files) }
        case .wrote(let id, let result): return wrote(id, result) + renewedRevisions()
        case .declarationsStay(let id, let result): leaveDeclarations(of: id, result)
        case .link(let id, let target):
            if let index = suiteIndex(id) { suites[index].link = target }
        case .rounded(let id, let values): round(id, to: values)
        case .tick(let now, let date):
            self.date = date ?? self.date
            tick(now)
        default: break
        }
        return []
    }

    /// Takes over how a suite stands with its storage. What was said to keep from writing to it is said no longer
    /// than it does.
    private mutating func take(_ status: SuiteStatus, of index: Int) {
        let former = refusal(forWritingTo: suites[index], isKnown: true)?.description
        let old = suites[index].status?.content
        suites[index].take(status, now: now)
        endMaking(of: suites[index], behind: old)
        let present = refusal(forWritingTo: suites[index], isKnown: true)?.description
        guard let former, former != present else { return }
        if message?.text == former { message = present.map { Message(text: $0, isProblem: true) } }
        if case .draft(var draft)? = input, draft.problem == former {
            draft.problem = present
            input = .draft(draft)
        }
        if case .naming(var naming)? = input, naming.problem == former {
            naming.problem = present
            input = .naming(naming)
        }
    }

    private mutating func takeOver(
        _ changes: [Change],
        _ read: [UInt64: ReadChange] = [:],
        of index: Int
    ) {
        for change in changes {
            journal.add(
                suites[index].id,
                change.key,
                ValueChange(old: change.old, new: change.new),
                read[change.sequence],
                isOwn: false,
                at: date,
                spelling
            )
        }
        tell(changes, read, of: index)
    }

    /// Says what others have changed, unless something is being typed or there is a problem to read.
    private mutating func tell(_ new: [Change], _ read: [UInt64: ReadChange], of index: Int) {
        guard !new.isEmpty, input == nil, message?.isProblem != true else { return }
        let id = suites[index].id
        var changes = new
        // What was written at once may come in pieces.
        if let told, told.suite == id, now - told.at < Self.atOnce, told.message == message {
            changes = told.changes + new
        }
        guard let first = changes.first, let last = changes.last else { return }
        // Of what takes long to compare the last one is told.
        let change = read[last.sequence] == nil ? changes.asOne(first) : last
        let place = index == selectedSuite || options.isSingle ? "" : "\(suites[index].title): "
        let keys = Set(changes.map(\.key)).sorted()
        let text =
            keys.count == 1
            ? place + told(change, read[change.sequence], in: id)
            : "\(place)\(keys.count) keys changed from outside: "
                + keys.prefix(5).joined(separator: ", ") + (keys.count > 5 ? ", …" : "")
        let message = Message(text: text, until: now + Marks.lifetime)
        self.message = message
        told = (id, changes, message, now)
    }

    /// In seconds.
    private static let atOnce = 0.1

    /// Says that rows are no longer marked, so that the next key is about others.
    private mutating func tellOfMarks(_ before: Int, of index: Int) {
        let gone = before - suites[index].marked.count
        guard gone > 0, input == nil, index == selectedSuite else { return }
        say(
            "\(gone == 1 ? "1 mark is" : "\(gone) marks are") gone, since what was marked has changed.",
            isProblem: true
        )
    }

    private func told(_ change: Change, _ read: ReadChange?, in suite: String) -> String {
        let change = (key: change.key, value: ValueChange(old: change.old, new: change.new))
        let inside =
            read.map { ChangeInWords($0.differences, spelling) }
            ?? ChangeInWords(change.value.old, change.value.new, spelling)
        let (place, text, more) = words(inside, change.value, of: change.key, in: suite)
        return "\(place) changed from outside: \(text)\(more)"
    }

    private mutating func tick(_ now: Double) {
        self.now = max(now, self.now)
        for index in suites.indices { suites[index].marks.expire(now: now) }
        if let end = message?.until, end <= now { message = nil }
    }
}

extension [Change] {
    /// Several of one key, the first of them given, as if they were one.
    fileprivate func asOne(_ first: Change) -> Change {
        Change(
            key: first.key,
            old: first.old,
            new: last?.new,
            origin: first.origin,
            sequence: last?.sequence ?? first.sequence
        )
    }
}
