import Dispatch
import Foundation

/// The main thread, and the queue that stands in for it once `dispatchMain()` has ended it.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether code that belongs to the main actor may be called right here.
    static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
    }

    static func run(_ work: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: work) }
}
