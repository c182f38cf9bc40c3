import Dispatch
import SettingsEditor
import SettingsStore
import Synchronization

/// Tells the editor which suites a place has, which version of each is stored, and how its service is reached,
/// whenever one of them may have changed.
final class PlaceLookout: Sendable {
    private let place: any SuitePlace
    private let listsSuites: Bool
    private let mailbox: Mailbox<EditorAction>
    /// Looks take place here, so that none overtakes the one before.
    private let queue = DispatchQueue(label: "PlaceLookout")
    private let watch = Mutex<StorageWatch?>(nil)
    /// Whether somebody is on the way to look.
    private let isDue = Atomic(false)

    /// Seconds. Files change in bursts, and each look is at all of them.
    private static let pause = 0.02
    /// Likewise: a look at all the files is for later than the first screen.
    private static let firstPause = 0.3

    init(_ place: any SuitePlace, listsSuites: Bool, _ mailbox: Mailbox<EditorAction>) {
        self.place = place
        self.listsSuites = listsSuites
        self.mailbox = mailbox
    }

    /// Looks, soon and whenever there may be something new, for as long as this is held.
    ///
    /// - Parameter isListed: whether the suites have been listed just now.
    func begin(isListed: Bool = false) {
        let watch = place.watch { [weak self] in self?.lookSoon() }
        self.watch.withLock { $0 = watch }
        look(after: isListed ? Self.firstPause : Self.pause)
    }

    /// Lists the suites before it returns, without a look at each.
    func lookNow() { queue.sync { look(hasVersions: false) } }

    private func lookSoon() {
        if !isDue.exchange(true, ordering: .relaxed) { look(after: Self.pause) }
    }

    private func look(after pause: Double) {
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self else { return }
            // Before the look: what changes during it is worth another one.
            isDue.store(false, ordering: .sequentiallyConsistent)
            look(hasVersions: true)
        }
    }

    private func look(hasVersions: Bool) {
        // First: what it says, a list that fails does not say again.
        let connection = place.connection()
        if let connection { mailbox.put(.connection(connection)) }
        if listsSuites {
            mailbox.put(listing(hasVersions: hasVersions))
            mailbox.put(.rights(place.readOnlyReason()))
        }
        // Another server may have answered.
        if connection != nil, let now = place.connection(), now != connection {
            mailbox.put(.connection(now))
        }
    }

    /// The suites as they are now.
    private func listing(hasVersions: Bool) -> EditorAction {
        do {
            if case .lost(let reason)? = place.connection()?.state { return .listingFailed(reason) }
            guard try place.isThere() else {
                return .listingFailed("There is no folder \(place.location).")
            }
            let names = try place.suiteNames()
            let versions = hasVersions ? place.versions(of: names) : [:]
            let twins = Self.twins(of: names)
            return .listed(
                names.compactMap { name in
                    guard let twins = twins[name] else {
                        return SuiteListing(id: name.rawValue, title: name.rawValue, version: versions[name])
                    }
                    if twins[0] != name { return nil }
                    let title = "\(name.rawValue) (1 of \(twins.count) of that name)"
                    return SuiteListing(id: name.rawValue, title: title, version: versions[name])
                }
            )
        } catch {
            return .listingFailed("\(error)")
        }
    }

    /// Names that differ by their bytes alone, as Unicode has it (é in one piece or in two), each with all of them.
    /// To the editor they are one suite: the first one is shown.
    private static func twins(of names: [SuiteName]) -> [SuiteName: [SuiteName]] {
        let unusual = names.filter { $0.rawValue.utf8.contains { $0 >= 0x80 } }
        var twins: [SuiteName: [SuiteName]] = [:]
        for alike in Dictionary(grouping: unusual, by: \.rawValue).values where alike.count > 1 {
            for name in alike { twins[name] = alike }
        }
        return twins
    }
}
