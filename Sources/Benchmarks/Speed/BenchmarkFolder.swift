import Foundation
import PropertyList
import SettingsStore

/// The folder of a benchmark, on a disk, with a file of settings for each contender.
struct BenchmarkFolder {
    let path: String

    private static let variable = "PDEFAULTS_BENCHMARKS_FOLDER"

    /// Starts this program again with its own folder for Foundation's settings, unless that was done already.
    ///
    /// Foundation looks up the folder before any code of this program runs. The folder is not created yet. It
    /// is in `$TMPDIR` or in `/var/tmp`, because `/tmp` might be in memory.
    static func choose() throws {
        let environment = ProcessInfo.processInfo.environment
        if environment[variable] != nil { return }
        let path = "\(environment["TMPDIR"] ?? "/var/tmp")/pdefaults-benchmark-\(getpid())"
        setenv(variable, path, 1)
        setenv("XDG_CONFIG_HOME", path + "/" + Contender.foundation.rawValue, 1)
        try check(execv("/proc/self/exe", CommandLine.unsafeArgv), "execv")
    }

    /// Creates the folder.
    init() throws {
        guard let path = ProcessInfo.processInfo.environment[Self.variable] else {
            throw BenchmarkFailure("no folder was chosen")
        }
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    func remove() throws { try FileManager.default.removeItem(atPath: path) }

    /// Creates an XML file with sample settings, as Foundation writes it, or a JSON file, and returns its path.
    ///
    /// Each contender has a folder of its own, so that its watchers are not woken by other files.
    func file(of contender: Contender, keys: Int, isJSON: Bool = false) throws -> String {
        let folder = path + "/\(contender.rawValue)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = "\(folder)/\(keys).\(isJSON ? "json" : "plist")"
        let data = isJSON ? Data(try Sample.jsonFile(keys: keys)) : try Sample.file(keys: keys, .xml)
        try data.write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Returns a loaded suite of ours with sample settings, which no unlocked writer seems to write.
    func suite(keys: Int, isJSON: Bool = false) throws -> SettingsSuite {
        let file = try file(of: .ours, keys: keys, isJSON: isJSON)
        try waitUntilOld(file)
        return try readSuite(file)
    }

    /// Returns a loaded `UserDefaults` with the same settings.
    func userDefaults(keys: Int) throws -> UserDefaults {
        try readUserDefaults(file(of: .foundation, keys: keys))
    }
}

/// Waits until the store does not take the program that made the file for an unlocked writer at work. Before that, it
/// watches each of its writes for a moment (`SecondLook.swift`).
func waitUntilOld(_ file: String) throws {
    func age() throws -> Double {
        var info = stat()
        try check(stat(file, &info), "stat")
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Double(now.tv_sec - info.st_ctim.tv_sec) + Double(now.tv_nsec - info.st_ctim.tv_nsec) / 1e9
    }
    while try age() < 0.6 { Thread.sleep(forTimeInterval: 0.01) }
}

func readSuite(_ file: String) throws -> SettingsSuite {
    let suite = SettingsSuite(file: file)
    if suite.value(forKey: Sample.stringKey) == nil { throw BenchmarkFailure("our suite is not there") }
    return suite
}

func readUserDefaults(_ file: String) throws -> UserDefaults {
    let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    guard let defaults = UserDefaults(suiteName: name), defaults.object(forKey: Sample.stringKey) != nil
    else {
        throw BenchmarkFailure("Foundation's suite is not there")
    }
    return defaults
}
