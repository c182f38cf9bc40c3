#if GSettings
import ProgramHarness
import Testing

/// The program beside `gsettings` on a bus of its own, with dconf.
@Suite("The desktop's settings on a session bus")
struct SessionBusTests {
    /// Runs a script on a new bus, with a home folder of its own.
    private func output(of script: String, onBus: Bool = true) throws -> String {
        let folder = try TemporaryFolder()
        let words = onBus ? ["dbus-run-session", "--"] : []
        let environment = [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "PROGRAM": try builtProgram(named: "pdefaults"), "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
        ]
        let start = "exec 2>&1; p() { \"$PROGRAM\" --gsettings \"$@\"; }; S=org.gnome.desktop.interface\n"
        let command = words + ["bash", "-c", start + script]
        let result = try run(command[0], Array(command.dropFirst()), environment: environment)
        return result.output
    }

    @Test("A write of the program reaches gsettings, and the other way round")
    func bothWays() throws {
        let text = try output(
            of: """
                p write $S color-scheme prefer-dark; gsettings get $S color-scheme
                gsettings set $S cursor-size 33; p read $S cursor-size
                p write org.gnome.desktop.input-sources sources -string "[('xkb', 'us'), ('xkb', 'de')]"
                gsettings get org.gnome.desktop.input-sources sources
                p write org.gnome.desktop.wm.keybindings close -array '"<Super>q"'
                gsettings get org.gnome.desktop.wm.keybindings close
                p delete $S color-scheme; gsettings get $S color-scheme
                p write $S color-scheme purple || echo refused
                """
        )
        let expected = ["'prefer-dark'", "33", "[('xkb', 'us'), ('xkb', 'de')]", "['<Super>q']", "'default'"]
        #expect(Array(text.split(separator: "\n").map { String($0) }.prefix(5)) == expected, "\(text)")
        #expect(text.contains("purple") && text.hasSuffix("refused\n"), "\(text)")
    }

    @Test("An element is added to the schema's default, every key is found, and an unknown schema is refused")
    func defaults() throws {
        let text = try output(
            of: """
                K=org.gnome.desktop.wm.keybindings
                p write $K close -array-add -string '<Super>z'; gsettings get $K close
                p find enable-hot-corners
                p org.example.none || echo refused
                """
        )
        #expect(text.hasPrefix("['<Alt>F4', '<Super>z']\n"), "\(text)")
        #expect(text.contains("\"enable-hot-corners\" = 1"), "\(text)")
        #expect(text.contains("org.example.none") && text.hasSuffix("refused\n"), "\(text)")
    }

    @Test("A change by gsettings reaches a running watch")
    func live() throws {
        let text = try output(
            of: """
                "$PROGRAM" --gsettings watch $S > "$HOME/out" & watch=$!
                until grep -q cursor-size "$HOME/out"; do
                    gsettings set $S cursor-size $((size = (${size-30} + 1)))
                done
                kill $watch; wait $watch; cat "$HOME/out"
                """
        )
        #expect(text.contains("org.gnome.desktop.interface cursor-size"), "\(text)")
    }

    @Test("An administrator's default and lock are layers")
    func layers() throws {
        let text = try output(
            of: """
                mkdir -p "$HOME/site.d/locks"
                printf '[org/gnome/desktop/interface]\\nclock-format="12h"\\ncursor-size=48\\n' > "$HOME/site.d/keys"
                echo /org/gnome/desktop/interface/cursor-size > "$HOME/site.d/locks/keys"
                dconf compile "$HOME/site" "$HOME/site.d"
                printf 'user-db:user\\nfile-db:%s\\n' "$HOME/site" > "$HOME/profile"
                export DCONF_PROFILE=$HOME/profile
                p why $S clock-format; p why $S cursor-size
                p write $S cursor-size -int 20 || echo refused
                p read $S cursor-size --effective
                """
        )
        let lines = text.split(separator: "\n").map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(lines.contains { $0.hasPrefix("site 12h the administrator’s GSettings") }, "\(text)")
        #expect(lines.contains { $0.hasPrefix("declared 24h") }, "\(text)")
        #expect(lines.contains { $0.hasPrefix("mandatory 48") && $0.hasSuffix("(locked)") }, "\(text)")
        #expect(text.contains("locked by the administrator’s GSettings"), "\(text)")
        #expect(text.hasSuffix("refused\n48\n"), "\(text)")
    }

    @Test("Without a bus, a write fails with what to start")
    func noBus() throws {
        let text = try output(
            of: "p write $S color-scheme prefer-dark || echo failed; p read $S cursor-size --effective",
            onBus: false
        )
        #expect(text.contains("dbus-run-session"), "\(text)")
        #expect(text.contains("failed\n24\n"), "\(text)")
        #expect(!text.contains("WARNING"), "GLib prints nothing beside: \(text)")
    }
}
#endif
