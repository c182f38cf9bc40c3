import Foundation
import Glibc
import ProgramHarness
import PropertyList
import SettingsStore
import Testing

// Some folders of the layers can't be moved, so these tests run programs in a mount namespace of their own
// (mount_namespaces(7)).

/// How a mount namespace can be made here; nil if that is not permitted.
private let namespace: [String]? = {
    // As root, or as a user who becomes root in a user namespace.
    let ways = [["-m"], ["-Urm"]]
    return ways.first { way in
        let mount = ["mount", "-t", "tmpfs", "none", "/usr/local/etc"]
        return (try? run("unshare", way + mount).ending) == .exit(0)
    }
}()

@Suite(
    "In a mount namespace",
    .enabled(if: namespace != nil, "This user may not make mount namespaces, so this is not tested.")
)
struct NamespaceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a shell script that ends with a StoreWriter, and returns what it prints.
    private func output(_ script: String, _ arguments: [String]) throws -> [String] {
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_CONFIG_HOME"] = folder.path
        environment["XDG_CONFIG_DIRS"] = "/nonexistent"
        let program = try builtProgram(named: "StoreWriter")
        let result = try run(
            "unshare",
            try #require(namespace) + ["sh", "-ec", script, "sh", program] + arguments,
            environment: environment
        )
        #expect(result.ending == .exit(0), "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(
        "A suite finds the same value as UserDefaults for every combination of the eight files",
        arguments: [[], ["-key", "argument"]]
    )
    func sameAsFoundation(_ arguments: [String]) throws {
        let script = #"mount -t tmpfs -o mode=755 none /usr/local/etc; exec "$@""#
        let lines = try output(script, ["layers", folder.path] + arguments)
        #expect(lines == ["256 combinations"])
    }

    /// A new `/etc` with a mandatory file, and another user who starts the program.
    private func lockScript(_ commands: String = "") -> String {
        #"""
        mount -t tmpfs -o mode=755 none /etc
        mkdir -p -m 755 /etc/pdefaults/mandatory
        file=/etc/pdefaults/mandatory/app.plist
        printf '{locked = root;}' > $file
        chmod 644 $file
        \#(commands)
        exec setpriv --reuid=4711 --regid=4711 --clear-groups -- "$@"
        """#
    }

    /// Whether another user can start the programs of this package.
    private static let canBeOther: Bool = {
        guard geteuid() == 0, isTemporaryFolderOpen, let program = try? builtProgram(named: "StoreWriter")
        else { return false }
        let other = ["--reuid=4711", "--regid=4711", "--clear-groups", "--", "test", "-x", program]
        return (try? run("setpriv", other).ending) == .exit(0)
    }()

    @Test(
        "A lock of root holds for another user, whatever the environment says",
        .enabled(if: canBeOther, "Only root can start a program as another user.")
    )
    func otherUser() throws {
        chown(folder.path, 4711, 4711)
        let lock = "/etc/pdefaults/mandatory/app.plist"
        let lines = try output(
            lockScript("export HOME=/nonexistent XDG_CONFIG_DIRS=/tmp XDG_DATA_DIRS=/tmp"),
            ["locked"]
        )
        #expect(lines == [lock, "“locked” is locked by \(lock)", "root"])
    }

    @Test(
        "A mandatory file that others may write locks nothing, and is reported",
        .enabled(if: canBeOther, "Only root can start a program as another user."),
        arguments: [
            "chmod 666 $file", "chmod 777 /etc/pdefaults", "chown 4711 $file",
            "chgrp 4711 $file; chmod 664 $file",
        ]
    )
    func untrusted(_ command: String) throws {
        chown(folder.path, 4711, 4711)
        let lines = try output(lockScript(command), ["locked"])
        #expect(lines.first == "not locked")
        #expect(lines.contains { $0.contains("the mandatory file is ignored") })
        #expect(lines.last == "mine")
    }
}
