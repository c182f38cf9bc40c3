import SettingsStore
import TerminalCanvas

/// A suite in the list.
public struct SuiteListing: Sendable, Hashable {
    /// A unique id. The name, for suites in a folder.
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

    /// Takes over the list of suites.
    mutating func take(_ listings: [SuiteListing], now: Double, _ glyphs: Glyphs) -> News {
        let isFirst = listing != .listed
        listing = .listed
        let known = suites
        let selectedID = suite?.id
        let height = (shown.firstIndex(of: selected) ?? 0) - top
        let unreadable = unreadable(listings)
        let changed = merge(listings)
        selected = selectedID.flatMap { index(of: $0) } ?? 0
        widestTitle = suites.reduce(0) { widest, suite in
            // A character has at least as many bytes as columns, except for escaped ones.
            suite.title.utf8.count <= widest
                ? widest : max(widest, displayWidth(of: suite.title.tellingSpaces, glyphs: glyphs))
        }
        if isFirst { return News(unreadable: unreadable) }
        if known.map(\.id) != suites.map(\.id), let place = shown.firstIndex(of: selected) {
            top = max(0, place - height)
            held = suite?.id
        }
        let listed = Set(listings.map(\.id))
        let former = known.filter { $0.presence == .listed && !$0.beginsAnew && !$0.isRemovedHere }
        for listing in changed {
            if let index = index(of: listing.id) { suites[index].highlights.addSuite(now: now) }
        }
        return News(
            come: listed.subtracting(known.map(\.id)).sorted(),
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

    /// Puts the listed suites in place of the known ones. Returns those that another process has changed.
    private mutating func merge(_ listings: [SuiteListing]) -> [SuiteListing] {
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
            if suite.contents == .unknown, listing.status == nil {
                suite.status = listing.unreadable.map { SuiteStatus(content: .unreadable($0)) }
            }
            if suite.status?.content == .stored { suite.noLongerBeginsAnew() }
            if suite.take(listing.version) { changed.append(listing) }
            new.append(suite)
        }
        // Suites that are gone are dropped later, unless they are in use.
        for (place, suite) in suites.enumerated() where old[suite.id] != nil {
            var suite = suite
            if suite.beginsAnew {
                suite.presence = .new
            } else if suite.presence == .listed {
                suite.presence = .gone
            }
            new.insert(suite, at: min(place, new.count))
        }
        suites = new
        return changed
    }
}

extension StatusLine {
    /// Reports which suites came, went and changed, unless another message is shown.
    fileprivate mutating func tell(of news: SuiteList.News, now: Double) {
        guard message == nil || message == toldOfSuites else { return }
        let parts = [
            ("New suites", news.come), ("Suites deleted", news.gone),
            ("Changed by other programs", news.changed.map(\.title)),
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
    mutating func list(_ listings: [SuiteListing]) -> [Effect] {
        if case .failed(let reason) = suiteList.listing, statusLine.message?.text == reason {
            statusLine.message = nil
        }
        let news = suiteList.take(listings, now: clock.now, options.glyphs)
        history.record(.come, of: news.come, at: clock.date)
        history.record(.gone, of: news.gone, at: clock.date)
        history.record(.changed, of: news.changed.map(\.id), at: clock.date)
        for (id, reason) in news.unreadable {
            history.record(.unreadable(reason), after: nil, of: id, at: clock.date)
        }
        if modal == nil { statusLine.tell(of: news, now: clock.now) }
        return suiteList.load(news.changed)
    }
}
