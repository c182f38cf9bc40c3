// GSettings objects deliver their signals to the main loop of the thread that made them, and are made for one thread. A
// program that uses suites may have no main loop, or one of its own. So all calls to GLib run on one thread of this
// module, which also runs the main loop. Each call is a turn: no signal and no other call comes in between.

#if GSettings
import CGio
import Dispatch
import SettingsStore

/// The thread that calls GLib.
enum GLibThread {
    /// Unchecked: GLib's main contexts are made for several threads.
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private static let context: Context = {
        let context = Context(pointer: g_main_context_new())
        let hasStarted = startThread("GSettings") {
            g_main_context_push_thread_default(context.pointer)
            g_main_loop_run(g_main_loop_new(context.pointer, 0))
        }
        precondition(hasStarted, "The system has no thread for GSettings.")
        return context
    }()

    /// Unchecked: the calling thread waits while the other one runs the body.
    private final class Turn: @unchecked Sendable {
        let body: () -> Void
        let end = DispatchSemaphore(value: 0)

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs the body on the thread, and waits for it.
    static func run<Success, Failure: Error>(
        _ body: @escaping () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        var result: Result<Success, Failure>?
        let turn = Turn { result = Result(catching: body) }
        let run: @convention(c) (UnsafeMutableRawPointer?) -> gboolean = { turn in
            guard let turn else { return 0 }
            let call = Unmanaged<Turn>.fromOpaque(turn).takeRetainedValue()
            call.body()
            call.end.signal()
            // Not once more.
            return 0
        }
        g_main_context_invoke(context.pointer, run, Unmanaged.passRetained(turn).toOpaque())
        turn.end.wait()
        guard let result else { preconditionFailure("The turn ended without a result.") }
        return try result.get()
    }
}

/// The strings of a list that GLib has made, which is released.
func strings(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
    guard let list else { return [] }
    defer { g_strfreev(list) }
    return sequence(state: list) { next in
        defer { next += 1 }
        return next.pointee.map { String(cString: $0) }
    }.map(\.self)
}
#endif
