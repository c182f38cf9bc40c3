import SettingsStore

/// Something to tell the subscribers.
enum PropertyDelivery {
    indirect case change(Change)
    /// A value that needs no conversion, with the set it comes from.
    case update(AnyUpdate, WriterID?)
    /// Members of an object were set.
    case members(of: FollowedObject)
}

extension PropertyDelivery {
    /// The set that this comes from, where somebody of this process said so.
    var writer: WriterID? {
        switch self {
        case .change(let change): change.origin.writer
        case .update(_, let id): id
        case .members: nil
        }
    }
}

/// What whoever delivers does next.
enum DeliveryStep {
    /// It comes from a set through this property: it shows already, unless it is to show after its
    /// delivery, and is noted as told.
    case hand(AnyUpdate, Receivers)
    case tell(AnyUpdate, WriterID?)
    indirect case convert(Change)
    case members(of: FollowedObject)
}

/// Who is told a value.
struct Receivers {
    enum OnMainQueue {
        case nobody
        /// The caller is there, and the lane is his.
        case now([PropertySubscription])
        /// It is in the lane.
        case later
    }

    let atOnce: [PropertySubscription]
    let onMainQueue: OnMainQueue
}

/// What the main queue is to do, in order.
enum LaneStep {
    case tell(AnyUpdate)
    case join(PropertySubscription)
}

/// What whoever runs the lane does next.
enum LaneTurn {
    case tell(AnyUpdate, [PropertySubscription])
    case handOver(PropertySubscription)
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
    /// Whether nobody holds the property any more.
    var hasEnded = false

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
    var isConnected: Bool {
        guard let connection else { return false }
        return connection.source == wantedSource
    }

    /// Whether it is in use and shows the value of a source that is no longer wanted.
    var mustReconnect: Bool { connection != nil && !isConnected && !hasEnded }

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

    /// Takes a change from a suite. Returns what the caller has to deliver.
    mutating func receive(_ change: Change, from connection: SuiteConnection) -> DeliveryStep? {
        guard connection === self.connection else {
            connection.early?.append(change)
            return nil
        }
        // The store is not listened to while it is mocked.
        if connection.source != wantedSource || !concerns(change) { return nil }
        if !ignoredSets.isEmpty, let id = change.origin.writer, ignoredSets.remove(id) != nil { return nil }
        if isDelivering || !inbox.isEmpty {
            put(.change(change))
            return beginDelivering()
        }
        isDelivering = true
        return step(to: change)
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

    /// What the caller has to deliver; nil where there is nothing, or somebody is doing so.
    mutating func beginDelivering() -> DeliveryStep? {
        if isDelivering || inbox.isEmpty { return nil }
        isDelivering = true
        return nextDelivery()
    }

    /// What to deliver next; nil ends the delivery.
    mutating func nextDelivery() -> DeliveryStep? {
        guard let delivery = inbox.popFirst() else {
            isDelivering = false
            return nil
        }
        switch delivery {
        case .change(let change): return step(to: change)
        case .update(let update, let id?) where ownSets[id] != nil:
            return .hand(update, tell(update, from: id))
        case .update(let update, let id): return .tell(update, id)
        case .members(let followed): return .members(of: followed)
        }
    }

    private mutating func step(to change: Change) -> DeliveryStep {
        guard let id = change.origin.writer, let own = ownSets[id] else { return .convert(change) }
        return .hand(own, tell(own, from: id))
    }

    /// Notes that a value is now told, and returns to whom.
    mutating func tell(_ update: AnyUpdate, from id: WriterID?) -> Receivers {
        if let id { ownSets[id] = nil }
        let onMainQueue = tellOnLane(update)
        delivered = update
        // Own sets that are still on their way came later, and show already.
        if behavior == .didSet, ownSets.isEmpty { exposed = update }
        return Receivers(atOnce: subscriptions, onMainQueue: onMainQueue)
    }

    mutating func expose(_ update: AnyUpdate) { exposed = update }

    /// What the suite tells of this set is passed over.
    mutating func ignore(_ id: WriterID) { ignoredSets.insert(id) }
}

// MARK: - The main lane

extension PropertyState {
    private var isLaneBusy: Bool { isLaneRunning || !lane.isEmpty }

    /// Whether there are subscriptions, all of which receive on the main queue.
    var tellsMainQueueAlone: Bool { subscriptions.isEmpty && !laneSubscriptions.isEmpty }

    /// A caller on the main queue runs the lane at once where nothing is before him.
    private mutating func tellOnLane(_ update: AnyUpdate) -> Receivers.OnMainQueue {
        if isLaneBusy || !laneSubscriptions.isEmpty && !MainQueue.isCurrent {
            putOnLane(.tell(update))
            return .later
        }
        if laneSubscriptions.isEmpty { return .nobody }
        isLaneRunning = true
        toldOnLane = update
        return .now(laneSubscriptions)
    }

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

    /// What comes next; nil, once all is done, ends the run.
    mutating func nextOnLane() -> LaneTurn? {
        switch lane.popFirst() {
        case .tell(let update):
            toldOnLane = update
            return .tell(update, laneSubscriptions)
        case .join(let subscription):
            join(subscription)
            return .handOver(subscription)
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
