import Glibc
import SettingsStore
import Synchronization

/// The operating system's file system for tests that act between two calls.
///
/// Its clock stands still and no call sleeps, so that a busy machine uses up no time limit. A test can ask for a clock that
/// runs, and for sleeps.
final class InterferingFileSystem: ForwardingFileSystem, @unchecked Sendable {
    enum Moment: Hashable {
        case flock, read, rename
        /// The file is opened a second time under the lock. The first time was for reading.
        case openToReplace
        /// A new file is made, which will replace the file that was opened before.
        case makeNewFile
        /// The new file gets its private name.
        case link
        /// A process that waits to open the file for writing continues.
        case endOfLease
        /// The file is looked at a second time.
        case pause
    }

    private struct State {
        var before: [Moment: @Sendable () -> Void] = [:]
        var after: [Moment: @Sendable () -> Void] = [:]
        var beforeEach: (@Sendable () -> Void)?
        var openings = 0
        var exchanges = 0
        var delay: Int64 = 0
        /// The seconds that callers would have slept.
        var paused = 0.0
        var stoppedClock: StoppedClock?
    }

    /// A clock that advances only on request. Each new file time is a hundredth of a millisecond later, because the
    /// kernel's clock advances too.
    private struct StoppedClock {
        let start: Timestamp
        private var times: [Timestamp: Timestamp] = [:]
        private var ticks: Int64 = 0
        private let tick: Int64 = 10_000

        /// How many nanoseconds the program's clock is behind the file times, as on kernels whose file times are finer
        /// than CLOCK_REALTIME_COARSE.
        let lag: Int64

        init(start: Timestamp, lag: Int64) { (self.start, self.lag) = (start, lag) }

        func now(after delay: Int64) -> Timestamp {
            Timestamp(nanoseconds: ((start.nanoseconds + delay) / tick + ticks + 1) * tick)
        }

        mutating func time(of file: Timestamp, after delay: Int64) -> Timestamp {
            if file <= start { return file }
            if let time = times[file] { return time }
            let time = now(after: delay)
            ticks += 1
            times[file] = time
            return time
        }
    }

    private let state = Mutex(State())
    private let folderLockRefusal: Int32?
    private let sleeps: Bool

    private let grain: Int64
    private let exchanges: Bool
    private let exchangeBackRefusal: Int32?
    private let unnamedRefusal: Int32?
    private let linkRefusal: Int32?

    /// - Parameters:
    ///   - refusal: the error number of locking a folder, as on file systems that lock no folders.
    ///   - sleeps: whether a caller that pauses does sleep, for writers on several threads that wait for each other.
    ///   - stopsClock: whether the clock stands still.
    ///   - grain: the resolution of file times, in nanoseconds.
    ///   - exchanges: whether the names of two files can be exchanged.
    ///   - exchangeBackRefusal: the error number of a second exchange.
    ///   - unnamedRefusal: the error number of making a file without a name.
    ///   - linkRefusal: the error number of naming such a file.
    init(
        refusingToLockFolders refusal: Int32? = nil,
        sleeps: Bool = false,
        stopsClock: Bool = true,
        grain: Int64 = 1,
        exchanges: Bool = true,
        exchangeBackRefusal: Int32? = nil,
        unnamedRefusal: Int32? = nil,
        linkRefusal: Int32? = nil
    ) {
        folderLockRefusal = refusal
        self.sleeps = sleeps
        self.grain = grain
        self.exchanges = exchanges
        self.exchangeBackRefusal = exchangeBackRefusal
        self.unnamedRefusal = unnamedRefusal
        self.linkRefusal = linkRefusal
        super.init()
        if stopsClock { stopClock() }
    }

    /// The file's status with the times of the stopped clock.
    private func shown(_ info: FileInfo) -> FileInfo {
        func rounded(_ time: Timestamp) -> Timestamp {
            Timestamp(nanoseconds: shown(time).nanoseconds / grain * grain)
        }
        var info = info
        info.identity.modified = rounded(info.identity.modified)
        info.identity.changed = rounded(info.identity.changed)
        return info
    }

    private func shown(_ time: Timestamp) -> Timestamp {
        state.withLock { $0.stoppedClock?.time(of: time, after: $0.delay) } ?? time
    }

    /// The action runs once.
    func interfere(before moment: Moment, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.before[moment] = work }
    }

    func interfere(after moment: Moment, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.after[moment] = work }
    }

    /// Called before each call whose order relative to another program's calls may matter.
    func interfere(beforeEachCall work: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeEach = work }
    }

    /// The seconds that callers would have slept so far.
    var paused: Double { state.withLock(\.paused) }

    /// Advances the clock of this file system.
    func pass(seconds: Double) {
        state.withLock { $0.delay += Int64(seconds * 1e9) }
        // A file that is written from now on has a later time than all files so far. The kernel gives some files
        // the exact time, which is ahead of the times that it gives other files.
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let exact = Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        while base.now() <= exact { sched_yield() }
    }

    /// All files were written long ago, so that no write waits.
    static func aWhileLater(unnamedRefusal: Int32? = nil, linkRefusal: Int32? = nil) -> InterferingFileSystem
    {
        // A clock that stands still would take a file with an exact time, just ahead of the clock, for a new one.
        let files = InterferingFileSystem(
            stopsClock: false,
            unnamedRefusal: unnamedRefusal,
            linkRefusal: linkRefusal
        )
        files.pass(seconds: 3)
        return files
    }

    /// Every event is recent, even if the machine is busy.
    static func withStoppedClock(behind lag: Int64 = 0) -> InterferingFileSystem {
        let files = InterferingFileSystem()
        files.stopClock(behind: lag)
        return files
    }

    func stopClock(behind lag: Int64 = 0) {
        state.withLock { $0.stoppedClock = StoppedClock(start: base.now(), lag: lag) }
    }

    private func before(_ moment: Moment) {
        beforeCall()
        state.withLock { $0.before.removeValue(forKey: moment) }?()
    }
    private func beforeCall() { state.withLock(\.beforeEach)?() }
    private func after(_ moment: Moment) { state.withLock { $0.after.removeValue(forKey: moment) }?() }

    override func flock(_ descriptor: Int32, operation: Int32) throws(SystemError) {
        before(.flock)
        state.withLock { $0.openings = 0 }
        if let folderLockRefusal, try base.fstat(descriptor, "").kind == .folder {
            throw SystemError("flock", "", folderLockRefusal)
        }
        try base.flock(descriptor, operation: operation)
    }

    override func renameat(_ folder: Int32, from: String, to: String) throws(SystemError) {
        before(.rename)
        try base.renameat(folder, from: from, to: to)
        after(.rename)
    }

    override func openat(
        _ folder: Int32,
        _ name: String,
        flags: Int32,
        mode: UInt32
    ) throws(SystemError) -> Int32 {
        beforeCall()
        if name.hasSuffix(".plist") {
            let opening = state.withLock { state in
                state.openings += 1
                return state.openings
            }
            if opening == 2 { before(.openToReplace) }
        }
        let isMaking = flags & O_CREAT != 0 && name == ".pdefaults.new"
        if isMaking { before(.makeNewFile) }
        let descriptor = try base.openat(folder, name, flags: flags, mode: mode)
        if isMaking { after(.makeNewFile) }
        return descriptor
    }

    override func openUnnamed(in folder: Int32, mode: UInt32) throws(SystemError) -> Int32 {
        if let unnamedRefusal { throw SystemError("open", "", unnamedRefusal) }
        before(.makeNewFile)
        let descriptor = try base.openUnnamed(in: folder, mode: mode)
        after(.makeNewFile)
        return descriptor
    }

    override func linkat(_ descriptor: Int32, _ folder: Int32, _ name: String) throws(SystemError) {
        before(.link)
        if let linkRefusal { throw SystemError("linkat", "", linkRefusal) }
        try base.linkat(descriptor, folder, name)
    }

    override func pause(_ seconds: Double) {
        before(.pause)
        // Another program continues meanwhile.
        for _ in 0..<Int(seconds * 1_000) { beforeCall() }
        state.withLock { $0.paused += seconds }
        if sleeps { base.pause(seconds) } else { sched_yield() }
    }

    override func stat(_ path: String) throws(SystemError) -> FileInfo? {
        beforeCall()
        if path.hasSuffix(".plist") { state.withLock { $0.openings += 1 } }
        return try base.stat(path).map(shown)
    }
    override func fstat(_ descriptor: Int32, _ path: String) throws(SystemError) -> FileInfo {
        beforeCall()
        return shown(try base.fstat(descriptor, path))
    }
    override func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        beforeCall()
        let count = try base.read(descriptor, into: buffer)
        after(.read)
        return count
    }
    override func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        beforeCall()
        return try base.write(descriptor, bytes)
    }
    override func fsync(_ descriptor: Int32) throws(SystemError) {
        beforeCall()
        try base.fsync(descriptor)
    }
    override func setExactTime(_ descriptor: Int32) throws(SystemError) -> Timestamp {
        shown(try base.setExactTime(descriptor))
    }
    override func renameatWithoutReplacing(_ folder: Int32, from: String, to: String) throws(SystemError) {
        before(.rename)
        try base.renameatWithoutReplacing(folder, from: from, to: to)
        after(.rename)
    }
    override func renameatExchanging(_ folder: Int32, _ a: String, _ b: String) throws(SystemError) {
        before(.rename)
        if !exchanges { throw SystemError("renameat2", "", EINVAL) }
        let count = state.withLock { state in
            state.exchanges += 1
            return state.exchanges
        }
        if count == 2, let exchangeBackRefusal { throw SystemError("renameat2", "", exchangeBackRefusal) }
        try base.renameatExchanging(folder, a, b)
        after(.rename)
    }
    override func unlinkat(_ folder: Int32, _ name: String) throws(SystemError) {
        beforeCall()
        try base.unlinkat(folder, name)
    }
    override func lease(_ descriptor: Int32) -> Bool? {
        beforeCall()
        return base.lease(descriptor)
    }
    override func isLeaseAwaited(_ descriptor: Int32) -> Bool {
        beforeCall()
        return base.isLeaseAwaited(descriptor)
    }
    override func endLease(_ descriptor: Int32) {
        base.endLease(descriptor)
        after(.endOfLease)
    }
    override func now() -> Timestamp {
        let (stopped, delay) = state.withLock { state in
            (state.stoppedClock.map { $0.now(after: state.delay - $0.lag) }, state.delay)
        }
        return stopped ?? Timestamp(nanoseconds: base.now().nanoseconds + delay)
    }
}
