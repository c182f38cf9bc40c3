import Foundation
import Glibc

/// A thread that sleeps until it is woken, at the lowest possible cost: futex(2), as semaphores use it.
///
/// Unchecked, since semaphores are made for several threads and never move.
final class Sleeper: @unchecked Sendable {
    private let work = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// Starts the thread, which runs until the process ends.
    init() {
        sem_init(work, 0, 0)
        sem_init(done, 0, 0)
        Thread.detachNewThread { [self] in
            while true {
                sem_wait(work)
                sem_post(done)
            }
        }
    }

    func wake() { sem_post(work) }

    func waitUntilItWorks() { sem_wait(done) }
}
