import Dispatch

/// Runs the body on another thread and returns whether it returned within the limit.
///
/// A body that hangs blocks only its own thread, so the test fails and the run goes on.
///
/// - Parameter limit: The limit in seconds. A working body never needs that long.
public func returns(within limit: Double = 120, _ body: @escaping @Sendable () throws -> Void) -> Bool {
    let returned = DispatchSemaphore(value: 0)
    DispatchQueue(label: "returns").async {
        try? body()
        returned.signal()
    }
    return returned.wait(timeout: .now() + limit) == .success
}
