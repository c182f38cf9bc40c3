import SettingsStore

// Messages about writes that have to wait for the cluster. Each message is replaced when its cause is over, so that the
// screen never claims an outage that has ended.
extension StatusLine {
    private static let waitingText =
        "Not stored yet: the cluster is unreachable. Your change is stored when it answers."

    /// Reports that a write waits because the cluster is unreachable.
    mutating func tellOfWaiting() { say(Self.waitingText, isProblem: true) }

    /// Replaces that message after all writes were stored.
    mutating func endWaiting() {
        if message?.text == Self.waitingText { say("Stored: the cluster answers again.") }
    }

    /// The text that replaces the message about an outage that is over; nil if no such message is shown.
    mutating func endOutage(shown notice: Notice?) -> String? {
        guard let old = outageNotice else { return nil }
        outageNotice = nil
        guard notice == old else { return nil }
        return "Not written: the cluster was unreachable. It answers again, so repeat your change."
    }
}

extension SuiteList {
    /// Whether a write cannot be stored because the connection is lost.
    var waitsForConnection: Bool { places.contains { $0.connection?.isLost == true } && isWriting }

    /// Whether a write is in flight.
    var isWriting: Bool { suites.contains { !$0.inFlight.isEmpty } }
}
