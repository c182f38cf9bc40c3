/// The longest time that a test waits for a condition.
///
/// A working run never needs it. It is so long because a busy machine can pause a process for many seconds.
public let waitLimit: Duration = .seconds(120)
