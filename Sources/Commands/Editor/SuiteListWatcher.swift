import Dispatch
import SettingsEditor
import SettingsStore
import Synchronization

/// Tells the editor about changes to the list of suites.
///
/// Programs can create and delete suites at any time. After each notification, the watcher lists the suites
/// of the folder or cluster again, with their stored versions and the state of the connection. It waits
/// briefly before each look, because files often change in bursts. Without it, a new suite would appear only
/// after a restart.
final class SuiteListWatcher: Sendable {
    private let place: any SuiteBackend
    /// The id of the place in the editor.
    private let id: String
    /// The suite that the editor was opened on. It is shown even if the place does not allow to list its suites.
    private let asked: String?
    private let mailbox: Mailbox<StoreEvent>
    /// Runs all looks in order.
    private let queue = DispatchQueue(label: "SuiteListWatcher")
    private let watch = SettingsStore.Mutex<[StorageWatch]>([])
    /// Whether a look is scheduled.
    private let isDue = Atomic(false)
    /// Whether the place was there once. Until then, a missing folder means that there are no settings yet.
    private let wasThere = Atomic(false)
    /// The versions of suites that were read, and why some cannot be read.
    private let checked = SettingsStore.Mutex<[SuiteName: (version: SuiteVersion, problem: String?)]>([:])

    /// The size of the largest file that is read only to find out whether it can be read, in bytes.
    private static let largestCheck = 1 << 24

    /// The pause before a look, in seconds. Files change in bursts, and each look reads all of them.
    private static let pause = 0.02
    /// The pause before the first look at all files, in seconds. The first screen is drawn before that.
    private static let firstPause = 0.3

    init(_ place: any SuiteBackend, _ id: String, asked: String?, _ mailbox: Mailbox<StoreEvent>) {
        self.place = place
        self.id = id
        self.asked = asked
        self.mailbox = mailbox
    }

    /// Starts to watch, for as long as this object exists.
    ///
    /// - Parameter isListed: Whether the suites were listed just now.
    func begin(isListed: Bool = false) {
        let watch = place.watchAllLayers { [weak self] in self?.lookSoon() }
        self.watch.withLock { $0 = watch }
        look(after: isListed ? Self.firstPause : Self.pause)
    }

    /// Lists the suites before it returns, without their versions.
    func lookNow() { queue.sync { look(hasVersions: false) } }

    private func lookSoon() {
        if !isDue.exchange(true, ordering: .relaxed) { look(after: Self.pause) }
    }

    private func look(after pause: Double) {
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self else { return }
            // This is reset before the look, because a change during the look needs another one.
            isDue.store(false, ordering: .sequentiallyConsistent)
            look(hasVersions: true)
        }
    }

    private func look(hasVersions: Bool) {
        // The connection comes first, because a failed list does not report its state.
        let connection = place.connection()
        if let connection { mailbox.put(.connection(connection, in: id)) }
        let listing = listing(hasVersions: hasVersions)
        mailbox.put(listing)
        mailbox.put(.rights(place.readOnlyReason(), in: id))
        if hasVersions, case .listed(let suites, _) = listing, check(suites) {
            mailbox.put(.listed(marked(suites), in: id))
        }
        // Another server might have answered.
        if connection != nil, let now = place.connection(), now != connection {
            mailbox.put(.connection(now, in: id))
        }
    }

    /// Lists the current suites.
    private func listing(hasVersions: Bool) -> StoreEvent {
        do {
            if case .lost(let reason)? = place.connection()?.state { return .listingFailed(reason, in: id) }
            let isThere = try place.isThere()
            if !isThere, wasThere.load(ordering: .relaxed) {
                return .listingFailed("The folder \(place.location) is gone.", in: id)
            }
            if isThere { wasThere.store(true, ordering: .relaxed) }
            let names = try place.suiteNamesOfAllLayers()
            let versions = hasVersions ? place.versions(of: names) : [:]
            // Names can be equal as text and differ in their bytes, such as é in one or two scalars. The editor
            // shows the first one.
            var ids: Set<String> = []
            let suites = names.filter { ids.insert($0.rawValue).inserted }.map {
                SuiteListing(id: $0.rawValue, title: $0.shown, version: versions[$0])
            }
            // A relocatable schema exists at every path, and is listed only at those that a setting names.
            let isUnlisted = place.kind == .desktop && asked.map { !ids.contains($0) } == true
            let own = isUnlisted ? asked.map { [SuiteListing(id: $0, title: $0)] } : nil
            return .listed(marked(suites) + (own ?? []), in: id)
        } catch {
            if let asked { return .listed([SuiteListing(id: asked, title: asked)], in: id) }
            return .listingFailed("\(error)", in: id)
        }
    }

    /// Reads the suites that have changed since the previous call, so that an unreadable one has its sign before it is
    /// selected. Returns whether anything is known now that was not known before.
    private func check(_ suites: [SuiteListing]) -> Bool {
        guard place.kind == .files else { return false }
        var hasNews = false
        for suite in suites {
            guard let name = try? SuiteName(suite.id), let version = suite.version,
                version.size <= Self.largestCheck
            else { continue }
            let known = checked.withLock { $0[name] }
            if known?.version == version { continue }
            var problem: String?
            var storage = place.storage(of: name)
            do throws(SettingsError) {
                _ = try storage.read()
            } catch {
                problem = error.reason
            }
            if problem != known?.problem { hasNews = true }
            checked.withLock { [problem] in $0[name] = (version, problem) }
        }
        return hasNews
    }

    /// The suites with what is known about their readability.
    private func marked(_ suites: [SuiteListing]) -> [SuiteListing] {
        let checked = checked.withLock { $0 }
        return suites.map { suite in
            var suite = suite
            if let name = try? SuiteName(suite.id), let known = checked[name], known.version == suite.version
            {
                suite.unreadable = known.problem
            }
            return suite
        }
    }
}
