import CommandLanguage
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore
import Synchronization

/// Runs `demo`: opens the editor on sample suites that a second process keeps changing.
///
/// The suites are in a temporary folder, which is removed at the end.
func demonstrate(_ preferences: EditorLoop.Preferences) throws {
    try requireTerminal()
    let path = try makePrivateFolder(FileManager.default.temporaryDirectory.path + "/" + demoFolderPrefix)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = SettingsFolder(path: path)
    try DemoSuites.write(into: folder)
    let changer = try startChanger(folder)
    defer {
        // It removes the folder and ends. A terminal that closes may kill this process at any time from here on.
        kill(changer, SIGTERM)
        waitpid(changer, nil, 0)
    }
    let options = [CommandOption.directory.spelling, path]
    try EditorLoop.run([.init(folder, title: "sample suites", options: options)], preferences)
}

/// Starts this program again as the second process.
private func startChanger(_ folder: SettingsFolder) throws -> pid_t {
    let arguments = [
        "pdefaults", CommandName.demoChanges.rawValue, "--directory", folder.path,
    ]
    var words = arguments.map { strdup($0) } + [nil]
    var variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    // Its own process group, so that keys such as Ctrl-C reach only the editor.
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
            "Could not start the second process: \(String(cString: strerror(result)))"
        )
    }
    return process
}

/// The prefix of the demonstration's folder names. Only folders with this prefix are ever removed.
private let demoFolderPrefix = "pdefaults-demo-"

/// Whether the second process was told to end.
private let isStopping = Atomic(false)

/// Runs the second process of the demonstration. It changes a setting every second until the editor ends, however that
/// happens, and then removes the folder.
func changeDemo(in folder: SettingsFolder) throws {
    let url = URL(filePath: folder.path)
    guard url.lastPathComponent.hasPrefix(demoFolderPrefix) else {
        throw CommandError("demo-changes is started by “pdefaults demo” and works only in its folder.")
    }
    // The first use makes the variable, which a signal handler must not do.
    isStopping.store(false, ordering: .relaxed)
    signal(SIGTERM) { _ in isStopping.store(true, ordering: .relaxed) }
    let parent = getppid()
    let player = try SettingsSuite(named: DemoSuites.liveName, in: folder)
    let titles = ["Clair de lune", "Gymnopédie No. 1", "Vltava", "En bateau", "Prélude"]
    var second = 0
    while true {
        // SIGTERM ends the sleep at once.
        sleep(1)
        if isStopping.load(ordering: .relaxed) || getppid() != parent { break }
        second += 1
        player.set(.real(Double(second)), forKey: "position")
        if second % 7 == 0 {
            let track = second / 7
            player.set(.string(titles[track % titles.count]), forKey: "track.title")
            player.set(.integer(PropertyListInteger(track % titles.count + 1)), forKey: "track.number")
        }
        if second % 5 == 0 { setLoudness(second, of: player) }
        // The user of the demonstration may even break the file. Pending values are then stored when it is
        // readable again.
        try? player.synchronize()
    }
    try? FileManager.default.removeItem(at: url)
    // Not exit(3), because that stores what is pending, and would make the folder again.
    _exit(0)
}

/// Changes one number inside JSON, as a program with a `Codable` value would.
private func setLoudness(_ second: Int, of player: SettingsSuite) {
    let path: ValuePath = [.key("limits"), .key("loudness")]
    let session = player.value(forKey: "session")
    // The user might have replaced the value by one without this path.
    guard let changed = try? session?.replacing(at: path, with: .json("\(60 + second % 40).5"))
    else { return }
    player.set(changed, forKey: "session")
}
