import SettingsStore

/// Something to tell the subscribers.
enum PropertyDelivery {
    case change(Change)
    /// A value that needs no conversion, with the set it comes from.
    case update(AnyUpdate, WriterID?)
    /// Members of an object were set.
    case members(of: FollowedObject)
}

/// What the main queue is to do, in order.
enum LaneStep {
    case tell(AnyUpdate)
    case join(PropertySubscription)
}

/// All that changes about a property: plain state, guarded by its owner.
struct PropertyState {
    private let behavior: PDefaultsBehavior
    /// Whether it shows what others set, or only what was stored at first and what it set itself.
    private let followsOthers: Bool
    private let livesInMemory: Bool
    private let isForTasks: Bool

    var isMocked = false { didSet { show() } }
    private(set) var connection: SuiteConnection? { didSet { show() } }
    var observation: SuiteObservation?

    /// The last value told to those who receive at once.
    private var delivered: AnyUpdate
    /// What reading the property gives.
    private(set) var exposed: AnyUpdate { didSet { if exposed !== oldValue { show() } } }
    /// The same, for quick readers.
    private let shown: any ShownValues
    /// Sets through this property that have not been delivered yet.
    private var ownSets = OwnSets()

    /// Sets that this property shows already, and of which it is not to be told again.
    private var ignoredSets: Set<WriterID> = []

    private var inbox = Backlog<PropertyDelivery>()
    private var isDelivering = false
    private var subscriptions: [PropertySubscription] = []

    private var lane = Backlog<LaneStep>()
    private var isLaneRunning = false
    private var isLaneScheduled = false
    /// The last value told on the main queue, as long as more is to come there.
    private var toldOnLane: AnyUpdate
    private var laneSubscriptions: [PropertySubscription] = []

    init(
        behavior: PDefaultsBehavior,
        followsOthers: Bool,
        livesInMemory: Bool,
        isForTasks: Bool,
        _ initial: AnyUpdate,
        _ shown: any ShownValues
    ) {
        self.behavior = behavior
        self.followsOthers = followsOthers
        self.livesInMemory = livesInMemory
        self.isForTasks = isForTasks
        self.shown = shown
        delivered = initial
        exposed = initial
        toldOnLane = initial
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

    /// Whether the value shown is that of the source that is wanted.
    var isConnected: Bool { connection.map { $0.source == wantedSource } ?? false }

    /// Lets quick readers have the value, as long as it is that of the source that is wanted in a process
    /// without mocks.
    private func show() {
        let isWanted =
            switch connection?.source {
            case .suite: livesInMemory || !isMocked
            case .ownMock: isMocked
            // Never read quickly.
            case .processMock, nil: false
            }
        shown.show(isWanted ? exposed : nil)
    }

    /// Takes over the value to start from; subscribers are told it where there was another source.
    mutating func install(_ connection: SuiteConnection, _ update: AnyUpdate) {
        let isFirst = self.connection == nil
        ownSets = OwnSets()
        ignoredSets = []
        exposed = update
        self.connection = connection
        if isFirst { delivered = update } else { put(.update(update, nil)) }
        for change in connection.early ?? [] where concerns(change) { put(.change(change)) }
        connection.early = nil
    }

    /// Takes a change from a suite. Returns whether there is something to deliver.
    mutating func receive(_ change: Change, from connection: SuiteConnection) -> Bool {
        guard connection === self.connection else {
            connection.early?.append(change)
            return false
        }
        // The store is not listened to while it is mocked.
        if connection.source != wantedSource || !concerns(change) { return false }
        if !ignoredSets.isEmpty, let id = change.origin.writer, ignoredSets.remove(id) != nil { return false }
        put(.change(change))
        return true
    }

    private func concerns(_ change: Change) -> Bool {
        guard let id = change.origin.writer else {
            return followsOthers || change.origin == .refused
        }
        return followsOthers || ownSets[id] != nil
    }
}

// MARK: - Delivering

extension PropertyState {
    mutating func put(_ delivery: PropertyDelivery) {
        guard let dropped = inbox.append(delivery) else { return }
        if let id = dropped.writer { ownSets[id] = nil }
    }

    /// A set is on its way; with `.didSet` it shows already.
    mutating func expect(_ update: AnyUpdate, from id: WriterID) {
        ownSets[id] = update
        if behavior == .didSet { exposed = update }
    }

    /// Whether the caller has to deliver: there is something and nobody is doing so.
    mutating func beginDelivering() -> Bool {
        if isDelivering || inbox.isEmpty { return false }
        isDelivering = true
        return true
    }

    /// What to deliver next, with the value where this property set it; nil ends the delivery.
    mutating func nextDelivery() -> (delivery: PropertyDelivery, ownUpdate: AnyUpdate?)? {
        if let delivery = inbox.popFirst() { return (delivery, delivery.writer.flatMap { ownSets[$0] }) }
        isDelivering = false
        return nil
    }

    /// Notes that a value is now told. Returns who receives it at once, and whether others receive it
    /// on the main queue.
    mutating func tell(
        _ update: AnyUpdate,
        from id: WriterID?
    ) -> (subscriptions: [PropertySubscription], isForLane: Bool) {
        if let id { ownSets[id] = nil }
        let isForLane = !laneSubscriptions.isEmpty || isLaneBusy
        if isForLane { putOnLane(.tell(update)) }
        delivered = update
        // Own sets that are still on their way came later, and show already.
        if behavior == .didSet, ownSets.isEmpty { exposed = update }
        return (subscriptions, isForLane)
    }

    mutating func expose(_ update: AnyUpdate) { exposed = update }

    /// What the suite tells of this set is passed over.
    mutating func ignore(_ id: WriterID) { ignoredSets.insert(id) }
}

// MARK: - The main lane

extension PropertyState {
    private var isLaneBusy: Bool { isLaneRunning || !lane.isEmpty }

    private mutating func putOnLane(_ step: LaneStep) {
        if !isLaneBusy { toldOnLane = delivered }
        if case .join(let subscription) = lane.append(step) { join(subscription) }
    }

    /// Whether the caller, on the main queue, has to run the lane: nobody is doing so.
    mutating func beginLane() -> Bool {
        isLaneScheduled = false
        if isLaneRunning || lane.isEmpty { return false }
        isLaneRunning = true
        return true
    }

    /// Whether the caller has to have the main queue run the lane.
    mutating func scheduleLane() -> Bool {
        defer { isLaneScheduled = true }
        return !isLaneScheduled
    }

    /// The next value with its receivers; nil, once all is done, ends the run.
    mutating func nextOnLane() -> (update: AnyUpdate?, receivers: [PropertySubscription])? {
        switch lane.popFirst() {
        case .tell(let update):
            toldOnLane = update
            for subscription in laneSubscriptions { subscription.enqueue(update) }
            return (update, laneSubscriptions)
        case .join(let subscription):
            join(subscription)
            return (nil, [subscription])
        case nil:
            isLaneRunning = false
            return nil
        }
    }

    private mutating func join(_ subscription: PropertySubscription) {
        subscription.enqueue(toldOnLane)
        laneSubscriptions.append(subscription)
    }
}

// MARK: - Subscriptions

extension PropertyState {
    mutating func attach(_ subscription: PropertySubscription) {
        subscription.enqueue(delivered)
        subscriptions.append(subscription)
    }

    /// Adds a subscription on the main lane. Returns whether the lane has to run for that.
    mutating func attachToLane(_ subscription: PropertySubscription, isOnMainQueue: Bool) -> Bool {
        if isOnMainQueue {
            if !isLaneBusy { toldOnLane = delivered }
            join(subscription)
        } else {
            putOnLane(.join(subscription))
        }
        return !isOnMainQueue
    }

    mutating func detach(_ subscription: PropertySubscription) {
        subscriptions.removeAll { $0 === subscription }
        laneSubscriptions.removeAll { $0 === subscription }
    }
}
