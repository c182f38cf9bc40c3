import Foundation
import PropertyList
import SettingsStore

// Another process for the store's tests. It does one thing to a suite, and prints the results that it can
// guarantee.

let arguments = Array(CommandLine.arguments.dropFirst())

func say(_ line: String) {
    let text = line + "\n"
    _ = text.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
}

func complain(_ problem: String) {
    _ = "\(problem)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
}

func fail(_ problem: String) -> Never {
    complain(problem)
    exit(1)
}

func number(_ index: Int) -> Int { Int(arguments[index]) ?? 0 }

/// Rewrites a file in several steps, as programs do that neither lock nor rename.
func writeInPlace(_ path: String, _ change: (inout [String: PropertyListValue]) -> Void) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var values = [String: PropertyListValue](try PropertyListDocument.read(Array(data)).values)
    change(&values)
    let bytes = try PropertyListValue.dictionary(values).encoded(as: .xml)
    let descriptor = open(path, O_WRONLY | O_TRUNC)
    if descriptor < 0 { fail("open: \(errno)") }
    sched_yield()
    let half = bytes.count / 2
    _ = write(descriptor, bytes, half)
    sched_yield()
    bytes[half...].withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
}

switch arguments.first {
case "set", "watch-and-set", "write-and-set":
    // FILE PREFIX COUNT: sets PREFIX/1 to PREFIX/COUNT, and prints each number when the value is stored. With
    // `watch-and-set` the suite has an observer, with `write-and-set` it has stored PREFIX/0 before, so both watch the
    // file all the time. These two print and retry failed writes, because other processes may leave no time for them.
    let suite = SettingsSuite(file: arguments[1])
    let observation = arguments[0] == "watch-and-set" ? suite.observe { _ in } : nil
    if arguments[0] == "write-and-set" {
        suite.set(0, forKey: "\(arguments[2])/0")
        while suite.status.watching != .events { usleep(1_000) }
    }
    for index in 1...number(3) {
        suite.set(.integer(PropertyListInteger(index)), forKey: "\(arguments[2])/\(index)")
        var isStored = false
        while !isStored {
            do throws(SettingsError) {
                try suite.synchronize()
                isStored = true
            } catch {
                if arguments[0] == "set" { fail("\(error)") }
                complain("\(error)")
            }
        }
        say("\(index)")
    }
    while arguments[0] != "set" { withExtendedLifetime(observation) { _ = pause() } }
case "insist":
    // FILE PREFIX COUNT: like `set`, and retries a failed write, which it prints once.
    let suite = SettingsSuite(file: arguments[1])
    var isRefused = false
    for index in 1...number(3) {
        suite.set(.integer(PropertyListInteger(index)), forKey: "\(arguments[2])/\(index)")
        while (try? suite.synchronize()) == nil {
            if !isRefused { say("refused") }
            isRefused = true
            usleep(1_000)
        }
    }
    say("done")
case "transfer":
    // FILE COUNT: moves 1 from the key `from` to the key `to` in one transaction, prints that, and repeats it.
    let suite = SettingsSuite(file: arguments[1])
    func amount(_ key: String) -> Int? {
        if case .integer(let integer)? = suite.storedValue(forKey: key) { Int(exactly: integer) } else { nil }
    }
    func transfer() throws(SettingsError) {
        while true {
            guard let from = amount("from"), let to = amount("to") else { fail("no amounts") }
            func values(_ from: Int, _ to: Int) -> [String: PropertyListValue?] {
                ["from": .integer(PropertyListInteger(from)), "to": .integer(PropertyListInteger(to))]
            }
            do throws(SettingsError) {
                return try suite.replace(values(from - 1, to + 1), expecting: values(from, to))
            } catch {
                guard case .conflict = error else { throw error }
            }
        }
    }
    for index in 1...number(2) {
        do throws(SettingsError) {
            try transfer()
        } catch {
            fail("\(error)")
        }
        say("\(index)")
    }
case "return":
    // FILE KEY VALUE: sets a key and ends without waiting for anything.
    SettingsSuite(file: arguments[1]).set(.string(arguments[3]), forKey: arguments[2])
case "set-each":
    // KEY FILE…: sets a key in several suites, and ends.
    for file in arguments.dropFirst(2) { SettingsSuite(file: file).set(1, forKey: arguments[1]) }
case "exit":
    SettingsSuite(file: arguments[1]).set(.string(arguments[3]), forKey: arguments[2])
    exit(3)
case "in-place":
    // FILE PREFIX COUNT: like `set`, as a program that rewrites the file in place.
    for index in 1...number(3) {
        do {
            try writeInPlace(arguments[1]) {
                $0["\(arguments[2])/\(index)"] = .integer(PropertyListInteger(index))
            }
        } catch {
            fail("\(error)")
        }
        say("\(index)")
    }
case "defaults":
    // SUITE PREFIX COUNT: like `set`, with Foundation's own UserDefaults.
    guard let defaults = UserDefaults(suiteName: arguments[1]) else { fail("no such suite") }
    for index in 1...number(3) {
        defaults.set(index, forKey: "\(arguments[2])/\(index)")
        if !defaults.synchronize() { fail("not synchronized") }
        say("\(index)")
    }
case "update":
    // FILE KEY NUMBER: stores one key as the command `pdefaults write` does, and prints how many microseconds that took
    // and how it ended.
    var storage = FileStorage(path: arguments[1])
    let value = PropertyListValue.integer(PropertyListInteger(number(3)))
    let start = ContinuousClock.now
    var outcome = "stored"
    do throws(SettingsError) {
        try storage.updateAlone { _, _ in StorageWrite(changes: [arguments[2]: value]) }
    } catch {
        if case .overwritten = error { outcome = "overwritten" } else { outcome = "failed: \(error)" }
    }
    say("\((ContinuousClock.now - start) / .microseconds(1)) \(outcome)")
case "rights":
    // FILE: prints why the file can't be written, as far as that is known beforehand.
    say(SettingsSuite(file: arguments[1]).status.readOnlyReason ?? "none")
case "daemon":
    // FILE: becomes a daemon, and sets `daemon` after that.
    if daemon(1, 1) != 0 { fail("daemon: \(errno)") }
    SettingsSuite(file: arguments[1]).set(true, forKey: "daemon")
    exit(0)
case "fork": forkWhileSetting(arguments[1], number(2))
case "layers": compareWithFoundation(arguments[1])
case "locked": tryLocked()
case "print":
    // FILE COUNT: stores a number COUNT times while it writes to standard output and standard error.
    let suite = SettingsSuite(file: arguments[1])
    let printing = Thread {
        while true {
            for descriptor in [STDOUT_FILENO, STDERR_FILENO] { _ = write(descriptor, "garbage", 7) }
        }
    }
    printing.start()
    for index in 1...number(2) {
        suite.set(.integer(PropertyListInteger(index)), forKey: "count")
        if (try? suite.synchronize()) == nil { exit(1) }
    }
    exit(0)
case "hold":
    // FOLDER [work]: locks the folder, prints that, and never unlocks it. It sleeps, or it works.
    let folder = open(arguments[1], O_RDONLY | O_DIRECTORY)
    if flock(folder, LOCK_EX) != 0 { fail("flock: \(errno)") }
    if arguments.count > 2 { nice(19) }
    say("locked")
    while true { if arguments.count == 2 { pause() } }
case "declare":
    // FILE KEY [MICROSECONDS]: declares a setting, and ends after that time.
    SettingsSuite(file: arguments[1]).declare(SettingDeclaration(.boolean), forKey: arguments[2])
    if arguments.count > 3 { usleep(UInt32(number(3))) }
default:
    fail("What to do? \(arguments)")
}
