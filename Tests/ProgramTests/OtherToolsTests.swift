import Foundation
import ProgramHarness
import PropertyList
import Testing

/// Whether a program is installed.
func isInstalled(_ program: String) -> Bool {
    (try? run("/bin/sh", ["-c", "command -v \(program)"]).ending) == .exit(0)
}

@Suite("Other programs for property lists")
struct OtherToolsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "GNUstep's defaults and pdefaults read each other's files",
        .enabled(if: isInstalled("defaults"), "gnustep-base-runtime is not installed")
    )
    func gnustep() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("Defaults"),
            withIntermediateDirectories: false
        )
        // Otherwise GNUstep would use the user's home folder.
        try folder.write("GNUSTEP_USER_DEFAULTS_DIR=\"\(folder.file("Defaults"))\"\n", to: "gnustep.conf")
        let environment = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "GNUSTEP_CONFIG_FILE": folder.file("gnustep.conf"),
        ]
        func defaults(_ words: String...) throws -> String {
            let result = try run("defaults", words, environment: environment)
            #expect(result.ending == .exit(0), "\(result.errors)")
            return result.output
        }
        let file = folder.file("Defaults/app.plist")
        for command in [
            ["text", "hello world"], ["list", "(1, two)"], ["table", "{a = b;}"], ["number", "-int", "5"],
            ["data", "<0fbd77>"],
        ] {
            #expect(try pdefaults(folder, ["write", file] + command).errors == "")
        }
        #expect(try defaults("read", "app", "text").contains("hello world"))
        #expect(try defaults("read", "app", "list").contains("two"))
        #expect(try defaults("read", "app", "number").contains("5"))
        _ = try defaults("write", "app", "theirs", "(3, {c = d;})")
        #expect(
            try pdefaults(folder, "read", "--json", file, "theirs").output.filter { !$0.isWhitespace }
                == #"["3",{"c":"d"}]"#
        )
        #expect(try pdefaults(folder, "read", file, "text").output == "hello world\n")
        #expect(try pdefaults(folder, "read-type", file, "data").output == "Type is data\n")
    }

    @Test(
        "Every kind of value in GNUstep's text form is read",
        .enabled(if: isInstalled("plmerge"), "gnustep-base-runtime is not installed")
    )
    func gnustepText() throws {
        let values: [String: PropertyListValue] = [
            "data": .data(Data([0x00, 0xFF])), "none": .data(Data()), "long": .data(Data(0...255)),
            "list": [1, .data(Data([0x78]))], "table": ["a b": "\"\\\n\té😀"], "yes": true,
            "date": .date(Date(timeIntervalSinceReferenceDate: 1)), "real": 1.5, "small": 1e-300,
            "endless": .real(-.infinity), "least": .integer(PropertyListInteger(Int64.min)),
        ]
        let (ours, theirs) = (folder.file("ours.plist"), folder.file("theirs.plist"))
        try Data(PropertyListValue.dictionary(values).encoded(as: .xml)).write(to: URL(fileURLWithPath: ours))
        try folder.write("GNUSTEP_USER_DEFAULTS_DIR=\"\(folder.path)\"\n", to: "gnustep.conf")
        let environment = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "GNUSTEP_CONFIG_FILE": folder.file("gnustep.conf"),
        ]
        let result = try run("plmerge", [theirs, ours], environment: environment)
        #expect(result.ending == .exit(0), "\(result.errors)")
        let file = try Data(contentsOf: URL(fileURLWithPath: theirs))
        #expect(String(decoding: file, as: UTF8.self).contains("<[AP8=]>"))
        let (value, format) = try PropertyListValue.read(Array(file))
        #expect(value == .dictionary(values))
        #expect(format == .openStep)
    }

    @Test(
        "plistutil and pdefaults read each other's files",
        .enabled(if: isInstalled("plistutil"), "libplist-utils is not installed")
    )
    func plistutil() throws {
        for command in [
            ["text", "hello"], ["number", "-int", "-5"], ["real", "-float", "0.5"], ["yes", "-bool", "yes"],
            ["list", "-array", "a", "-int", "1"], ["data", "-data", "0fbd77"],
            ["date", "-date", "2024-05-01 10:20:30"],
        ] {
            #expect(try pdefaults(folder, ["write", "app"] + command).errors == "")
        }
        let binary = try run(
            "plistutil",
            ["-i", folder.file("app.plist"), "-f", "bin", "-o", folder.file("theirs.plist")]
        )
        #expect(binary.ending == .exit(0))
        #expect(try pdefaults(folder, "diff", "app", "theirs").ending == .exit(0))
        #expect(try pdefaults(folder, "export", "app", folder.file("exported")).ending == .exit(0))
        let xml = try run(
            "plistutil",
            ["-i", folder.file("exported"), "-f", "xml", "-o", folder.file("again.plist")]
        )
        #expect(xml.ending == .exit(0))
        #expect(try pdefaults(folder, "diff", "app", "again").output == "")
    }
}
