import Glibc
import SettingsEditor
import Synchronization

/// Passes messages from other threads to a thread that polls descriptors.
///
/// A thread in poll(2) does not notice a condition variable. So the first message also makes a pipe readable.
final class Mailbox<Element: Sendable>: Sendable {
    /// The descriptor to poll. It is readable if there are messages.
    let descriptor: Int32
    private let bell: Int32
    private let messages = Mutex<[Element]>([])

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CommandError("Could not create a pipe: \(lastSystemError())") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, bell) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(bell)
    }

    func put(_ message: Element) { put { $0.append(message) } }

    private func put(_ add: (inout [Element]) -> Void) {
        let isFirst = messages.withLock { messages in
            let wasEmpty = messages.isEmpty
            add(&messages)
            return wasEmpty
        }
        if isFirst { _ = withUnsafeBytes(of: UInt8(0)) { write(bell, $0.baseAddress, 1) } }
    }

    /// Takes all messages, in the order in which they were put in.
    func take() -> [Element] {
        var rings: UInt64 = 0
        while withUnsafeMutableBytes(of: &rings, { read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

extension Mailbox<StoreEvent> {
    /// Adds an event. Consecutive changes of one suite are combined.
    func put(_ event: StoreEvent) {
        put { events in
            if case .changed(let suite, let more, let moreRead) = event,
                case .changed(suite, var changes, var read)? = events.last
            {
                // The removed element is the only reference to its array, so the array grows in place.
                events.removeLast()
                changes += more
                read.merge(moreRead) { $1 }
                events.append(.changed(suite, changes, read))
            } else {
                events.append(event)
            }
        }
    }
}
