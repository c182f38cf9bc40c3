import Dispatch
import Foundation
import Glibc
import Synchronization

/// The main thread, and the queue that stands in for it once `dispatchMain()` has ended it.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The main thread (pthread_self(3)), once it has asked; 0 before. No other thread gets its name, even
    /// when it has ended.
    private static let mainThread = Atomic<UInt>(0)

    /// Whether code that belongs to the main actor may be called right here.
    static var isCurrent: Bool { isMainThread || DispatchQueue.getSpecific(key: mark) == true }

    /// As Foundation says it, which makes two system calls to find out.
    private static var isMainThread: Bool {
        let thread = pthread_self()
        let known = mainThread.load(ordering: .relaxed)
        if known != 0 { return thread == known }
        guard Thread.isMainThread else { return false }
        mainThread.store(thread, ordering: .relaxed)
        return true
    }

    static func run(_ work: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: work) }
}
