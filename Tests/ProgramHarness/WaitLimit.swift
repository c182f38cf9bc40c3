/// The longest time that a test waits for a condition.
///
/// A working run never needs it. It is so long because a process can get little time on a busy machine: on one core, beside
/// compilers, a small Python program once had not ended after two minutes.
public let waitLimit: Duration = .seconds(600)
