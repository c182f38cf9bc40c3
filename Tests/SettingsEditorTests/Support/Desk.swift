import Foundation
import PropertyList
import SettingsStore
import TerminalCanvas

@testable import SettingsEditor

/// An editor and its store. Tests can look into the store, delay it and disturb it.
///
/// Keys are typed as text: ⏎ Enter, ⎋ Esc, ⇥ Tab, ↑ ↓ ← →, ⇞ ⇟ PgUp and PgDn, ↖ ↘ Home and End,
/// ⌫ Backspace, ⌦ Delete; any other character is itself.
struct Desk {
    private(set) var state: EditorState
    var files: [String: [String: PropertyListValue]]
    var statuses: [String: SuiteStatus] = [:]
    /// Which version of a suite is listed.
    var versions: [String: SuiteVersion] = [:]
    /// The declarations beside the files.
    var schemas: [String: SuiteSchema] = [:]
    /// The targets of files that are symbolic links.
    var links: [String: String] = [:]
    /// Why it can't be read.
    var schemaProblems: [String: String] = [:]
    private(set) var effects: [Effect] = []
    /// The earlier values of a key, as the store reports them.
    var revisions: (_ suite: String, _ key: String) -> Result<[SettingRevision], RevisionsError> = { _, _ in
        .success([])
    }
    /// Suites whose reading takes until ``finishLoads()``, if it is to.
    private var loading: [String] = []
    var holdsLoads = false
    /// Writes that wait for ``finishWrites(_:)``, if they are to wait.
    private(set) var waiting: [Write] = []
    var holdsWrites = false
    /// A change of another process while the user's own editor runs.
    var outsideMeanwhile: (suite: String, key: String, value: PropertyListValue?)?
    /// The results of the user's own editor, one for each run. Without one, the text stays as it is.
    var outsideAnswers: [@Sendable (ExternalText) -> ExternalEditResult] = []
    var size: Size
    private var now = 0.0
    /// Whether large changes are compared beforehand, as the program does it.
    var readsBeforehand = true
    private var sequence: UInt64 = 0
    private var events = EventQueue()

    init(
        _ files: [String: [String: PropertyListValue]],
        columns: Int = 80,
        rows: Int = 24,
        readOnly: String? = nil,
        glyphs: Glyphs = .unicode,
        single: Bool = false,
        others: [Place] = [],
        kind: BackendKind = .files,
        statuses: [String: SuiteStatus] = [:],
        schemas: [String: SuiteSchema] = [:],
        zone: Int = 0,
        preferences: [String: PropertyListValue] = [:],
        keys: String = ""
    ) {
        self.files = files
        self.statuses = statuses
        self.schemas = schemas
        size = Size(columns: columns, rows: rows)
        var place = Place("/home/u/.config", title: "/home/u/.config", isFile: single)
        place.kind = kind
        place.preferencesSuite = EditorPreferences.suite
        var options = EditorOptions(
            places: [place] + others,
            readOnlyReason: readOnly,
            glyphs: glyphs,
            zone: { _ in zone }
        )
        options.preferences = EditorPreferences(preferences)
        state = EditorState(options: options)
        act(.tick(now: 0, date: Self.start))
        act(.resized(size))
        list()
        type(keys)
    }

    mutating func act(_ command: Command) { act(Message.command(command)) }
    mutating func act(_ event: StoreEvent) { act(Message.store(event)) }
    mutating func act(_ event: TerminalEvent) { act(Message.terminal(event)) }
    mutating func act(_ work: Work) { act(Message.work(work)) }

    mutating func act(_ message: Message) {
        defer { if case .work(.goOn) = message { actOnEvents() } }
        for effect in update(&state, message) {
            effects.append(effect)
            switch effect {
            case .load(let id): if holdsLoads { loading.append(id) } else { load(id) }
            case .write(let write):
                if holdsWrites { waiting.append(write) } else { finish(write) }
            case .read(let ids):
                for id in ids {
                    let values = PropertyListEntries(files[id] ?? [:])
                    let schema = schemas[id] ?? SuiteSchema()
                    let problem = schemaProblems[id]
                    let content = statuses[id]?.content
                    let reason: String? =
                        if case .unreadable(let reason, _)? = content { reason } else { nil }
                    let read = reason == nil ? values : PropertyListEntries()
                    act(.read(id, values: read, schema, problem: problem, unreadable: reason))
                }
            case .recover(let id):
                // Without values there is no new file.
                if files[id]?.isEmpty == true { files[id] = nil }
                statuses[id]?.content = files[id] == nil ? .absent : .stored
                act(.status(id, status(id)))
                list()
                act(.recovered(id, .setAside("/home/u/.config/\(id).plist.broken-20260101T000000Z")))
            case .edit(let text):
                let answer = outsideAnswers.isEmpty ? .text(text.text) : outsideAnswers.removeFirst()(text)
                if let (suite, key, value) = outsideMeanwhile { outside(suite, key, value) }
                outsideMeanwhile = nil
                act(.edited(answer))
            case .findRevisions(let id, let key): act(.revisions(id, key: key, revisions(id, key)))
            case .send(let message): act(message)
            case .copy, .reportMouse, .useTheme, .suspend, .redraw, .quit, .declarePreferences,
                .resetKeys, .completePath, .importFile, .exportSuite, .open, .close, .forgetPlaces:
                break
            }
        }
    }

    private mutating func load(_ id: String) {
        act(.declared(id, schemas[id] ?? SuiteSchema(), problem: schemaProblems[id]))
        act(.loaded(id, values: PropertyListEntries(files[id] ?? [:]), status(id)))
        act(.link(id, to: links[id]))
    }

    /// Reads what was to be read, and does what was typed meanwhile.
    mutating func finishLoads() {
        let ids = loading
        loading = []
        for id in ids { load(id) }
        actOnEvents()
    }

    /// Lists the suites of all open places.
    mutating func list() {
        let ids = Set(files.keys).union(schemas.keys).union(links.keys).sorted()
        for place in state.suiteList.places {
            let suites = ids.compactMap { id in
                place.name(ofSuite: id).map {
                    SuiteListing(id: $0, title: $0, status: statuses[id], version: versions[id])
                }
            }
            act(.listed(suites, in: place.id))
        }
    }

    mutating func type(_ keys: String) {
        for character in keys { press(Self.keys[character] ?? .character(character)) }
    }

    mutating func press(_ key: Key) { send(.key(key)) }

    mutating func send(_ event: InputEvent) {
        events.add([event])
        actOnEvents()
    }

    private mutating func actOnEvents() {
        while let event = events.next(in: state) {
            for message in messages(for: event, in: state) { act(message) }
        }
    }

    /// All in one go, before any of it is acted upon.
    mutating func typeAtOnce(_ keys: String) {
        events.add(keys.map { .key(Self.keys[$0] ?? .character($0)) })
        actOnEvents()
    }

    /// Goes on until nothing is left to be searched or read, as while nobody types.
    mutating func idle() {
        while state.hasWork { act(.goOn(budget: 500)) }
    }

    /// Another process sets or removes a key.
    mutating func outside(_ suite: String, _ key: String, _ new: PropertyListValue?) {
        tell(suite, key, new, .otherProcess)
    }

    mutating func wait(_ seconds: Double) {
        now += seconds
        act(.tick(now: now, date: Self.start.addingTimeInterval(now)))
    }

    /// 2026-03-14 15:09:26 UTC, what the clock says at first.
    private static let start = Date(timeIntervalSinceReferenceDate: 795_193_766)

    /// Does what was held back, as a store does, or lets it fail.
    mutating func finishWrites(failing reason: String? = nil) {
        let writes = waiting
        waiting = []
        for write in writes {
            if let reason { act(.wrote(write.id, .failed(reason))) } else { finish(write) }
        }
        actOnEvents()
    }

    private mutating func finish(_ write: Write) {
        if write.whole?.isLink == true { return finishLink(write) }
        let others = write.changes.compactMap { key, change -> (String, PropertyListValue?)? in
            let current = files[write.suite]?[key]
            return current == change.old ? nil : (key, current)
        }
        var current = Dictionary(uniqueKeysWithValues: others)
        if write.whole != nil {
            // Nothing else may be there.
            for (key, value) in files[write.suite] ?? [:] where write.changes[key] == nil {
                current[key] = value
            }
        }
        guard current.isEmpty else {
            act(.wrote(write.id, .conflict(current: current)))
            return
        }
        let wasAbsent = status(write.suite).content == .absent
        for (key, change) in write.changes.sorted(by: { $0.key < $1.key }) {
            if change.new != files[write.suite]?[key] { tell(write.suite, key, change.new, .set(by: nil)) }
        }
        if wasAbsent {
            statuses[write.suite]?.content = .stored
            act(.status(write.suite, status(write.suite)))
        }
        switch write.whole {
        case .made(_, _, let other)?:
            if files[write.suite] == nil { files[write.suite] = [:] }
            if let other { takeOverDeclarations(of: other, write) }
        case .removed(let other)?:
            files[write.suite] = nil
            if let other, schemas[write.suite] == schemas[other] { declare(write.suite, nil) }
            statuses[write.suite]?.content = .absent
            act(.status(write.suite, status(write.suite)))
        case .linked?, .unlinked?, nil: break
        }
        act(.wrote(write.id, .done))
        if write.whole != nil { list() }
    }

    private mutating func finishLink(_ write: Write) {
        if case .linked(let target)? = write.whole {
            links[write.suite] = target
        } else {
            links[write.suite] = nil
        }
        act(.link(write.suite, to: links[write.suite]))
        act(.wrote(write.id, .done))
        list()
    }

    private mutating func takeOverDeclarations(of other: String, _ write: Write) {
        guard let schema = schemas[other] else { return }
        if let own = schemas[write.suite] {
            act(.declarationsStay(write.id, own == schema ? .same : .different))
        } else {
            declare(write.suite, schema)
        }
    }

    private mutating func declare(_ suite: String, _ schema: SuiteSchema?) {
        schemas[suite] = schema
        act(.declared(suite, schema ?? SuiteSchema()))
    }

    private mutating func tell(
        _ suite: String,
        _ key: String,
        _ new: PropertyListValue?,
        _ origin: ChangeOrigin
    ) {
        let old = files[suite]?[key]
        files[suite, default: [:]][key] = new
        sequence += 1
        let change = Change(key: key, old: old, new: new, origin: origin, sequence: sequence)
        act(.changed(suite, [change], readsBeforehand ? PreparedDiff.of([change]) : [:]))
    }

    private func status(_ id: String) -> SuiteStatus {
        statuses[id] ?? SuiteStatus(content: files[id] == nil ? .absent : .stored, watching: .events)
    }

    private static let keys: [Character: Key] = [
        "⏎": .enter, "⎋": .escape, "⇥": .tab, "↑": .up, "↓": .down, "←": .left, "→": .right,
        "⇞": .pageUp, "⇟": .pageDown, "↖": .home, "↘": .end, "⌫": .backspace, "⌦": .delete,
    ]
}

// The content of the screen.
extension Desk {
    var screen: [String] { view(state, size: size).lines }
    var cursor: Point? { view(state, size: size).cursor }

    private var layout: Layout { Layout(state, size) }

    /// Some lines of the screen, up to a column.
    private func lines(_ range: Range<Int>, upTo column: Int) -> [String] {
        let grid = view(state, size: size)
        return range.map { Self.text(of: grid.row($0).prefix(column)) }
    }

    private static func text(of cells: some Sequence<Cell>) -> String {
        var text = cells.map(\.text).joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    /// The first line, without the signs that say how other programs are followed.
    var title: String {
        var line = screen[0]
        for sign in [/\ +LIVE$/, /\ +● \d+ outside$/] { line.replace(sign, with: "") }
        return line
    }

    /// The line with the names of the panes and columns.
    var heads: String { layout.heads.map { screen[$0] } ?? "" }

    /// The lines with suites, keys and values, without the column of types, or the lines of a full-screen list.
    var body: [String] {
        let layout = layout
        let keys = state.modals.screen == nil ? layout.keys : nil
        let type = keys.flatMap { state.suite?.keyColumns($0.columns).type }
        let isTyping = state.modal?.line != nil && !state.mode.isPrompt || state.mode == .menu
        let end = keys.map { $0.column + (isTyping ? $0.columns : type ?? $0.columns) }
        let last = keys.map { $0.row + $0.rows } ?? layout.body.upperBound
        return lines(layout.body.lowerBound..<min(last, layout.body.upperBound), upTo: end ?? size.columns)
    }

    /// The last line, which names the useful keys.
    var keyLine: String { layout.keyLine.map { screen[$0] } ?? "" }

    /// The question in the box, or the message above the key line, without line breaks and without the position at its right end; empty if there
    /// is none.
    var message: String {
        if let box = layout.box {
            if box.field == nil { return box.text.joined(separator: " ") }
            return box.noteIsProblem ? box.note.joined(separator: " ") : ""
        }
        if layout.notice.isEmpty { return "" }
        return messageLines
    }

    private var messageLines: String {
        var lines = layout.message.map { screen[$0] }
        let end = "  " + lineEnd
        if let last = lines.last, last.hasSuffix(end) {
            lines[lines.count - 1] = Self.text(of: last.dropLast(end.count).map { Cell(String($0)) })
        }
        return lines.joined(separator: " ")
    }

    /// The words about the selected row in the message line; empty if there is a message.
    var status: String {
        if let box = layout.box, box.field != nil { return box.text.joined(separator: " ") }
        return layout.notice.isEmpty ? messageLines : ""
    }

    /// The right end of the message line: the match, the position, and the connection.
    var lineEnd: String { Painter(state, size).textAtLineEnd }

    /// The line that is typed into below the rows; empty if there is none.
    var prompt: String { layout.prompt.map { screen[$0] } ?? "" }

    /// The text that is typed into a box; nil without such a box.
    var typed: String? {
        guard let field = layout.box?.field else { return nil }
        let cells = view(state, size: size).row(field.row).dropFirst(field.column).prefix(field.columns)
        return Self.text(of: cells)
    }

    /// The text that the editor shows below the rows: the prompt, or else the message with the answers to a question, or
    /// else the useful keys.
    var foot: String {
        if !prompt.isEmpty { return prompt }
        if message.isEmpty { return keyLine }
        return state.answers.isEmpty || layout.noticeHasAnswers ? message : "\(message)  \(keyLine)"
    }

    /// The pane with the details, with its head.
    var details: [String] {
        guard let area = layout.details else { return [] }
        let grid = view(state, size: size)
        let isBelow = area.row != layout.keys?.row
        let rows = (isBelow ? area.row : layout.heads ?? area.row)..<area.row + area.rows
        return rows.map { Self.text(of: grid.row($0).dropFirst(area.column).prefix(area.columns)) }
    }

    /// The words in the pane with the details, without its line breaks.
    var detailWords: String {
        details.joined(separator: " ").split(separator: " ").joined(separator: " ")
    }

    /// Everything that is said about the selected row: in the message line, and in the details.
    var about: String {
        let line = layout.notice.isEmpty ? layout.message.map { screen[$0] } : []
        return (line + details).joined(separator: "\n")
    }

    /// All lines as one text, for looking something up.
    var text: String { screen.joined(separator: "\n") }

    /// The names of the rows, set in by two for each step down, with the selected one in brackets.
    var outline: [String] {
        guard let outline = state.suite?.outline else { return [] }
        return outline.rows.enumerated().map { index, row in
            let name = index == outline.selected ? "[\(row.name)]" : row.name
            return String(repeating: "  ", count: row.depth) + name
        }
    }

    var writes: [Write] { effects.compactMap { if case .write(let write) = $0 { write } else { nil } } }

    var selectedSuite: String? { state.suite?.id }
    var selectedKey: String? { state.selectedRow?.name }
}

extension Write {
    /// The expected old value of its only key.
    var expecting: PropertyListValue? { changes.count == 1 ? changes.values.first?.old : nil }
}

extension LineEditor {
    mutating func apply(_ command: LineCommand) {
        var killed = ""
        apply(command, killed: &killed)
    }
}

func json(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }

func jsonText(_ value: PropertyListValue?) -> String? {
    guard case .data(let data)? = value else { return nil }
    return String(decoding: data, as: UTF8.self)
}
