import SettingsStore
import TerminalCanvas

// The list of suites. Suites that are not open are compared by version, so that foreign changes to them are noticed.
extension EditorState {
    mutating func list(_ listings: [SuiteListing]) -> [Effect] {
        let isFirst = suiteList.listing != .listed
        if case .failed(let reason) = suiteList.listing, statusLine.message?.text == reason {
            statusLine.message = nil
        }
        suiteList.listing = .listed
        let known = suiteList.suites
        let selected = suite?.id
        var old = Dictionary(suiteList.suites.map { ($0.id, $0) }) { first, _ in first }
        var new: [SuiteModel] = []
        var changed: [SuiteListing] = []
        for listing in listings {
            var suite =
                old.removeValue(forKey: listing.id)
                ?? SuiteModel(
                    id: listing.id,
                    title: listing.title,
                    secrets: suiteList.secretsOfGone[listing.id] ?? Secrets()
                )
            suite.title = listing.title
            suite.presence = .listed
            suite.status = listing.status ?? suite.status
            // The file was replaced, not deleted. An unreadable file tells nothing.
            if suite.status?.content == .stored {
                suite.forgetLost()
                suite.beginsAnew = false
            }
            if suite.take(listing.version) { changed.append(listing) }
            new.append(suite)
        }
        // Suites that are gone are dropped later, unless they are in use.
        for (place, suite) in suiteList.suites.enumerated() where old[suite.id] != nil {
            var suite = suite
            if suite.beginsAnew {
                suite.presence = .new
            } else if suite.presence == .listed {
                suite.presence = .gone
                suite.lose(suite.lastValues(now: clock.now))
            }
            new.insert(suite, at: min(place, new.count))
        }
        let height = (shownSuites.firstIndex(of: suiteList.selected) ?? 0) - suiteList.top
        suiteList.suites = new
        suiteList.selected = selected.flatMap(suiteIndex) ?? 0
        suiteList.widestTitle = suiteList.suites.reduce(0) { widest, suite in
            // A character has at least as many bytes as columns, except for escaped ones.
            suite.title.utf8.count <= widest
                ? widest : max(widest, displayWidth(of: suite.title.tellingSpaces, glyphs: options.glyphs))
        }
        if isFirst { return [] }
        if known.map(\.id) != suiteList.suites.map(\.id),
            let place = shownSuites.firstIndex(of: suiteList.selected)
        {
            suiteList.top = max(0, place - height)
            suiteList.held = suite?.id
        }
        let now = Set(listings.map(\.id))
        let come = now.subtracting(known.map(\.id)).sorted()
        let gone = Set(
            known.filter { $0.presence == .listed && !$0.beginsAnew && !$0.isRemovedHere }.map(\.id)
        ).subtracting(now).sorted()
        note(come, .come)
        note(gone, .gone)
        note(changed.map(\.id), .changed)
        tellOfSuites([
            ("New suites", come), ("Suites deleted", gone),
            ("Changed by other programs", changed.map(\.title)),
        ])
        return suiteList.load(changed)
    }

    private mutating func note(_ suites: [String], _ change: Journal.SuiteChange) {
        for id in suites {
            history.journal.add(id, .suite(change), isOwn: false, at: clock.date)
            if change == .changed, let index = suiteIndex(id) {
                suiteList.suites[index].highlights.addSuite(now: clock.now)
            }
        }
    }

    /// Reports which suites came, went and changed, unless a modal or another message is shown.
    private mutating func tellOfSuites(_ news: [(what: String, names: [String])]) {
        guard modal == nil, statusLine.message == nil || statusLine.message == statusLine.toldOfSuites else {
            return
        }
        let parts = news.filter { !$0.names.isEmpty }.map { what, names in
            "\(what): \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : "")."
        }
        if parts.isEmpty { return }
        statusLine.message = StatusMessage(
            text: parts.joined(separator: " "),
            until: clock.now + ChangeHighlights.lifetime
        )
        statusLine.toldOfSuites = statusLine.message
    }
}
