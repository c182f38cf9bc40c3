import SettingsStore

// Messages about writes that have to wait for the cluster or for another process that creates the suite. Each message
// is replaced when its cause is over, so that the screen never claims an outage that has ended.
extension EditorState {
    private static let waitingText =
        "Not stored yet: the cluster is unreachable. Your change is stored when it answers."

    /// Reports that a write waits because the cluster is unreachable.
    mutating func tellOfWaiting() {
        guard suiteList.connection?.isLost == true, modal == nil,
            suiteList.suites.contains(where: { !$0.inFlight.isEmpty })
        else {
            return
        }
        say(Self.waitingText, isProblem: true)
    }

    /// Replaces that message when all writes are stored.
    mutating func endWaiting() {
        guard statusLine.message?.text == Self.waitingText, suiteList.suites.allSatisfy(\.inFlight.isEmpty)
        else { return }
        say("Stored: the cluster answers again.")
    }

    /// Replaces the message about an outage when it is over.
    mutating func endOutage() {
        guard let old = statusLine.outageNotice else { return }
        statusLine.outageNotice = nil
        guard notice == old else { return }
        let text = "Not written: the cluster was unreachable. It answers again, so repeat your change."
        note(text)
    }

    /// Replaces the message about a suite that another process was creating when it is done.
    mutating func endMaking(of suite: SuiteModel, behind old: SuiteStatus.Content?) {
        guard let (id, failure, former) = statusLine.makingNotice, suite.id == id else { return }
        // Status events can arrive out of order.
        if let old { guard case .unfinished = old else { return } }
        let text: String
        switch suite.status?.content {
        case .stored?: text = "\(failure): another program created “\(suite.title)”."
        case .absent?:
            text =
                "\(failure): another program began to create “\(suite.title)” and stopped. Try again."
        default: return
        }
        statusLine.makingNotice = nil
        if notice == former { note(text) }
    }
}
