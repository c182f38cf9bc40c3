import Glibc

/// Runs the body at the exit of this process (on_exit(3)), and not at the exit of a child of fork(2).
///
/// A child has copies of the locks that threads of its parent held, but not these threads, so it would wait for them
/// forever. It would also store what its parent stores.
package func atExit(_ body: @escaping @Sendable () -> Void) {
    let handler = ExitHandler(process: getpid(), body: body)
    on_exit(
        { _, handler in
            guard let handler else { return }
            Unmanaged<ExitHandler>.fromOpaque(handler).takeUnretainedValue().run()
        },
        Unmanaged.passRetained(handler).toOpaque()
    )
}

private final class ExitHandler: Sendable {
    private let process: pid_t
    private let body: @Sendable () -> Void

    init(process: pid_t, body: @escaping @Sendable () -> Void) {
        self.process = process
        self.body = body
    }

    func run() { if process == getpid() { body() } }
}
