import Dispatch

/// Runs the body on another thread and returns whether it returned within ``waitLimit``.
///
/// A body that hangs blocks only its own thread, so the test fails and the run goes on.
public func returns(_ body: @escaping @Sendable () throws -> Void) -> Bool {
    let returned = DispatchSemaphore(value: 0)
    DispatchQueue(label: "returns").async {
        try? body()
        returned.signal()
    }
    return returned.wait(timeout: .now() + .seconds(Int(waitLimit.components.seconds))) == .success
}
