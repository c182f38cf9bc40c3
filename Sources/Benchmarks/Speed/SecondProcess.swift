import Foundation
import PropertyList
import SettingsStore

/// This program, started again as a second process with a role.
final class SecondProcess {
    enum Part: String {
        /// Reports each new value of an integer key.
        case observeOurs
        /// Reports each number at the start of a file.
        case observeBare
        /// Reports the memory that a suite of 50,000 keys takes, after reading and at its peak.
        case holdOurs, holdFoundation
        /// Reports the memory that the editor takes with a suite of 100,000 keys.
        case holdEditor
    }

    private static let partVariable = "PDEFAULTS_BENCHMARKS_PART"
    private static let pathVariable = "PDEFAULTS_BENCHMARKS_PATH"

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the process.
    ///
    /// - Parameter path: The file to observe, or the folder of the suites to hold.
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

    /// A number that the process reports, and the time when it received it.
    struct Report {
        var number: Int
        var time: Int
    }

    /// Waits for the next report. The first one means that the process is ready.
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
    /// Runs the role that this process was started for, if any, until it is ended.
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

    /// Ends this process when the other one ends.
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
            // The other process might have ended already.
            try? report(number)
        }
        try report(0)
        withExtendedLifetime((suite, observation), waitForever)
    }

    /// Reads a small suite, then a large one in the same folder. Reports by how many bytes the process has
    /// grown, and by how many at its peak.
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

    /// Returns a line of proc_pid_status(5) in bytes.
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
