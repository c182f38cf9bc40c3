import Foundation
import PropertyList
import SettingsStore
import Synchronization

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

/// How a child ends.
private enum Ending: CaseIterable {
    /// With the exit handlers of the process (exit(3)).
    case exit
    /// Without them (_exit(2)).
    case exitAtOnce
    /// As another program (execve(2)).
    case execute
}

/// FILE COUNT: forks COUNT times for each ending while threads set keys and store them. Then the threads stop, and this
/// process sets the last values, says so, and ends.
func forkWhileSetting(_ path: String, _ count: Int) -> Never {
    let suite = SettingsSuite(file: path)
    let threads = ThreadsThatSet(["one", "two"], in: suite)
    // Made here, because a child may only make system calls.
    var command = [strdup("/bin/true"), nil]
    for number in 1...count {
        for ending in Ending.allCases {
            let child = forkProcess()
            if child == 0 {
                // The signal ends a child that hangs.
                alarm(60)
                switch ending {
                case .exit: exit(0)
                case .exitAtOnce: _exit(0)
                case .execute: execv("/bin/true", &command)
                }
                _exit(1)
            }
            expectSuccess(of: child, "child \(number), \(ending),")
        }
    }
    threads.stop()
    suite.set(["one": 1, "two": 2])
    say("forked")
    exit(0)
}

/// One thread for each key, which sets the key again and again, and one that stores the keys.
private final class ThreadsThatSet: Sendable {
    private let isOver = Atomic(false)
    private let count: Int
    private let stopped = DispatchSemaphore(value: 0)

    init(_ keys: [String], in suite: SettingsSuite) {
        count = keys.count
        let begun = DispatchSemaphore(value: 0)
        for key in keys {
            Thread.detachNewThread { [self] in
                suite.set(0, forKey: key)
                begun.signal()
                while !isOver.load(ordering: .relaxed) { suite.set(0, forKey: key) }
                stopped.signal()
            }
        }
        Thread.detachNewThread { while true { try? suite.synchronize() } }
        for _ in keys { begun.wait() }
    }

    /// Returns when no thread sets a key any more.
    func stop() {
        isOver.store(true, ordering: .relaxed)
        for _ in 0..<count { stopped.wait() }
    }
}
