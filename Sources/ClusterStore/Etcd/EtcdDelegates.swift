// AsyncHTTPClient reports each response in parts to a delegate. These two delegates collect a whole answer, and cut
// a stream into lines. The library's own collecting call hides whether a request had left this machine before it
// failed, and a write must know that.

#if Cluster
import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import SettingsStore

/// A complete HTTP answer.
struct Answer: Sendable {
    var status = 0
    var body = Data()
}

/// Collects an answer, and records whether the request left this machine.
final class AnswerDelegate: HTTPClientResponseDelegate {
    private struct State {
        var answer = Answer()
        var wasSent = false
    }

    private let state = Mutex(State())
    private let sizeLimit: Int

    /// - Parameter sizeLimit: The request fails if the answer's body has more bytes.
    init(sizeLimit: Int) { self.sizeLimit = sizeLimit }

    /// Whether the server may have received the request.
    var wasSent: Bool { state.withLock(\.wasSent) }

    func didSendRequestHead(task: HTTPClient.Task<Answer>, _ head: HTTPRequestHead) {
        state.withLock { $0.wasSent = true }
    }

    func didReceiveHead(task: HTTPClient.Task<Answer>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        state.withLock { $0.answer.status = Int(head.status.code) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Answer>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let isTooLong = state.withLock { state in
            state.answer.body.append(contentsOf: buffer.readableBytesView)
            return state.answer.body.count > sizeLimit
        }
        if isTooLong { return task.eventLoop.makeFailedFuture(HTTPClientError.bodyLengthMismatch) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Answer>) throws -> Answer { state.withLock(\.answer) }
}

/// Cuts a stream into lines.
final class LineDelegate: HTTPClientResponseDelegate {
    private let receive: @Sendable (Data) -> Void
    /// The bytes after the last complete line.
    private let incompleteLine = Mutex(Data())

    init(_ receive: @escaping @Sendable (Data) -> Void) { self.receive = receive }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let lines = incompleteLine.withLock { incompleteLine in
            // A long line arrives in many parts, and each part is searched once. `readableBytesView` would cost
            // about a hundred instructions for each byte.
            buffer.withUnsafeReadableBytes { new in
                var lines: [Data] = []
                var start = 0
                while let end = new[start...].firstIndex(of: UInt8(ascii: "\n")) {
                    incompleteLine.append(contentsOf: UnsafeRawBufferPointer(rebasing: new[start..<end]))
                    if !incompleteLine.isEmpty { lines.append(incompleteLine) }
                    incompleteLine = Data()
                    start = end + 1
                }
                incompleteLine.append(contentsOf: UnsafeRawBufferPointer(rebasing: new[start...]))
                return lines
            }
        }
        for line in lines { receive(line) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws {}
}
#endif
