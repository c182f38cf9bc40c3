import Foundation
import PropertyList
import SettingsStore

/// fork(2), which Swift does not import.
func forkProcess() -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    return unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
}

/// Waits for a child and ends this process if the child did not end with status 0.
func expectSuccess(of child: pid_t, _ name: String) {
    var status: Int32 = 0
    if waitpid(child, &status, 0) != child || status != 0 { fail("\(name) ended with \(status)") }
}

/// A suite that stores only when the caller asks, so that no other thread writes.
func suiteWithoutThreads(_ path: String) -> SettingsSuite {
    struct Never: WorkScheduler {
        func run(_ work: @escaping @Sendable () -> Void) {}
        func run(after seconds: Double, _ work: @escaping @Sendable () -> Void) {}
    }
    return SettingsSuite(FileStorage(path: path), scheduler: Never())
}

func values(at path: String) -> [String: PropertyListValue] {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)),
        case .dictionary(let values)? = try? PropertyListValue.read([UInt8](data)).value
    else { return [:] }
    return values
}

/// FILE: sets a key, forks, and says in both processes whether the key was stored meanwhile. Then the parent ends.
func forkUnstored(_ path: String) -> Never {
    let suite = suiteWithoutThreads(path)
    suite.set(1, forKey: "a")
    let child = forkProcess()
    let isStored = values(at: path)["a"] != nil
    say("\(child == 0 ? "child" : "parent"): \(isStored ? "stored" : "not stored")")
    if child == 0 { _exit(0) }
    expectSuccess(of: child, "the child")
    exit(0)
}

/// FILE OTHER SECONDS: sets three keys in one suite and two in another one, whose folder is locked. Forks when a commit
/// waits for the lock, and says if that took longer than SECONDS. The child says which failures are reported to it, and
/// the values that it reads. The parent says when the child has ended, and ends.
func forkLocked(_ paths: [String], within seconds: Double) -> Never {
    let suites = paths.map { SettingsSuite(file: $0) }
    let parent = getpid()
    SettingsSuite.onFailure = { location, error in
        let isOnlyLocked = if case .notWritable = error { true } else { false }
        if !isOnlyLocked { say("\(getpid() == parent ? "parent" : "child"): \(location): \(error)") }
    }
    suites[0].set(["a": 1, "b": 1, "c": 1])
    suites[1].set(["a": 1, "b": 1])
    // The commit thread waits for the lock while it has the suite's storage.
    usleep(50_000)
    let start = ContinuousClock.now
    let child = forkProcess()
    let time = ContinuousClock.now - start
    if child == 0 {
        alarm(60)
        for suite in suites { say("child: \(suite.storedValues.count) values") }
        say("child: \(suites[0].status.pendingKeys) pending")
        exit(0)
    }
    if time > .seconds(seconds) { say("fork took \(time)") }
    expectSuccess(of: child, "the child")
    say("parent: \(suites[0].storedValues.count) values, \(suites[0].status.pendingKeys) pending")
    exit(0)
}

/// ROOT: reads the suite `app` in ROOT/home/.config, whose key `locked` a file in ROOT/etc/pdefaults/mandatory locks, and
/// forks. The child says what it sees of the lock: at first, after a set, and each time after it has changed the file.
func forkWithLocks(_ root: String) -> Never {
    var storage = FileStorage(path: root + "/home/.config/app.plist")
    storage.layerPlaces = .test(root: root, userFolder: root + "/home/.config")
    let suite = SettingsSuite(storage)
    SettingsSuite.onFailure = { _, _ in }
    if !suite.isLocked("locked") { fail("the parent sees no lock") }
    let child = forkProcess()
    if child != 0 {
        expectSuccess(of: child, "the child")
        exit(0)
    }
    alarm(60)
    func report(_ moment: String) {
        let value = suite.value(forKey: "locked").map { "\($0.displayText(limit: 40))" } ?? "missing"
        let lock = suite.lock(ofKey: "locked").map { "locked by \($0)" } ?? "not locked"
        say("\(moment): locked is \(value), \(lock)")
    }
    /// Replaces the mandatory file, and lets the suite read it.
    func replace(_ content: String) {
        let path = root + "/etc/pdefaults/mandatory/app.plist"
        unlink(path)
        if !content.isEmpty {
            do {
                try content.write(toFile: path, atomically: true, encoding: .utf8)
            } catch {
                fail("\(error)")
            }
            chmod(path, 0o644)
        }
        suite.refresh()
        // A file that seems to be half-written is read again a moment later.
        while content == "broken", suite.layerProblems.isEmpty {
            usleep(1_000)
            suite.refresh()
        }
    }
    report("inherited")
    suite.set(5, forKey: "locked")
    suite.set(1, forKey: "free")
    report("refused")
    replace("broken")
    report("unreadable")
    for problem in suite.layerProblems where problem.keepsLastValues {
        say("unreadable: the last values of the mandatory file still count")
    }
    replace("")
    report("removed")
    suite.set(2, forKey: "locked")
    report("set")
    replace("{locked = 3;}")
    report("locked again")
    do {
        try suite.synchronize()
    } catch {
        fail("\(error)")
    }
    exit(0)
}

/// FILE COUNT: forks again and again while threads set keys, observe and synchronize. Each child does something with the
/// suite, and calls exit(3).
func forkWhileSetting(_ path: String, _ count: Int) -> Never {
    let suite = SettingsSuite(file: path)
    let observation = suite.observe { _ in }
    // Swift's runtime makes types when they are first used, under locks of its own, which a child could not wait for.
    // So each thread has done its work once before the first fork.
    let turns = DispatchSemaphore(value: 0)
    for name in ["one", "two"] {
        Thread.detachNewThread {
            var index = 0
            while true {
                index += 1
                suite.set(.integer(PropertyListInteger(index)), forKey: name)
                if index == 100 { turns.signal() }
            }
        }
    }
    Thread.detachNewThread {
        var index = 0
        while true {
            index += 1
            withExtendedLifetime(suite.observe { _ in }) { _ = usleep(10) }
            if index == 100 { turns.signal() }
        }
    }
    for _ in 0..<3 { turns.wait() }
    for index in 1...count {
        let number = PropertyListValue.integer(PropertyListInteger(index))
        let child = forkProcess()
        if child == 0 {
            // A child that hangs is ended by the signal.
            alarm(60)
            switch index % 4 {
            case 0: break
            case 1: if suite.value(forKey: "never") != nil { _exit(1) }
            case 2:
                suite.set(number, forKey: "child")
                if suite.value(forKey: "child") != number { _exit(2) }
            default:
                suite.set(number, forKey: "child")
                do throws(SettingsError) {
                    try suite.synchronize()
                } catch {
                    fail("\(error)")
                }
            }
            exit(0)
        }
        expectSuccess(of: child, "child \(index)")
        if index % 4 >= 2, values(at: path)["child"] != number { fail("child \(index) has not stored") }
    }
    withExtendedLifetime(observation) {}
    _exit(0)
}

/// FILE COUNT: sets a key again and again, and forks; the parent ends at once in the middle of a commit, as with
/// daemon(3), and the child forks next. Each one says nothing; the last one sets `last` and stores it.
func forkInCommit(_ path: String, _ count: Int) -> Never {
    let suite = SettingsSuite(file: path)
    for index in 1...count {
        suite.set(.integer(PropertyListInteger(index)), forKey: "count")
        usleep(UInt32(index * 37 % 3_000))
        if forkProcess() != 0 { _exit(0) }
    }
    alarm(60)
    suite.set(true, forKey: "last")
    exit(0)
}
