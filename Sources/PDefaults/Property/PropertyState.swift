import SettingsStore

/// Everything that changes about a property: plain state, guarded by the property's lock.
///
/// Code that replaces a value here adds the old one to ``dropped``, so that it is released outside the lock.
struct PropertyState: DropsValues {
    var dropped = Dropped()
    private let behavior: PDefaultsBehavior
    /// Whether the property shows what others set, or only what was stored at first and what it set itself.
    private let followsOthers: Bool
    private let livesInMemory: Bool
    private let isForTasks: Bool

    var isMocked = false { didSet { show() } }
    private(set) var connection: SuiteConnection? { didSet { show() } }
    var observation: SuiteObservation?
    /// Whether no wrapper, publisher or subscription holds the property any more.
    var hasEnded = false

    /// The value that reading the property gives.
    private(set) var exposed: AnyPropertyUpdate
    /// A copy of the value for quick readers.
    private let snapshot: any AnyValueSnapshot
    /// Sets through this property that the suite has not reported back yet.
    private var ownSets: [WriterID: AnyPropertyUpdate] = [:]
    /// Sets through this property whose report from the suite is ignored.
    private var ignoredSets: Set<WriterID> = []

    var deliveries: DeliveryQueue

    init(
        behavior: PDefaultsBehavior,
        followsOthers: Bool,
        livesInMemory: Bool,
        isForTasks: Bool,
        _ initial: AnyPropertyUpdate,
        _ snapshot: any AnyValueSnapshot
    ) {
        self.behavior = behavior
        self.followsOthers = followsOthers
        self.livesInMemory = livesInMemory
        self.isForTasks = isForTasks
        self.snapshot = snapshot
        exposed = initial
        deliveries = DeliveryQueue(initial)
    }
}

// MARK: - Connecting

extension PropertyState {
    var wantedSource: PropertySource {
        if livesInMemory { return .suite }
        if isMocked { return .ownMock }
        if isForTasks { return .suite }
        let number = PDefaultsConfiguration.mockNumber
        return number == 0 ? .suite : .processMock(number)
    }

    /// Whether the property shows the value of the source that is wanted.
    var isConnected: Bool {
        guard let connection else { return false }
        return connection.source == wantedSource
    }

    /// Whether the property is in use and shows the value of a source that is no longer wanted.
    var mustReconnect: Bool { connection != nil && !isConnected && !hasEnded }

    /// Gives quick readers the value, if the value is that of the source that is wanted in a process without mocks.
    private func show() {
        let isWanted =
            switch connection?.source {
            case .suite: livesInMemory || !isMocked
            case .ownMock: isMocked
            // Quick readers do not ask whether the process is still mocked.
            case .processMock, nil: false
            }
        snapshot.show(isWanted ? exposed : nil)
    }

    enum Installation {
        /// The property shows the value. The caller has to deliver it, unless it is the first.
        case installed(Delivery?)
        /// The suite has reported changes since the value was read; this is the latest.
        case outdated(Change)
        /// Another thread connected the property first, or the property has ended.
        case refused
    }

    /// Shows the value of a new connection. Subscriptions receive it if there was another connection before.
    mutating func install(
        _ connection: SuiteConnection,
        _ update: AnyPropertyUpdate,
        replacing previous: SuiteConnection?
    ) -> Installation {
        if self.connection !== previous || hasEnded { return .refused }
        let early = connection.early ?? []
        connection.early = nil
        if let change = early.last(where: { concerns($0) }) {
            connection.early = []
            dropped.add(holder: early)
            return .outdated(change)
        }
        dropped.add(holder: early)
        dropOwnSets()
        expose(update)
        self.connection = connection
        guard let previous else {
            deliveries.start(from: update, &dropped)
            return .installed(nil)
        }
        dropped.add(holder: previous)
        return .installed(deliveries.add(update, &dropped))
    }

    // Inlined, because Swift would copy the whole state for a call from a mutating function.
    @inline(__always)
    private func concerns(_ change: Change) -> Bool {
        guard let id = change.origin.writer else {
            return followsOthers || change.origin == .refused
        }
        return followsOthers || ownSets[id] != nil
    }

    private mutating func dropOwnSets() {
        dropped.add(holder: ownSets)
        ownSets = [:]
        ignoredSets = []
    }
}

// MARK: - Values

extension PropertyState {
    /// The reaction of a property to a change that its suite reports.
    enum Receipt {
        case ignored
        /// The change comes from a set through this property, whose value is on its way to the subscriptions.
        case published(Delivery?)
        /// The caller has to announce the value, and to convert the change first if there is no value.
        case notShown(AnyPropertyUpdate?)
    }

    mutating func receive(_ change: Change, from connection: SuiteConnection) -> Receipt {
        guard connection === self.connection else {
            connection.early?.append(change)
            return .ignored
        }
        // A mocked property ignores its suite.
        if connection.source != wantedSource { return .ignored }
        if !ignoredSets.isEmpty, let id = change.origin.writer, ignoredSets.remove(id) != nil {
            return .ignored
        }
        if !concerns(change) { return .ignored }
        if change.isOnlyOfLayer {
            // A set that is on its way brings its own layer.
            if ownSets.isEmpty { deliveries.last.move(to: change.layer) }
            return .ignored
        }
        guard let id = change.origin.writer, let own = ownSets[id] else { return .notShown(nil) }
        // A higher layer hides the set, or a lower one shows after a removal.
        if change.layer != .user { return .notShown(nil) }
        // With `.didSet` the value shows already, unless another thread has set the property at the same moment.
        return behavior == .willSet || exposed === own ? .published(publish(own, from: id)) : .notShown(own)
    }

    /// A set is on its way to the suite. With `.didSet` its value shows from now on.
    mutating func expect(_ update: AnyPropertyUpdate, from id: WriterID) {
        dropped.add(ownSets.updateValue(update, forKey: id))
        if behavior == .didSet { expose(update) }
    }

    /// Puts a value on its way to the subscriptions. Returns what the caller has to deliver.
    ///
    /// - Parameter id: the set that the value comes from.
    mutating func publish(_ update: AnyPropertyUpdate, from id: WriterID?) -> Delivery? {
        // Usually the removed value is the one that is published, which is still in use.
        if let id, let own = ownSets.removeValue(forKey: id), own !== update { dropped.add(own) }
        // Gives back the memory of a long backlog.
        if ownSets.isEmpty, ownSets.capacity > 64 { ownSets = [:] }
        // Sets that are still on their way to the suite came later, and show already.
        if behavior == .didSet, ownSets.isEmpty { expose(update) }
        return deliveries.add(update, &dropped)
    }

    mutating func expose(_ update: AnyPropertyUpdate) {
        if exposed === update { return }
        // Usually the old value is the one that was delivered last, which is still in use.
        if exposed !== deliveries.lastDelivered { dropped.add(exposed) }
        exposed = update
        show()
    }

    /// Ignores the suite's report of this set.
    mutating func ignore(_ id: WriterID) { ignoredSets.insert(id) }
}
