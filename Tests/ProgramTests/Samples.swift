import Foundation
import ProgramHarness
import PropertyList

/// Runs `pdefaults` on its own folder, without a terminal.
func pdefaults(
    _ folder: TemporaryFolder,
    _ arguments: [String],
    input: String = ""
) throws -> ProgramResult {
    try run(
        builtProgram(named: "pdefaults"),
        arguments,
        environment: ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path, "LC_ALL": "C.UTF-8"],
        input: input
    )
}

func pdefaults(_ folder: TemporaryFolder, _ arguments: String...) throws -> ProgramResult {
    try pdefaults(folder, arguments)
}

/// Runs Python 3 and returns its output. Every version has plistlib.
func python(_ script: String, _ arguments: String...) throws -> String {
    let result = try run("python3", ["-c", "import plistlib, sys\n" + script] + arguments)
    guard result.ending == .exit(0) else { throw HarnessError(result.errors) }
    return result.output
}

/// Returns the value of a key as plistlib reads it, in Python's notation.
func plistlibValue(_ path: String, _ key: String) throws -> String {
    try python("print(repr(plistlib.load(open(sys.argv[1], 'rb')).get(sys.argv[2])), end='')", path, key)
}

extension TemporaryFolder {
    /// Writes the file of a suite.
    func write(
        _ values: [String: PropertyListValue],
        to name: String,
        as format: PropertyListFormat = .xml
    ) throws {
        let bytes = try PropertyListValue.dictionary(values).encoded(as: format)
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }
}

let brokenFile = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \t<key>size</key>
    \t<integer>twelve</integer>
    </dict>
    </plist>
    """
