import DesiredSettings
import Foundation
import PropertyList
import Testing

@testable import SettingsEditor

@Suite("Settings of pdefaults apply in the editor")
struct AppliedSettingTests {
    private static func setting(
        _ path: SettingPath,
        before: PropertyListValue?,
        applied: PropertyListValue?
    ) -> AppliedSetting {
        let since = Date(timeIntervalSinceReferenceDate: 0)
        return AppliedSetting(
            by: "dotfiles",
            path,
            AppliedSettings.Entry(since: since, before: before, applied: applied)
        )
    }

    private func desk(_ values: [String: PropertyListValue], _ settings: [AppliedSetting], keys: String = "")
        -> Desk
    {
        var desk = Desk(["s": values], columns: 120, rows: 40, keys: "⏎")
        desk.act(.applied("s", settings))
        desk.type("g" + keys)
        return desk
    }

    @Test("The row has the name, and the details say since when and what was there before")
    func whole() {
        let setting = Self.setting(SettingPath("volume"), before: 75, applied: 60)
        var desk = desk(["other": 1, "volume": 60], [setting], keys: "j")
        #expect(desk.body[1].contains("60  (by dotfiles)"))
        #expect(!desk.body[0].contains("dotfiles"))
        #expect(desk.detailWords.contains("Set by “dotfiles” since 2001-01-01 00:00:00"))
        #expect(desk.detailWords.contains("Before, it was 75."))
        #expect(!desk.detailWords.contains("changed since"))
        desk.outside("s", "volume", 50)
        #expect(desk.detailWords.contains("Set to 60 by “dotfiles”"))
        #expect(desk.detailWords.contains("Before, it was 75. It has been changed since."))
        desk.act(.applied("s", []))
        #expect(!desk.text.contains("dotfiles"))
    }

    @Test("A member and an element are told beside their own rows, and beside the rows around them")
    func inside() {
        let settings = [
            Self.setting(SettingPath("window", members: ["width"]), before: nil, applied: 800),
            Self.setting(SettingPath("devices", element: "Kitchen"), before: nil, applied: "Kitchen"),
            Self.setting(SettingPath("devices", element: "Garden"), before: "Garden", applied: "Garden"),
        ]
        var desk = desk(
            ["devices": ["Kitchen"], "window": ["height": 1, "width": 800]],
            settings,
            keys: "z9g"
        )
        #expect(desk.body[0].contains("(by dotfiles)"))
        #expect(desk.detailWords.contains("The element “Kitchen” is wanted by “dotfiles”"))
        #expect(desk.detailWords.contains("The element “Garden” is wanted by “dotfiles”"))
        #expect(desk.detailWords.contains("It was there before. It is gone now."))
        desk.type("jj")
        #expect(desk.selectedKey == "window")
        #expect(desk.body[2].contains("(by dotfiles)"))
        #expect(desk.detailWords.contains("At /width: Set by “dotfiles”"))
        desk.type("jj")
        #expect(desk.body[4].contains("(by dotfiles)"))
        #expect(!desk.body[3].contains("(by dotfiles)"))
        #expect(desk.detailWords.contains("Before, it was nothing."))
    }
}
