import PropertyList
import SettingsStore

/// The suites, and which of them is selected.
struct SuiteList: Sendable {
    var listing = ListingState.waiting
    /// How the service that keeps the suites is reached; nil if there is none.
    var connection: BackendConnection?
    var suites: [SuiteModel] = []
    /// The index of the selected suite; 0 if there are none.
    var selected = 0
    /// The first suite on the screen, counted among those that match the filter.
    var top = 0
    /// The suite that was selected when the list changed. It keeps its line.
    var held: String?
    /// The width of the longest title in columns.
    var widestTitle = 0
    var filter: Pattern?
    /// The secrets of suites that are no longer in the list, by their ids.
    var secretsOfGone: [String: Secrets] = [:]
    /// Why no suite can be created in the folder; nil if one can.
    var readOnlyReason: String?
    /// Where to go as soon as the suite is read.
    @Boxed var goal: (suite: String, path: ValuePath)?
    /// What to move as soon as the target suite is read.
    @Boxed var pendingMove: PendingMove?

    /// The selected suite.
    var suite: SuiteModel? { suites.indices.contains(selected) ? suites[selected] : nil }

    func index(of id: String) -> Int? { suites.indices.first { suites[$0].id == id } }

    /// The same, faster if the suite is next to another one.
    func index(of id: String, near other: Int) -> Int? {
        [other + 1, other - 1].first { suites.indices.contains($0) && suites[$0].id == id } ?? index(of: id)
    }

    /// The indices of the suites that match the filter.
    var shown: [Int] {
        guard let filter else { return Array(suites.indices) }
        return suites.indices.filter { filter.matches(suites[$0].title) }
    }
}

/// Whether the list of suites was read.
enum ListingState: Sendable, Hashable {
    case waiting, listed
    case failed(String)
}

extension BackendConnection {
    var isLost: Bool { if case .lost = state { true } else { false } }
}
