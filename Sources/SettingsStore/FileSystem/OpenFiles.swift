import Glibc

/// The descriptors that the store has open for a short time.
///
/// A folder stays locked as long as any process has the descriptor (flock(2)), so a forked child closes its copies.
final class OpenFiles: Sendable {
    static let shared = OpenFiles()

    private let descriptors = Mutex<Set<Int32>>([]) { OpenFiles.close(&$0) }

    static func close(_ descriptors: inout Set<Int32>) {
        for descriptor in descriptors { _ = Glibc.close(descriptor) }
        descriptors = []
    }

    /// Notes a descriptor.
    ///
    /// - Parameter forks: ``ForkHandlers/count`` before the descriptor was opened.
    /// - Returns: False if a forked child may have the descriptor without knowing of it.
    func insert(_ descriptor: Int32, openedAfter forks: Int) -> Bool {
        descriptors.withLock { descriptors in
            descriptors.insert(descriptor)
            return ForkHandlers.count.load(ordering: .relaxed) == forks
        }
    }

    func remove(_ descriptor: Int32) { _ = descriptors.withLock { $0.remove(descriptor) } }

    /// Closes in a forked child what its parent had open.
    func closeInherited() { descriptors.withLock { _ in } }
}
