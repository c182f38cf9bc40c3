import Foundation
import ProgramHarness
import PropertyList
import Testing

@Suite("Desired settings with obstacles")
struct ApplyTroubleTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var memory: String { ".local/state/pdefaults/applied" }

    private func values(_ name: String) throws -> [String: PropertyListValue] {
        let bytes = try [UInt8](folder.bytes(of: name + ".plist"))
        return [String: PropertyListValue](try PropertyListDocument.read(bytes).values)
    }

    private func apply(_ words: String..., input: String) throws -> ProgramResult {
        try pdefaults(folder, ["apply"] + words + ["-"], input: input)
    }

    @Test("The list of a name says which suite failed and why, until it is applied")
    func failedSuite() throws {
        let input = #"{"broken": {"a": 1}, "ok": {"a": 1}}"#
        try folder.write(brokenFile, to: "broken.plist")
        #expect(try apply("--as", "n", input: input).ending == .exit(1))
        let state = try pdefaults(folder, "applied", "n")
        #expect(state.ending == .exit(1))
        #expect(
            state.output.hasPrefix("broken: failed: \(folder.file("broken.plist")): line 5"),
            "\(state.output)"
        )
        #expect(state.output.hasSuffix("pdefaults recover broken\nok a: applied\n"), "\(state.output)")
        let json = try PropertyListValue.read(
            typedJSON: Data(pdefaults(folder, "applied", "n", "--json").output.utf8)
        )
        guard case .array(let objects) = json, case .dictionary(let failed)? = objects.first else {
            throw HarnessError("\(json)")
        }
        #expect(failed["suite"] == "broken" && failed["state"] == "failed" && failed["reason"] != nil)
        try folder.write(["b": 2], to: "broken.plist")
        #expect(try apply("--as", "n", input: input).errors == "")
        let healed = try pdefaults(folder, "applied", "n")
        #expect(healed.output == "broken a: applied\nok a: applied\n")
        #expect(healed.ending == .exit(0))
    }

    @Test("A name whose suites have all failed is listed, and is undone without them")
    func everySuiteFailed() throws {
        try folder.write(brokenFile, to: "broken.plist")
        #expect(try apply("--as", "n", input: #"{"broken": {"a": 1}}"#).ending == .exit(1))
        #expect(try pdefaults(folder, "applied").output == "n\n")
        let undone = try pdefaults(folder, "unapply", "n")
        #expect(undone.errors == "" && undone.ending == .exit(0), "\(undone.errors)")
        #expect(try pdefaults(folder, "applied").output == "")
    }

    @Test("A damaged memory of one name is reported, and the other names work")
    func damagedMemory() throws {
        for name in ["bad", "good"] {
            #expect(try apply("--as", name, input: "{\"\(name)\": {\"a\": 1}}").errors == "")
        }
        try folder.write("xx", to: "\(memory)/bad.plist")
        let advice = "Move the file away or make it readable, then apply the settings of “bad” again."
        for words in [["--dry-run"], []] {
            let result = try pdefaults(
                folder,
                ["apply", "--as", "good"] + words + ["-"],
                input: #"{"good": {"a": 2}}"#
            )
            #expect(result.errors.contains("bad.plist: line 1") && result.errors.contains(advice))
            #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
            #expect(result.ending == .exit(words.isEmpty ? 0 : 1))
        }
        #expect(try values("good") == ["a": 2])
        #expect(try pdefaults(folder, "applied", "good").output == "good a: applied\n")
        #expect(try pdefaults(folder, "unapply", "good").errors == "")
        #expect(try values("good") == [:])
        for words in [["applied", "bad"], ["unapply", "bad"]] {
            let result = try pdefaults(folder, words)
            #expect(result.errors.contains(advice) && result.ending == .exit(1), "\(result.errors)")
        }
        let refused = try apply("--as", "bad", input: #"{"bad": {"a": 2}}"#)
        #expect(refused.errors.contains(advice) && refused.ending == .exit(1))
        #expect(try values("bad") == ["a": 1])
    }

    @Test("Several paths of one file are one suite, in a settings file and among names")
    func pathsOfOneFile() throws {
        try folder.write(["a": 0], to: "real.plist")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.plist"),
            withDestinationPath: "real.plist"
        )
        let input = """
            {"link": {"a": 1}, "real": {"b": 2}, "\(folder.path)/./real.plist": {"c": 3}, "~/link": {"a": 4}}
            """
        #expect(try apply("--as", "n", input: input).errors == "")
        #expect(try values("real") == ["a": 4, "b": 2, "c": 3])
        #expect(try pdefaults(folder, "applied", "n").ending == .exit(0))
        #expect(try apply("--as", "n", "--dry-run", input: input).output == "")
        for path in ["real", "~/link.plist"] {
            let refused = try apply("--as", "other", input: "{\"\(path)\": {\"a\": 9}}")
            #expect(refused.errors.contains("is set by “n” already"), "\(refused.errors)")
        }
        #expect(try apply("--as", "n", input: "{\"\(folder.file("real.plist"))\": {\"a\": 5}}").errors == "")
        #expect(try values("link") == ["a": 5])
        #expect(try pdefaults(folder, "unapply", "n").errors == "")
        #expect(try values("real") == ["a": 0])
    }

    @Test("Dates that XML rounds are reported once, and the second run writes nothing")
    func roundedDates() throws {
        try folder.write(["a": 1], to: "app.plist")
        let input = """
            {"app": {"d": {"$date": "2024-05-01T10:20:30.25Z"}, "l": {"$include": [{"$date": "2024-05-01T10:20:30.75Z"}]}},
             "new": {"d": {"$date": "2024-05-01T10:20:30.25Z"}}}
            """
        let first = try apply("--as", "n", input: input)
        #expect(
            first.errors
                == "\(folder.file("app.plist")) is XML, which stores whole seconds. Rounded: “d”, “l”.\n"
        )
        #expect(first.ending == .exit(0))
        let written = try folder.bytes(of: "app.plist")
        let number = try inode("app.plist")
        let second = try apply("--as", "n", input: input)
        #expect(second.errors == "" && second.ending == .exit(0))
        #expect(try folder.bytes(of: "app.plist") == written)
        #expect(try inode("app.plist") == number, "A write would have replaced the file")
        #expect(try apply("--dry-run", input: input).ending == .exit(0))
        #expect(try values("new") == ["d": .date(Date(timeIntervalSince1970: 1_714_558_830.25))])
    }

    private func inode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.file(name))[.systemFileNumber] as? Int
    }

    @Test(
        "A dry run says by its exit status whether anything would change",
        arguments: [
            (#"{"app": {"a": 1}}"#, 0), ("{}", 0), (#"{"app": {"gone": {"$delete": true}}}"#, 0),
            (#"{"app": {"a": 2}}"#, 1), (#"{"app": {"a": {"$delete": true}}}"#, 1),
            (#"{"new": {"a": 1}}"#, 1),
            (#"{"app": {"a": null}}"#, 2), (#"{"app": {"a": {"$include": [1]}}}"#, 2),
            (#"{"broken": {"a": 1}}"#, 2), (#"{"broken": {"a": 1}, "app": {"a": 2}}"#, 2), ("{", 2),
        ] as [(String, Int32)]
    )
    func exitStatus(_ input: String, _ status: Int32) throws {
        try folder.write(["a": 1], to: "app.plist")
        try folder.write(brokenFile, to: "broken.plist")
        for words in [[], ["--as", "n"]] {
            let result = try pdefaults(folder, ["apply", "--dry-run"] + words + ["-"], input: input)
            #expect(result.ending == .exit(status), "\(result.errors)")
            #expect((result.errors != "") == (status == 2), "\(result.errors)")
        }
        #expect(try folder.names == ["app.plist", "broken.plist"])
        #expect(try values("app") == ["a": 1])
    }

    @Test("What cannot be read is named with what to do, and the other suites are applied")
    func unreadable() throws {
        for name in ["folder", "app.plist"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name),
                withIntermediateDirectories: false
            )
        }
        for (path, reason) in [("folder", "Is a directory"), ("missing", "No such file or directory")] {
            let result = try pdefaults(folder, "apply", folder.file(path))
            #expect(
                result.errors
                    == "Could not read data from \(folder.file(path)): \(reason). Check the path of the settings file. Nothing was written.\n"
            )
            #expect(result.ending == .exit(1))
        }
        let result = try apply(input: #"{"app": {"a": 1}, "other": {"a": 1}}"#)
        #expect(
            result.errors
                == "app: \(folder.file("app.plist")): is not a regular file but a folder or a device. Move it away, or use another name\n"
        )
        #expect(result.ending == .exit(1))
        #expect(try values("other") == ["a": 1])
        let refused = try apply(input: #"{"other": {"a": 2}, "~/folder": {"a": 1}}"#)
        #expect(refused.errors.contains("~/folder is a folder"), "\(refused.errors)")
        #expect(try values("other") == ["a": 1])
    }

    @Test("A property list from standard input is applied under a name, also to a file below ~")
    func propertyListFromInput() throws {
        let settings: PropertyListValue = [
            "~/mine.plist": ["list": ["$include": ["x"]], "since": .date(Date(timeIntervalSince1970: 0))]
        ]
        let input = String(decoding: try settings.encoded(as: .xml), as: UTF8.self)
        for _ in 0..<2 {
            let result = try apply("--as", "n", input: input)
            #expect(result.errors == "" && result.ending == .exit(0), "\(result.errors)")
        }
        #expect(try values("mine") == ["list": ["x"], "since": .date(Date(timeIntervalSince1970: 0))])
        #expect(try pdefaults(folder, "applied", "n").ending == .exit(0))
        #expect(try apply("--as", "n", input: "{}").errors == "")
        #expect(try values("mine") == [:])
    }

    @Test("A pdefaults that was stopped while it applies settings does not hold up another one for ever")
    func stoppedProcess() throws {
        #expect(try apply("--as", "n", input: #"{"app": {"a": 1}}"#).errors == "")
        let holder = try RunningProgram(
            builtProgram(named: "StoreWriter"),
            ["hold", folder.file(".local/state/pdefaults")]
        )
        try holder.waitForOutput("locked")
        holder.send(SIGSTOP)
        let result = try apply("--as", "n", input: #"{"app": {"a": 2}}"#)
        #expect(result.errors.contains("run: kill -CONT \(holder.id)\n"), "\(result.errors)")
        #expect(result.ending == .exit(1))
        #expect(try values("app") == ["a": 1])
        holder.send(SIGKILL)
        _ = try holder.end()
        #expect(try apply("--as", "n", input: #"{"app": {"a": 2}}"#).errors == "")
    }
}
