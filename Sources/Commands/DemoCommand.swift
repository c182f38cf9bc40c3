import CommandLanguage
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// Opens the editor on sample suites, which a second process goes on changing. Everything is kept in a
/// temporary folder, which is removed at the end.
func demonstrate(_ wishes: EditorLoop.Wishes) throws {
    try requireTerminal()
    var template = Array(
        (FileManager.default.temporaryDirectory.path + "/\(demoFolderPrefix)XXXXXX")
            .utf8CString
    )
    guard mkdtemp(&template) != nil else {
        throw CommandError("No temporary folder could be made: \(String(cString: strerror(errno)))")
    }
    let path = template.withUnsafeBufferPointer {
        String(decoding: $0.dropLast().map(UInt8.init), as: UTF8.self)
    }
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = SettingsFolder(path: path)
    try DemoSuites.write(into: folder)
    let changer = try startChanger(folder)
    defer {
        kill(changer, SIGTERM)
        waitpid(changer, nil, 0)
    }
    try EditorLoop.run(.place(folder), wishes)
}

/// Starts this program once more, as another process that uses the same files.
private func startChanger(_ folder: SettingsFolder) throws -> pid_t {
    let arguments = [
        "pdefaults", CommandName.demoChanges.rawValue, "--directory", folder.path,
    ]
    var words = arguments.map { strdup($0) } + [nil]
    var variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    // A process group of its own, so that the keys that send signals mean the editor alone.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var result = posix_spawn(&process, "/proc/self/exe", nil, &attributes, &words, &variables)
    if result == ENOENT {
        result = posix_spawnp(&process, ProgramArguments.name, nil, &attributes, &words, &variables)
    }
    guard result == 0 else {
        throw CommandError(
            "The second process could not be started: \(String(cString: strerror(result)))"
        )
    }
    return process
}

/// How the names of the demonstration's folders begin: no other is ever removed.
private let demoFolderPrefix = "pdefaults-demo-"

/// The second process of the demonstration, which changes settings now and then.
func changeDemo(in folder: SettingsFolder) throws {
    let url = URL(filePath: folder.path)
    guard url.lastPathComponent.hasPrefix(demoFolderPrefix) else {
        throw CommandError("This belongs to “pdefaults demo” and works in its folder alone.")
    }
    // The editor removes the folder itself, unless it was killed.
    defer { try? FileManager.default.removeItem(at: url) }
    let parent = getppid()
    let player = try SettingsSuite(named: DemoSuites.liveName, in: folder)
    let titles = ["Clair de lune", "Gymnopédie No. 1", "Vltava", "En bateau", "Prélude"]
    var second = 0
    while getppid() == parent {
        sleep(1)
        second += 1
        player.set(.real(Double(second)), forKey: "position")
        if second % 7 == 0 {
            let track = second / 7
            player.set(.string(titles[track % titles.count]), forKey: "track.title")
            player.set(.integer(PropertyListInteger(track % titles.count + 1)), forKey: "track.number")
        }
        if second % 5 == 0 { setLoudness(second, of: player) }
        // Whoever looks at the demonstration may do anything to the file, break it too; what
        // can't be stored now is stored when it can.
        try? player.synchronize()
    }
}

/// Changes one number inside a JSON text, as a program with a `Codable` value would change it all.
private func setLoudness(_ second: Int, of player: SettingsSuite) {
    let path: ValuePath = [.key("limits"), .key("loudness")]
    let session = player.value(forKey: "session")
    // Whoever looks may have changed the value to one without such a place.
    guard let changed = try? session?.replacing(at: path, with: .json("\(60 + second % 40).5"))
    else { return }
    player.set(changed, forKey: "session")
}
