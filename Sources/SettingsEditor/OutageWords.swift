import SettingsStore

// What is said of writes for as long as a cluster, or somebody else who makes a suite, keeps them waiting, and when that
// is over.
extension EditorState {
    private static let waitingText =
        "Not stored yet, as far as is known: the cluster is out of reach. It goes on when that answers."

    /// Says that something is still to be stored, since the cluster can't be reached any more.
    mutating func tellOfWaiting() {
        guard connection?.isLost == true, input == nil, suites.contains(where: { !$0.inFlight.isEmpty })
        else {
            return
        }
        say(Self.waitingText, isProblem: true)
    }

    /// Says that no longer than it is.
    mutating func endWaiting() {
        guard message?.text == Self.waitingText, suites.allSatisfy(\.inFlight.isEmpty) else { return }
        say("Stored: the cluster answers again.")
    }

    /// Says that an outage is over for which something was not written, in place of what was said of that.
    mutating func endOutage() {
        guard let old = outageNotice else { return }
        outageNotice = nil
        guard notice == old else { return }
        let text = "Not written, since the cluster was out of reach. It answers again."
        note(text)
    }

    /// Says what has become of a suite that somebody else made, in place of what was said of that.
    mutating func endMaking(of suite: SuiteModel, behind old: SuiteStatus.Content?) {
        guard let (id, failure, former) = makingNotice, suite.id == id else { return }
        // What is told late may be older.
        if let old { guard case .unfinished = old else { return } }
        let text: String
        switch suite.status?.content {
        case .stored?: text = "\(failure): by now “\(suite.title)” is there, made by somebody else."
        case .absent?:
            text =
                "\(failure), since somebody else was making “\(suite.title)”, of which nothing is there any more."
        default: return
        }
        makingNotice = nil
        if notice == former { note(text) }
    }
}
