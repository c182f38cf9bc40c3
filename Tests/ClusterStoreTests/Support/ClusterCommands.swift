#if Cluster
import Foundation
import ProgramHarness
import PropertyList
import Testing

/// Runs `pdefaults` on a server. The folder must stay unchanged.
protocol ClusterCommands {
    var server: EtcdServer { get }
    var folder: TemporaryFolder { get }
}

extension ClusterCommands {
    var environment: [String: String] {
        ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path, "LC_ALL": "C.UTF-8"]
    }

    func pdefaults(_ words: String..., input: String = "") throws -> ProgramResult {
        try pdefaults(words, input: input)
    }

    func pdefaults(_ words: [String], input: String = "") throws -> ProgramResult {
        try run(
            builtProgram(named: "pdefaults"),
            [words[0], "--cluster", server.url] + words.dropFirst(),
            environment: environment,
            input: input
        )
    }

    /// The output of a command that succeeded.
    func output(_ words: String..., input: String = "") throws -> String {
        let result = try pdefaults(words, input: input)
        #expect(result.ending == .exit(0), "\(words): \(result.errors)")
        return result.output
    }
}

extension TemporaryFolder {
    /// The path of a property list whose keys have 150 KB each.
    func largeFile(keys: Int = 10) throws -> String {
        let pairs = (10..<10 + keys).map { number in
            ("key\(number)", PropertyListValue.string(String(repeating: "\(number)", count: 75_000)))
        }
        let values = PropertyListValue.dictionary(Dictionary(uniqueKeysWithValues: pairs))
        let path = file("large-\(keys).plist")
        try Data(try values.encoded(as: .binary)).write(to: URL(fileURLWithPath: path))
        return path
    }
}
#endif
