import Glibc

/// Waits until a condition holds. Returns false after the limit, which is far longer than necessary unless something is
/// wrong.
public func eventually(
    within limit: Duration = .seconds(600),
    _ condition: () throws -> Bool
) rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try condition() { return true }
        if ContinuousClock.now > deadline { return false }
        usleep(500)
    }
}
