import Glibc
import SettingsEditor
import Synchronization

/// What other threads have to tell a thread that polls: they put messages in, and a descriptor becomes
/// readable.
final class Mailbox<Message: Sendable>: Sendable {
    /// To be polled.
    let descriptor: Int32
    private let bell: Int32
    private let messages = Mutex<[Message]>([])

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CommandError("No pipe could be made: \(lastSystemError())") }
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

    func put(_ message: Message) { put { $0.append(message) } }

    private func put(_ add: (inout [Message]) -> Void) {
        let isFirst = messages.withLock { messages in
            let wasEmpty = messages.isEmpty
            add(&messages)
            return wasEmpty
        }
        if isFirst { _ = withUnsafeBytes(of: UInt8(0)) { write(bell, $0.baseAddress, 1) } }
    }

    /// All messages, in the order in which they were put in.
    func take() -> [Message] {
        var rings: UInt64 = 0
        while withUnsafeMutableBytes(of: &rings, { read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

extension Mailbox<EditorAction> {
    /// Changes of one suite that follow each other are taken together.
    func put(_ action: EditorAction) {
        put { actions in
            if case .changed(let suite, let more, let moreRead) = action,
                case .changed(suite, var changes, var read)? = actions.last
            {
                // Once out of the list it is the only copy, and grows in place.
                actions.removeLast()
                changes += more
                read.merge(moreRead) { $1 }
                actions.append(.changed(suite, changes, read))
            } else {
                actions.append(action)
            }
        }
    }
}
