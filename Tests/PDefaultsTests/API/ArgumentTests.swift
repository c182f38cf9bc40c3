import Foundation
import PDefaults
import ProgramHarness
import Testing

@Suite("Arguments of a process replace stored values")
struct ArgumentTests {
    private func output(_ arguments: [String], stored: [String: PropertyListValue] = [:]) throws -> [String] {
        let folder = try TemporaryFolder()
        let path = folder.file("PropertyProgram.plist")
        if !stored.isEmpty {
            try Data(PropertyListValue.dictionary(stored).encoded(as: .xml)).write(
                to: URL(fileURLWithPath: path)
            )
        }
        let program = try builtProgram(named: "PropertyProgram")
        let environment = ["XDG_CONFIG_HOME": folder.path]
        let result = try run(program, arguments, environment: environment)
        #expect(result.ending == .exit(0), "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("An argument is read as the property's type: number, Boolean, string, array or JSON")
    func kinds() throws {
        let arguments = [
            "-volume", "7", "-zoom", "2.5", "-isLoud", "YES", "-name", " Zoë ", "-tags", "(a, 1)",
            "-window", #"{"width": 120, "height": 1}"#,
        ]
        let lines = try output(arguments, stored: ["volume": 1, "name": "stored"])
        #expect(lines[0] == #"7 2.5 true Zoë ["a", "1"] 120"#)
    }

    @Test("An argument shows until the program sets the key, and is never stored")
    func set() throws {
        let lines = try output(["-volume", "7", "-zoom", "2.5"], stored: ["zoom": 0.5, "other": 1])
        #expect(
            lines == [
                "7 2.5 false nil [] 80", "3 2.5 false nil [] 80", #"stored ["other", "volume", "zoom"]"#,
            ]
        )
    }

    @Test("An argument shows even if another process sets the key")
    func others() throws {
        let lines = try output(["others", "-volume", "7"])
        #expect(lines == ["7 1.0 false nil [] 80", "7 3.5 false nil [] 80"])
    }

    @Test(
        "An argument that the property can't have is reported with its name and the value that shows instead"
    )
    func unusable() throws {
        func errors(_ arguments: [String], _ stored: [String: PropertyListValue] = [:]) throws -> [String] {
            let folder = try TemporaryFolder()
            let bytes = try PropertyListValue.dictionary(stored).encoded(as: .xml)
            try Data(bytes).write(to: URL(fileURLWithPath: folder.file("PropertyProgram.plist")))
            let program = try builtProgram(named: "PropertyProgram")
            let result = try run(program, arguments, environment: ["XDG_CONFIG_HOME": folder.path])
            return result.errors.split(separator: "\n").map { line in
                String(line.replacingOccurrences(of: folder.path + "/PropertyProgram.plist: key ", with: ""))
            }
        }
        #expect(
            try errors(["-volume", "99"], ["volume": 7]) == [
                "“volume”: the argument “-volume 99” can't be used, so the stored value is used: 99 is above 11, the largest that is allowed"
            ]
        )
        #expect(
            try errors(["-volume", "loud"]) == [
                "“volume”: the argument “-volume loud” can't be used, so the default is used: found a value of kind string, which can't become Int"
            ]
        )
        #expect(
            try errors(["-volume", "99"], ["volume": "many"]) == [
                "“volume”: the argument “-volume 99” can't be used, so the default is used: 99 is above 11, the largest that is allowed",
                "“volume”: the stored value can't be read, so the default is used: found a value of kind string, which can't become Int",
            ]
        )
    }

    @Test("An argument is a key and a value; the last one counts, and an unreadable one is ignored")
    func words() throws {
        let arguments = ["go", "-volume", "7", "-volume", "8", "-zoom", "-isLoud", "-name", "x", "rest", "-"]
        #expect(try output(arguments)[0] == "8 1.0 false x [] 80")
        #expect(
            try output(["-volume", "loud", "-zoom", "0"], stored: ["volume": 9])[0] == "9 1.0 false nil [] 80"
        )
    }
}
