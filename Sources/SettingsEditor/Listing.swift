import SettingsStore
import TerminalCanvas

// Which suites there are, and which of those that nobody has looked at others change.
extension EditorState {
    mutating func list(_ listings: [SuiteListing]) -> [EditorEffect] {
        let isFirst = listing != .listed
        if case .failed(let reason) = listing, message?.text == reason { message = nil }
        listing = .listed
        let known = suites
        let selected = suite?.id
        var old = Dictionary(suites.map { ($0.id, $0) }) { first, _ in first }
        var new: [SuiteModel] = []
        var changed: [SuiteListing] = []
        for listing in listings {
            var suite =
                old.removeValue(forKey: listing.id)
                ?? SuiteModel(
                    id: listing.id,
                    title: listing.title,
                    secrets: secretsOfGone[listing.id] ?? Secrets()
                )
            suite.title = listing.title
            suite.presence = .listed
            suite.status = listing.status ?? suite.status
            // It was replaced and not deleted. What can't be read says nothing of that.
            if suite.status?.content == .stored {
                suite.forgetLost()
                suite.beginsAnew = false
            }
            if suite.take(listing.version) { changed.append(listing) }
            new.append(suite)
        }
        // What is no longer there is dropped later, unless something is being done with it.
        for (place, suite) in suites.enumerated() where old[suite.id] != nil {
            var suite = suite
            if suite.beginsAnew {
                suite.presence = .new
            } else if suite.presence == .listed {
                suite.presence = .gone
                suite.lose(suite.lastValues(now: now))
            }
            new.insert(suite, at: min(place, new.count))
        }
        let height = (shownSuites.firstIndex(of: selectedSuite) ?? 0) - suitesTop
        suites = new
        selectedSuite = selected.flatMap(suiteIndex) ?? 0
        widestTitle = suites.reduce(0) { widest, suite in
            // A character has as many bytes as columns, but for what is spelled out.
            suite.title.utf8.count <= widest
                ? widest : max(widest, displayWidth(of: suite.title.tellingSpaces, glyphs: options.glyphs))
        }
        if isFirst { return [] }
        if known.map(\.id) != suites.map(\.id), let place = shownSuites.firstIndex(of: selectedSuite) {
            suitesTop = max(0, place - height)
            heldSuite = suite?.id
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
            ("New suites", come), ("Suites gone", gone), ("Changed from outside", changed.map(\.title)),
        ])
        return read(changed)
    }

    private mutating func note(_ suites: [String], _ change: Journal.SuiteChange) {
        for id in suites {
            journal.add(id, .suite(change), isOwn: false, at: date)
            if change == .changed, let index = suiteIndex(id) { self.suites[index].marks.addSuite(now: now) }
        }
    }

    /// Says which suites have come, gone and changed, unless something is being typed or there is something to
    /// read.
    private mutating func tellOfSuites(_ news: [(what: String, names: [String])]) {
        guard input == nil, message == nil || message == toldOfSuites else { return }
        let parts = news.filter { !$0.names.isEmpty }.map { what, names in
            "\(what): \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : "")."
        }
        if parts.isEmpty { return }
        message = Message(text: parts.joined(separator: " "), until: now + Marks.lifetime)
        toldOfSuites = message
    }

    /// Reads what has changed once, so that the next change can be told with its values: few suites, and small
    /// ones, since nobody has asked for them.
    private mutating func read(_ changed: [SuiteListing]) -> [EditorEffect] {
        let (count, size) = (8, 1 << 18)
        return changed.filter { $0.version.map { $0.size <= size } ?? false }.prefix(count).compactMap {
            listing in
            guard let index = suiteIndex(listing.id), suites[index].contents == .unknown else { return nil }
            suites[index].contents = .loading
            return .load(listing.id)
        }
    }
}
