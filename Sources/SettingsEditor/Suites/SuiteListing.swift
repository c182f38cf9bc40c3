import SettingsStore
import TerminalCanvas

/// A suite in the list.
public struct SuiteListing: Sendable, Hashable {
    /// The name in the place. The id in a ``SuiteList`` comes from it (``Place/suiteID(_:)``).
    public var id: String
    public var title: String
    /// Nil if it is not known yet.
    public var status: SuiteStatus?
    /// Nil if it is not known.
    public var version: SuiteVersion?
    /// Why this version cannot be read; nil if it can, or if that is not known. Counts only until the suite is opened,
    /// because an open suite reports its own status.
    public var unreadable: String?

    public init(
        id: String,
        title: String,
        status: SuiteStatus? = nil,
        version: SuiteVersion? = nil,
        unreadable: String? = nil
    ) {
        self.id = id
        self.title = title
        self.status = status
        self.version = version
        self.unreadable = unreadable
    }
}

// The list of suites. Suites that are not open are compared by version, so that foreign changes to them are noticed.
extension SuiteList {
    /// The suites that other processes created, removed or changed since the previous list.
    struct News {
        var come: [String] = []
        var gone: [String] = []
        var changed: [SuiteListing] = []
        /// The suites that were not opened and are found to be unreadable, with the reasons.
        var unreadable: [(id: String, reason: String)] = []
    }

    /// Takes over the list of suites of a place.
    mutating func take(_ listings: [SuiteListing], in place: Int, now: Double, _ glyphs: Glyphs) -> News {
        let isFirst = places[place].listing != .listed
        places[place].listing = .listed
        let listings = listings.map { listing in
            var listing = listing
            listing.id = places[place].suiteID(listing.id)
            return listing
        }
        let range = range(of: place)
        let known = Array(suites[range])
        let selectedID = suites.indices.contains(selected) ? suites[selected].id : nil
        let height = selectedRow(of: rows) - top
        let unreadable = unreadable(listings)
        let (merged, others) = merged(listings, with: known, in: places[place])
        // The editor changes its own preferences when it opens a place.
        let own = places[place].preferencesSuite.map(places[place].suiteID)
        let changed = others.filter { $0.id != own }
        keepingHead { list in
            list.suites.replaceSubrange(range, with: merged)
            list.selected = selectedID.flatMap { list.index(of: $0) } ?? 0
        }
        tellApart()
        let titles = suites.map(\.label) + (hasHeads ? places.map(\.title) : [])
        widestTitle = titles.reduce(0) { widest, title in
            // A character has at least as many bytes as columns, except for escaped ones.
            title.utf8.count <= widest
                ? widest : max(widest, displayWidth(of: title.tellingSpaces, glyphs: glyphs))
        }
        if isFirst { return News(unreadable: unreadable) }
        if known.map(\.id) != merged.map(\.id) {
            top = max(0, selectedRow(of: rows) - height)
            held = suite?.id
        }
        let listed = Set(listings.map(\.id))
        let former = known.filter { $0.presence == .listed && !$0.beginsAnew && !$0.isRemovedHere }
        for listing in changed {
            if let index = index(of: listing.id) { suites[index].highlights.addSuite(now: now) }
        }
        return News(
            come: listed.subtracting(known.map(\.id)).filter { $0 != own }.sorted(),
            gone: Set(former.map(\.id)).subtracting(listed).sorted(),
            changed: changed,
            unreadable: unreadable
        )
    }

    /// The listed suites that are not open, cannot be read, and were not known for this reason.
    private func unreadable(_ listings: [SuiteListing]) -> [(id: String, reason: String)] {
        listings.compactMap { listing in
            guard let reason = listing.unreadable else { return nil }
            let suite = index(of: listing.id).map { suites[$0] }
            let isNews = suite.map { $0.contents == .unknown && $0.status?.content != .unreadable(reason) }
            return isNews == false ? nil : (listing.id, reason)
        }
    }

    /// The listed suites of a place with what is known of them, and those that another process has changed.
    private func merged(
        _ listings: [SuiteListing],
        with known: [SuiteModel],
        in place: Place
    ) -> (suites: [SuiteModel], changed: [SuiteListing]) {
        var old = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        var new: [SuiteModel] = []
        var changed: [SuiteListing] = []
        for listing in listings {
            var suite =
                old.removeValue(forKey: listing.id)
                ?? SuiteModel(
                    id: listing.id,
                    place.name(ofSuite: listing.id) ?? listing.title,
                    in: place.id,
                    secrets: secretsOfGone[listing.id] ?? Secrets()
                )
            suite.label = listing.title
            suite.presence = .listed
            suite.status = listing.status ?? suite.status
            if suite.contents == .unknown, listing.status == nil {
                suite.status = listing.unreadable.map { SuiteStatus(content: .unreadable($0)) }
            }
            if suite.status?.content == .stored { suite.noLongerBeginsAnew() }
            if suite.take(listing.version) { changed.append(listing) }
            new.append(suite)
        }
        // Suites that are gone are dropped later, unless they are in use.
        for (place, suite) in known.enumerated() where old[suite.id] != nil {
            var suite = suite
            if suite.beginsAnew {
                suite.presence = .new
            } else if suite.presence == .listed {
                suite.presence = .gone
            }
            new.insert(suite, at: min(place, new.count))
        }
        return (new, changed)
    }
}

extension StatusLine {
    /// Reports which suites came, went and changed, unless another message is shown.
    fileprivate mutating func tell(of news: SuiteList.News, _ title: (String) -> String, now: Double) {
        guard message == nil || message == toldOfSuites else { return }
        let parts = [
            ("New suites", news.come.map(title)), ("Suites deleted", news.gone.map(title)),
            ("Changed by other programs", news.changed.map { title($0.id) }),
        ].filter { !$0.1.isEmpty }.map { what, names in
            "\(what): \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : "")."
        }
        if parts.isEmpty { return }
        message = StatusMessage(text: parts.joined(separator: " "), until: now + ChangeHighlights.lifetime)
        toldOfSuites = message
    }
}

extension EditorState {
    /// Takes over the list of suites, and reports what has changed in it.
    mutating func list(_ listings: [SuiteListing], in place: Int) -> [Effect] {
        if case .failed(let reason) = suiteList.places[place].listing, statusLine.message?.text == reason {
            statusLine.message = nil
        }
        let news = suiteList.take(listings, in: place, now: clock.now, options.glyphs)
        history.record(.come, of: news.come, at: clock.date)
        history.record(.gone, of: news.gone, at: clock.date)
        history.record(.changed, of: news.changed.map(\.id), at: clock.date)
        for (id, reason) in news.unreadable {
            history.record(.unreadable(reason), after: nil, of: id, at: clock.date)
        }
        if modal == nil {
            let title = { [suiteList] (id: String) in
                suiteList.index(of: id).map { suiteList.suites[$0].title } ?? id
            }
            statusLine.tell(of: news, title, now: clock.now)
        }
        // A file is read, because the user named it. A suite with changes is read, so that they can be undone.
        let file = suiteList.places[place].isFile ? suiteList.suites[suiteList.range(of: place)].first : nil
        let ids = Set(
            history.undo.entries.flatMap { $0.transaction.parts.map(\.suite) } + [file?.id].compactMap(\.self)
        )
        return suiteList.load(news.changed) + ids.sorted().flatMap { suiteList.load($0) }
    }
}
