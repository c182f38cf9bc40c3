import SettingsStore

extension Property {
    /// Where a property's values come from.
    enum Source: Equatable {
        case suite
        /// Memory of its own.
        case ownMock
        /// Memory that all properties of the process share: the one of this number.
        case processMock(Int)
    }

    /// The observation of one suite. What it holds is guarded by the property's lock.
    final class Connection: @unchecked Sendable {
        let source: Source
        /// Nil for a property that lives in memory alone.
        let suite: SettingsSuite?
        /// Changes that came before the value to start from was converted; nil after that.
        var early: [Change]? = []

        init(_ source: Source, _ suite: SettingsSuite?) {
            self.source = source
            self.suite = suite
        }
    }

    /// Something to tell the subscribers.
    enum Delivery {
        case change(Change)
        /// A value that needs no conversion, with the set it comes from.
        case update(PDefaultsUpdate<Value>, WriterID?)
        /// Members of an object were set.
        case members(of: FollowedObject)
    }

    /// What the main queue is to do, in order.
    enum LaneStep {
        case tell(PDefaultsUpdate<Value>)
        case join(PropertySubscription<Value>)
    }
}

extension Property {
    /// All that changes about a property: plain state, guarded by its owner.
    struct State {
        private let declaration: Declaration<Value>
        private let isForTasks: Bool

        var isMocked = false { didSet { show() } }
        private(set) var connection: Connection? { didSet { show() } }
        var observation: SuiteObservation?

        /// The last value told to those who receive at once.
        private var delivered: PDefaultsUpdate<Value>
        /// What reading the property gives.
        private(set) var exposed: PDefaultsUpdate<Value> { didSet { show() } }
        /// The same, for quick readers.
        private let shown: ShownValue<Value>
        /// Sets through this property that have not been delivered yet.
        private var ownSets: [WriterID: PDefaultsUpdate<Value>] = [:]

        /// Sets that this property shows already, and of which it is not to be told again.
        private var ignoredSets: Set<WriterID> = []

        private var inbox = Backlog<Delivery>()
        private var isDelivering = false
        private var subscriptions: [PropertySubscription<Value>] = []

        private var lane = Backlog<LaneStep>()
        private var isLaneRunning = false
        private var isLaneScheduled = false
        /// The last value told on the main queue, as long as more is to come there.
        private var toldOnLane: PDefaultsUpdate<Value>
        private var laneSubscriptions: [PropertySubscription<Value>] = []

        init(_ declaration: Declaration<Value>, isForTasks: Bool, _ shown: ShownValue<Value>) {
            self.declaration = declaration
            self.shown = shown
            self.isForTasks = isForTasks
            delivered = PDefaultsUpdate(value: declaration.defaultValue, state: .default, origin: .initial)
            exposed = delivered
            toldOnLane = delivered
        }
    }
}

// MARK: - Connecting

extension Property.State {
    var wantedSource: Property.Source {
        if declaration.place == nil { return .suite }
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
            case .suite: declaration.place == nil || !isMocked
            case .ownMock: isMocked
            // Never read quickly.
            case .processMock, nil: false
            }
        shown.show(isWanted ? exposed.value : nil)
    }

    /// Takes over the value to start from; subscribers are told it where there was another source.
    mutating func install(_ connection: Property.Connection, _ update: PDefaultsUpdate<Value>) {
        let isFirst = self.connection == nil
        ownSets = [:]
        ignoredSets = []
        exposed = update
        self.connection = connection
        if isFirst { delivered = update } else { put(.update(update, nil)) }
        for change in connection.early ?? [] where concerns(change) { put(.change(change)) }
        connection.early = nil
    }

    /// Takes a change from a suite. Returns whether there is something to deliver.
    mutating func receive(_ change: Change, from connection: Property.Connection) -> Bool {
        guard connection === self.connection else {
            connection.early?.append(change)
            return false
        }
        // The store is not listened to while it is mocked.
        if connection.source != wantedSource || !concerns(change) { return false }
        if let id = change.origin.writer, ignoredSets.remove(id) != nil { return false }
        put(.change(change))
        return true
    }

    private func concerns(_ change: Change) -> Bool {
        guard let id = change.origin.writer else {
            return declaration.followsOthers || change.origin == .refused
        }
        return declaration.followsOthers || ownSets[id] != nil
    }
}

// MARK: - Delivering

extension Property.State {
    mutating func put(_ delivery: Property.Delivery) {
        guard let dropped = inbox.append(delivery) else { return }
        if let id = dropped.writer { ownSets[id] = nil }
    }

    /// A set is on its way; with `.didSet` it shows already.
    mutating func expect(_ update: PDefaultsUpdate<Value>, from id: WriterID) {
        ownSets[id] = update
        if declaration.behavior == .didSet { exposed = update }
    }

    /// Whether a set shows before it is delivered.
    func isShown(_ id: WriterID?) -> Bool {
        declaration.behavior == .didSet && id.map { ownSets[$0] != nil } ?? false
    }

    /// The value that a change brings, where this property set it.
    func ownUpdate(_ id: WriterID?) -> PDefaultsUpdate<Value>? { id.flatMap { ownSets[$0] } }

    /// Whether the caller has to deliver: there is something and nobody is doing so.
    mutating func beginDelivering() -> Bool {
        if isDelivering || inbox.isEmpty { return false }
        isDelivering = true
        return true
    }

    /// What to deliver next; nil ends the delivery.
    mutating func nextDelivery() -> Property.Delivery? {
        if let delivery = inbox.popFirst() { return delivery }
        isDelivering = false
        return nil
    }

    /// Notes that a value is now told. Returns who receives it at once, and whether others receive it
    /// on the main queue.
    mutating func tell(
        _ update: PDefaultsUpdate<Value>,
        from id: WriterID?
    ) -> (subscriptions: [PropertySubscription<Value>], isForLane: Bool) {
        if let id { ownSets[id] = nil }
        let isForLane = !laneSubscriptions.isEmpty || isLaneBusy
        if isForLane { putOnLane(.tell(update)) }
        delivered = update
        // Own sets that are still on their way came later, and show already.
        if declaration.behavior == .didSet, ownSets.isEmpty { exposed = update }
        return (subscriptions, isForLane)
    }

    mutating func expose(_ update: PDefaultsUpdate<Value>) { exposed = update }

    /// What the suite tells of this set is passed over.
    mutating func ignore(_ id: WriterID) { ignoredSets.insert(id) }
}

// MARK: - The main lane

extension Property.State {
    private var isLaneBusy: Bool { isLaneRunning || !lane.isEmpty }

    private mutating func putOnLane(_ step: Property.LaneStep) {
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
    mutating func nextOnLane() -> (update: PDefaultsUpdate<Value>?, receivers: [PropertySubscription<Value>])?
    {
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

    private mutating func join(_ subscription: PropertySubscription<Value>) {
        subscription.enqueue(toldOnLane)
        laneSubscriptions.append(subscription)
    }
}

// MARK: - Subscriptions

extension Property.State {
    mutating func attach(_ subscription: PropertySubscription<Value>) {
        subscription.enqueue(delivered)
        subscriptions.append(subscription)
    }

    /// Adds a subscription on the main lane. Returns whether the lane has to run for that.
    mutating func attachToLane(_ subscription: PropertySubscription<Value>, isOnMainQueue: Bool) -> Bool {
        if isOnMainQueue {
            if !isLaneBusy { toldOnLane = delivered }
            join(subscription)
        } else {
            putOnLane(.join(subscription))
        }
        return !isOnMainQueue
    }

    mutating func detach(_ subscription: PropertySubscription<Value>) {
        subscriptions.removeAll { $0 === subscription }
        laneSubscriptions.removeAll { $0 === subscription }
    }
}
