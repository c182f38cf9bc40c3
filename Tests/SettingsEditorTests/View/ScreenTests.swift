import PropertyList
import SettingsStore
import TerminalCanvas
import Testing

@testable import SettingsEditor

/// Screens as text. `⋮` is any number of blank rows. The file `Screens/200x50.txt` has a wide screen.
@Suite("Whole screens")
struct ScreenTests {
    private func screen(_ keys: String, _ columns: Int, _ rows: Int) -> String {
        let desk = Desk(
            [
                "com.example.app": [
                    "colour": "red",
                    "profile": json(#"{"name": "Pitt", "likes": [1, {"deep": 5}], "none": null}"#),
                    "sizes": [1, 2.5, ["deep": true]],
                    "日本語のキー": "漢字かな交じり文",
                ],
                "org.broken": [:],
                "日本": [:],
            ],
            columns: columns,
            rows: rows,
            statuses: ["org.broken": SuiteStatus(content: .unreadable("line 1, column 1: no property list"))],
            keys: keys
        )
        var lines: [String] = []
        for line in desk.screen {
            let isBlank = line.allSatisfy { $0 == " " || $0 == "│" }
            if !isBlank {
                lines.append(line)
            } else if lines.last != "⋮" {
                lines.append("⋮")
            }
        }
        return lines.joined(separator: "\n")
    }

    @Test("The width of names depends on the selected suite only")
    func widthOfNames() {
        let long = String(repeating: "name", count: 15)
        var desk = Desk(["a": [long: 1], "b": ["k": 1], "c": ["l": 1]], columns: 200, rows: 10, keys: "j")
        let short = desk.screen
        desk.type("k")
        #expect(desk.body[0].contains(long))
        desk.type("j")
        #expect(desk.screen == short)
        desk.type("j")
        #expect(desk.screen[2].drop { $0 != "│" } == short[2].replacing("k", with: "l").drop { $0 != "│" })
    }

    @Test("The list of suites")
    func suites() {
        #expect(
            screen("", 20, 5) == """
                 /home/u/.config
                » com.example.app  █
                  org.broken      !│
                com.example.app  4 …
                Enter open │ ? help
                """
        )
        #expect(
            screen("", 40, 10) == """
                 pdefaults  /home/u/.config
                 SUITES                               3
                » com.example.app
                  org.broken                          !
                  日本
                ⋮
                com.example.app  4 keys
                Enter open  a new suite │ q quit  ? help
                """
        )
        #expect(
            screen("", 80, 24) == """
                 pdefaults  /home/u/.config › com.example.app                              LIVE
                 SUITES              3 │    KEY            VALUE                    TYPE 4 keys
                » com.example.app      │›   colour         red                      string
                  org.broken         ! │  ▸ profile        {name: Pitt, …+2}        JSON
                  日本                 │  ▸ sizes          [1, 2.5, {…}]            array
                                       │    日本語のキー   漢字かな交じり文         string
                ⋮
                                       ├─ com.example.app ── suite ─────────────────────────────
                                       │ 4 keys.
                                       │ Changes of other programs appear at once.
                ⋮
                com.example.app  4 keys                                             suite 1 of 3
                Enter open  a new suite │ / search  f go to │ : commands  q quit  ? help
                """
        )
        #expect(
            screen("", 200, 50) == """
                 pdefaults  /home/u/.config › com.example.app                                                                                                                                                      LIVE
                 SUITES              3 │    KEY            VALUE                                                                 TYPE     4 keys │ com.example.app   suite
                » com.example.app      │›   colour         red                                                                   string          │ Suite
                  org.broken         ! │  ▸ profile        {name: Pitt, likes: […], none: null}                                  JSON            │ 4 keys.
                  日本                 │  ▸ sizes          [1, 2.5, {…}]                                                         array           │ Changes of other programs appear at once.
                                       │    日本語のキー   漢字かな交じり文                                                      string          │
                ⋮
                com.example.app  4 keys                                                                                                                                                                     suite 1 of 3
                Enter open  a new suite │ / search  f go to  & filter │ : commands  q quit  ? help
                """
        )
    }

    @Test("An expanded tree")
    func outline() {
        #expect(
            screen("⏎jljjl", 20, 5) == """
                 com.example.app
                      name Pitt
                »   ▾ lik… [2 eleme…
                …/likes  array  [2 …
                a add │ ? help
                """
        )
        #expect(
            screen("⏎jljjl", 40, 10) == """
                 /home/u/.config › com.example.app
                    KEY            VALUE
                    colour         red                 █
                  ▾ profile        {3 members}         █
                      name         Pitt                █
                »   ▾ likes        [2 elements]        █
                        0          1                   │
                      ▸ 1          {deep: 5}           │
                /profile/likes  array  [2 elements]
                Enter collapse  a add │ q quit  ? help
                """
        )
        #expect(
            screen("⏎jljjl", 80, 24) == """
                 pdefaults  /home/u/.config › com.example.app                              LIVE
                 SUITES              3 │    KEY            VALUE                    TYPE 4 keys
                › com.example.app      │    colour         red                      string
                  org.broken         ! │  ▾ profile        {3 members}              JSON
                  日本                 │      name         Pitt                     string
                                       │»   ▾ likes        [2 elements]             array
                                       │        0          1                        number
                                       │      ▸ 1          {deep: 5}                object
                                       │      none         null                     null
                                       │  ▸ sizes          [1, 2.5, {…}]            array
                                       │    日本語のキー   漢字かな交じり文         string
                ⋮
                                       ├─ profile › likes ── array ─────────────────────────────
                                       │ [
                                       │   1,
                                       │   {
                                       │     "deep": 5
                                       │   }                                     … i shows all
                /profile/likes                                                        row 4 of 9
                Enter collapse  a add  A add inside  d delete │ / search │ q quit  ? help
                """
        )
    }

    @Test("A refused text")
    func refused() {
        #expect(
            screen("⏎jljjlj⏎→x⏎", 20, 5) == """
                 com.example.app
                »!     0   1x
                “1x” is not a JSON
                number, such as -1,…
                Esc cancel │ F1 help
                """
        )
        #expect(
            screen("⏎jljjlj⏎→x⏎", 40, 10) == """
                 /home/u/.config › com.example.app
                    KEY            VALUE
                      name         Pitt                │
                    ▾ likes        [2 elements]        █
                »!      0          1x                  █
                      ▸ 1          {deep: 5}           │
                      none         null                │
                “1x” is not a JSON number, such as -1,
                0.5 or 6e23.
                Enter write  Esc cancel │ F1 help
                """
        )
        #expect(
            screen("⏎jljjlj⏎→x⏎", 200, 50) == """
                 pdefaults  /home/u/.config › com.example.app                                                                                                                                                      LIVE
                 SUITES              3 │    KEY            VALUE                                                                 TYPE     4 keys │ profile › likes › 0   number
                › com.example.app      │    colour         red                                                                   string          │ Value
                  org.broken         ! │  ▾ profile        {3 members}                                                           JSON            │ 1
                  日本                 │      name         Pitt                                                                  string          │
                                       │    ▾ likes        [2 elements]                                                          array           │
                                       │»!      0          1x                                                                                    │
                                       │      ▸ 1          {deep: 5}                                                             object          │
                                       │      none         null                                                                  null            │
                                       │  ▸ sizes          [1, 2.5, {…}]                                                         array           │
                                       │    日本語のキー   漢字かな交じり文                                                      string          │
                ⋮
                “1x” is not a JSON number, such as -1, 0.5 or 6e23.                                                                                                                                           row 5 of 9
                Enter write  Esc cancel │ F1 help
                """
        )
    }

    @Test("A question")
    func question() {
        #expect(
            screen("d", 20, 5) == """
                » com.example.app
                Delete the suite
                “com.example.app”
                with its 4 keys?
                y yes  n no
                """
        )
        #expect(
            screen("d", 40, 10) == """
                 pdefaults  /home/u/.config
                 SUITES                               3
                » com.example.app
                  org.broken                          !
                  日本
                ⋮
                Delete the suite “com.example.app” with
                its 4 keys?
                y yes  n no
                """
        )
        #expect(
            screen("d", 80, 24) == """
                 pdefaults  /home/u/.config › com.example.app                              LIVE
                 SUITES              3 │    KEY            VALUE                    TYPE 4 keys
                » com.example.app      │›   colour         red                      string
                  org.broken         ! │  ▸ profile        {name: Pitt, …+2}        JSON
                  日本     ┌───────────────────────────────────────────────────────┐array
                           │  Delete the suite “com.example.app” with its 4 keys?  │string
                ⋮
                           │  y yes   n no                                         │
                           └───────────────────────────────────────────────────────┘
                ⋮
                                       ├─ com.example.app ── suite ─────────────────────────────
                                       │ 4 keys.
                                       │ Changes of other programs appear at once.
                ⋮
                com.example.app  4 keys                                             suite 1 of 3
                y yes  n no
                """
        )
    }

    @Test("A long question takes the lines that it needs", arguments: [4, 5, 6, 10])
    func longQuestion(rows: Int) {
        var desk = Desk(["a": ["k": 1]], columns: 20, rows: rows, keys: "⏎S⏎⌫7⏎q")
        let text = desk.screen.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(rows < 5 || text.contains("not saved"), "\(desk.text)")
        #expect(text.contains("y yes n no"))
        desk.type("n")
        #expect(desk.state.mode == .keys)
    }

    @Test("The menu of types")
    func menu() {
        #expect(
            screen("⏎an⏎", 20, 5) == """
                 com.example.app
                »   n
                  ▸ » string
                /n  string
                Enter choose
                """
        )
        #expect(
            screen("⏎an⏎", 40, 10) == """
                 /home/u/.config › com.example.app
                    KEY            VALUE
                »   n
                  ▸ profile        ─Type of “n”: a let…─
                  ▸ sizes          » string
                    日本語のキー     integer
                                     real
                                     boolean
                /n  string
                Enter choose  Esc cancel
                """
        )
        #expect(
            screen("⏎an⏎", 80, 24) == """
                 pdefaults  /home/u/.config › com.example.app                              LIVE
                 SUITES              3 │    KEY            VALUE                    TYPE 4 keys
                › com.example.app      │    colour         red                      string
                  org.broken         ! │»   n
                  日本                 │  ▸ profile        ─Type of “n”: a letter, then Enter───
                                       │  ▸ sizes          » string
                                       │    日本語のキー     integer
                                       │                     real
                                       │                     boolean
                                       │                     date
                                       │                     data
                                       │                     array
                                       │                     dictionary
                                       │                     JSON
                ⋮
                                       ├─ com.example.app ── suite ─────────────────────────────
                                       │ 4 keys.
                                       │ Changes of other programs appear at once.
                ⋮
                /n  string
                Enter choose  Esc cancel
                """
        )
    }

    @Test("A search")
    func search() {
        #expect(
            screen("⏎/deep", 20, 5) == """
                 com.example.app
                     ▾ 1   {1 membe…
                » 4    de… 5
                /deep
                Enter stay
                """
        )
        #expect(
            screen("⏎/deep", 40, 10) == """
                 /home/u/.config › com.example.app
                    KEY            VALUE
                    ▾ likes        [2 elements]        │
                        0          1                   █
                      ▾ 1          {1 member}          █
                »         deep     5                   █
                      none         null                │
                  ▸ sizes          [1, 2.5, {…}]       │
                /deep                             1 of 2
                Enter stay  Esc cancel
                """
        )
    }

    @Test("The help")
    func help() {
        #expect(
            screen("?", 20, 5) == """
                 /home/u/.config
                Move
                » Enter   Go to the
                Go to the keys of t…
                Esc back  Enter run
                """
        )
        #expect(
            screen("?", 40, 10) == """
                 pdefaults  /home/u/.config
                 HELP              In the list of suites
                Move
                » Enter       Go to the keys of the
                              suite.
                  → l         Go into the suite.
                  Tab         Go to the pane of keys.
                  ↑ k         Go up a row.
                Go to the keys of the suite.
                Esc back  Enter run │ / filter
                """
        )
        #expect(
            screen("?", 80, 6) == """
                 pdefaults  /home/u/.config › com.example.app                              LIVE
                Move
                » Enter       Go to the keys of the suite.
                  → l         Go into the suite.
                Go to the keys of the suite.
                Esc back  Enter run │ / filter
                """
        )
    }
}
