import Foundation
import PropertyList
import SettingsStore

/// Another process: this program, started again with a part to play.
final class SecondProcess {
    enum Part: String {
        /// Reports each value of an integer key as it arrives.
        case observeOurs
        /// Reports each number that a file starts with.
        case observeBare
        /// Reports how much memory a suite of 50,000 keys takes: in the end, and at the most.
        case holdOurs, holdFoundation
        /// Reports how much memory the editor takes with a suite of 100,000 keys.
        case holdEditor
    }

    private static let partVariable = "PDEFAULTS_BENCHMARKS_PART"
    private static let pathVariable = "PDEFAULTS_BENCHMARKS_PATH"

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// - Parameter path: the file to observe, or the folder of the suites to hold.
    init(_ part: Part, _ path: String) throws {
        process.executableURL = URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        )
        process.environment = ProcessInfo.processInfo.environment.merging([
            Self.partVariable: part.rawValue, Self.pathVariable: path,
        ]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = try receive()
    }

    /// A number that the process reports, and when it had it.
    struct Report {
        var number: Int
        var time: Int
    }

    /// The next report; the first one says that the process is ready.
    func receive() throws -> Report {
        let descriptor = output.fileHandleForReading.fileDescriptor
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let seconds: Int32 = 20
        guard try check(Glibc.poll(&poll, 1, seconds * 1000), "poll") == 1 else {
            throw BenchmarkFailure("the second process has reported nothing for \(seconds) seconds")
        }
        var report = Report(number: 0, time: 0)
        let count = try check(read(descriptor, &report, MemoryLayout<Report>.size), "read")
        guard count == MemoryLayout<Report>.size else {
            throw BenchmarkFailure("the second process has ended")
        }
        return report
    }

    /// Ends the process and waits for its end.
    deinit {
        process.terminate()
        process.waitUntilExit()
    }
}

// MARK: - In the second process

extension SecondProcess {
    /// Plays the part that this process was started for, if it was, until it is ended.
    static func runIfAsked() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let part = environment[partVariable].flatMap(Part.init), let path = environment[pathVariable]
        else { return }
        endWithInput()
        switch part {
        case .observeOurs: try observeOurs(path)
        case .observeBare: try BareFile.observe(path, report)
        case .holdOurs: try hold(path, 50_000, readSuite)
        case .holdFoundation: try hold(path, 50_000, readUserDefaults)
        case .holdEditor: try hold(path, 100_000) { try Editor(file: $0) }
        }
    }

    /// Ends this process when the other one is no more.
    private static func endWithInput() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            exit(0)
        }
    }

    private static func report(_ number: Int) throws {
        var report = Report(number: number, time: now())
        try check(write(STDOUT_FILENO, &report, MemoryLayout<Report>.size), "write")
    }

    private static func observeOurs(_ path: String) throws {
        let suite = try readSuite(path)
        let observation = suite.observe(Sample.integerKey) { change in
            guard case .integer(let integer)? = change.new, let number = Int(exactly: integer) else { return }
            // Nobody listens any more once the other process has gone.
            try? report(number)
        }
        try report(0)
        withExtendedLifetime((suite, observation), waitForever)
    }

    /// Reads a small suite, then a large one of the same folder, and reports by how many bytes the
    /// process has grown since, and by how many it had grown at the most.
    private static func hold<Suite>(
        _ folder: String,
        _ keys: Int,
        _ read: (String) throws -> Suite
    ) throws {
        let small = try read(folder + "/10.plist")
        try report(0)
        let before = try memory("VmRSS")
        let large = try read(folder + "/\(keys).plist")
        try report(memory("VmRSS") - before)
        try report(memory("VmHWM") - before)
        withExtendedLifetime((small, large), waitForever)
    }

    /// A line of proc_pid_status(5), in bytes.
    private static func memory(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        guard let kibibytes = line.flatMap({ Int($0.filter(\.isNumber)) }) else {
            throw BenchmarkFailure("the system doesn't tell this process's \(name)")
        }
        return kibibytes * 1024
    }

    private static func waitForever() {
        while true { pause() }
    }
}
