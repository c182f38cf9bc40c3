#if Cluster
import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import SettingsStore

/// A whole answer.
struct Answer: Sendable {
    var status = 0
    var body = Data()
}

/// Takes an answer, and knows whether the request left this machine.
final class AnswerDelegate: HTTPClientResponseDelegate {
    private struct State {
        var answer = Answer()
        var wasSent = false
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Whether the server may have got the request.
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
            return state.answer.body.count > limit
        }
        if isTooLong { return task.eventLoop.makeFailedFuture(HTTPClientError.bodyLengthMismatch) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Answer>) throws -> Answer { state.withLock(\.answer) }
}

/// Takes a stream line by line.
final class LineDelegate: HTTPClientResponseDelegate {
    private let receive: @Sendable (Data) -> Void
    /// The line that has not ended yet.
    private let rest = Mutex(Data())

    init(_ receive: @escaping @Sendable (Data) -> Void) { self.receive = receive }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let lines = rest.withLock { rest in
            // A long line comes in many parts, each of which is looked at once; a buffer's own view of its
            // bytes takes a hundred instructions for each.
            buffer.withUnsafeReadableBytes { new in
                var lines: [Data] = []
                var start = 0
                while let end = new[start...].firstIndex(of: UInt8(ascii: "\n")) {
                    rest.append(contentsOf: UnsafeRawBufferPointer(rebasing: new[start..<end]))
                    if !rest.isEmpty { lines.append(rest) }
                    rest = Data()
                    start = end + 1
                }
                rest.append(contentsOf: UnsafeRawBufferPointer(rebasing: new[start...]))
                return lines
            }
        }
        for line in lines { receive(line) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws {}
}
#endif
