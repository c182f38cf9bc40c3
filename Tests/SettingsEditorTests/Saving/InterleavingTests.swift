import ProgramHarness
import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

/// An editor whose writes, and what it is told, wait until their turn comes.
private struct WaitingEditor {
    var state = EditorState(
        options: EditorOptions(places: [Place("/f.plist", title: "/f.plist", isFile: true)])
    )
    var told: [StoreEvent] = []
    var writes: [Write] = []

    static let size = Size(columns: 200, rows: 12)

    var screen: String { view(state, size: Self.size).lines.joined(separator: "\n") }

    init(_ value: PropertyListValue?) {
        _ = update(&state, .terminal(.resized(Self.size)))
        _ = update(&state, .store(.listed([SuiteListing(id: "f", title: "f")])))
        _ = update(
            &state,
            .store(.loaded("f", values: PropertyListEntries(["k": value].compactMapValues { $0 }), .stored))
        )
    }

    /// - Returns: the writes that follow from it.
    mutating func take(_ message: Message) -> [Write] {
        let new = update(&state, message).compactMap { effect in
            if case .write(let write) = effect { write } else { nil }
        }
        writes += new
        return new
    }
}

extension SuiteStatus {
    fileprivate static let stored = SuiteStatus(content: .stored, watching: .events)
}

@Suite("Two editors and a script that change one key")
struct InterleavingTests {
    @Test(
        "In any order of events the editor never overwrites a value that the user did not see",
        arguments: 0..<UInt64(isLong ? 2000 : 40)
    )
    func interleavings(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var file: PropertyListValue? = 1000
        // Every value of the script's is unlike every other, so that the screen tells which one it shows.
        var last = 100_000
        var editors = [WaitingEditor(file), WaitingEditor(file)]
        for _ in 0..<150 {
            let who = Int.random(in: 0..<2, using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0..<9: press(&editors[who], &random)
            case 9..<12:
                guard !editors[who].told.isEmpty else { continue }
                let writes = editors[who].take(.store(editors[who].told.removeFirst()))
                #expect(writes.isEmpty, "Nothing is written unasked")
            case 12..<15:
                guard !editors[who].writes.isEmpty else { continue }
                let write = editors[who].writes.removeFirst()
                let change = write.changes["k"]
                guard let change, change.old == file else {
                    editors[who].told.append(.wrote(write.id, .conflict(current: ["k": file])))
                    continue
                }
                tell(&editors, from: file, to: change.new, writer: who)
                file = change.new
                editors[who].told.append(.wrote(write.id, .done))
            default:
                last += 1
                let new = PropertyListValue.integer(PropertyListInteger(last))
                tell(&editors, from: file, to: new, writer: nil)
                file = new
            }
        }
        for who in editors.indices {
            for write in editors[who].writes {
                editors[who].told.append(.wrote(write.id, .failed("the end")))
            }
            for event in editors[who].told { _ = editors[who].take(.store(event)) }
            #expect(
                editors[who].state.suiteList.suites[0].value(forKey: "k") == file,
                "All show what is stored"
            )
        }
    }

    private func tell(
        _ editors: inout [WaitingEditor],
        from old: PropertyListValue?,
        to new: PropertyListValue?,
        writer: Int?
    ) {
        for who in editors.indices {
            let origin: ChangeOrigin = who == writer ? .set(by: nil) : .otherProcess
            let change = Change(key: "k", old: old, new: new, origin: origin, sequence: 0)
            editors[who].told.append(.changed("f", [change]))
        }
    }

    /// A key, after which a write may follow: then the screen had the value that it replaces, and the one
    /// that it writes, unless that is brought back.
    private func press(_ editor: inout WaitingEditor, _ random: inout SeededGenerator) {
        let keys: [Key] = [
            .enter, .enter, .enter, .enter, .escape, .character("y"), .character("y"), .character("n"),
            .character("1"), .character("2"), .backspace, .character("u"), .control("r"), .character("d"),
        ]
        let before = editor
        let (key, mode) = (keys.randomElement(using: &random) ?? .enter, editor.state.mode)
        for message in messages(for: .key(key), in: editor.state) {
            for write in editor.take(message) {
                let screen = before.screen
                guard let change = write.changes["k"] else {
                    Issue.record("A key was written that nobody named: \(write)")
                    continue
                }
                if let old = change.old {
                    #expect(screen.contains(old.displayText()), "\(key) in \(mode): \(screen)")
                }
                if mode.isText, let new = change.new {
                    #expect(screen.contains(new.displayText()), "\(key) in \(mode): \(screen)")
                }
            }
        }
    }
}
