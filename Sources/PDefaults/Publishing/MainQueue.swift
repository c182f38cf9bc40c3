import Dispatch
import Foundation
import Glibc
import Synchronization

/// The main thread, and the main dispatch queue after `dispatchMain()` has ended that thread.
///
/// Problem: each set asks whether it runs where code of the main actor may be called, and Foundation makes two system
/// calls to answer. Approach: remember the main thread's identifier after the first answer, and mark the main queue for
/// the time after `dispatchMain()`. Without it, each set with a subscription would make these system calls.
enum MainQueue {
    /// Dispatch locks what a key stands for. Only newer versions of the module declare keys as Sendable.
    private struct Mark: @unchecked Sendable { let key = DispatchSpecificKey<Bool>() }

    private static let mark: Mark = {
        let mark = Mark()
        DispatchQueue.main.setSpecific(key: mark.key, value: true)
        return mark
    }()

    /// The main thread's identifier (pthread_self(3)); 0 until the main thread has asked. No other thread gets the same
    /// identifier, even after the main thread has ended.
    private static let mainThread = Atomic<UInt>(0)

    /// Whether the caller may call code of the main actor.
    static var isCurrent: Bool { isMainThread || DispatchQueue.getSpecific(key: mark.key) == true }

    private static var isMainThread: Bool {
        let thread = pthread_self()
        let known = mainThread.load(ordering: .relaxed)
        if known != 0 { return thread == known }
        guard Thread.isMainThread else { return false }
        mainThread.store(thread, ordering: .relaxed)
        return true
    }

    /// Runs work soon. If the queue runs nothing for five seconds, the handler of errors is told so, once in a process.
    static func run(for property: AnyProperty, _ work: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async {
            began.add(1, ordering: .relaxed)
            work()
        }
        let mayCheck = isWatched.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
        guard mayCheck else { return }
        let before = began.load(ordering: .relaxed)
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
            if began.load(ordering: .relaxed) == before {
                PDefaultsConfiguration.report(
                    PDefaultsError(
                        key: property.declaredAddress?.key,
                        location: property.declaredAddress?.suite.location ?? "memory",
                        problem: .waitsForMainQueue,
                        reason: PDefaultsError.reasonOfWaiting
                    )
                )
            } else {
                isWatched.store(false, ordering: .relaxed)
            }
        }
    }

    /// How often the main queue has begun to run work.
    private static let began = Atomic(0)
    /// Whether a check is on its way, or has found that the main queue does not run.
    private static let isWatched = Atomic(false)
    /// Seconds.
    private static let patience = 5.0
}
