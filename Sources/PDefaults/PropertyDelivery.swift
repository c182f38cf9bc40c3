import SettingsStore

// Values reach those who receive at once through `deliver`, and those who receive on the main queue
// through the main lane, which the main thread runs at once when it set the value itself.

extension Property {
    func deliver(_ delivery: Delivery) {
        state.withLock { $0.put(delivery) }
        deliver()
    }

    /// Tells the subscribers what there is to tell, unless somebody is doing so already.
    func deliver() {
        guard state.withLock({ $0.beginDelivering() }) else { return }
        while let delivery = state.withLock({ $0.nextDelivery() }) {
            switch delivery {
            case .update(let update, let id): tell(update, from: id)
            case .change(let change): tell(convert(change), from: delivery.writer)
            case .members(let followed): tell(membersOf: followed)
            }
        }
        followObject()
    }

    /// Tells of an object again whose members were set, if it is still the one that shows.
    private func tell(membersOf followed: FollowedObject) {
        let update = state.withLock(\.exposed)
        if observableObject(update.value) === followed.object { tell(update, from: nil) }
    }

    private func convert(_ change: Change) -> PDefaultsUpdate<Value> {
        if let own = state.withLock({ $0.ownUpdate(change.origin.writer) }) { return own }
        let (suite, place) = (state.withLock(\.connection)?.suite, declaration.place)
        guard let suite, let place else { return defaultUpdate(PDefaultsOrigin(change.origin)) }
        let (update, error) = read(change.new, place, in: suite, PDefaultsOrigin(change.origin))
        if change.origin == .refused, let old = change.old {
            let reason = suite.refusal(of: old, forKey: place.key).map { "\($0)" }
            PDefaultsConfiguration.report(place.error(.unencodable, reason ?? "the suite refused it"))
        }
        // A property whose type was changed in place is not expected to read the new one.
        if let error, update.origin != .migration { PDefaultsConfiguration.report(error) }
        return update
    }

    private func tell(_ update: PDefaultsUpdate<Value>, from id: WriterID?) {
        let showsNow = declaration.behavior == .didSet && !state.withLock { $0.isShown(id) }
        if showsNow { tracker.willChange() }
        let (subscriptions, isForLane) = state.withLock { state in
            let receivers = state.tell(update, from: id)
            for subscription in receivers.subscriptions { subscription.enqueue(update) }
            return receivers
        }
        if showsNow { tracker.didChange() }
        for subscription in subscriptions { subscription.handOver() }
        if isForLane { runLane() } else { expose(update) }
    }

    /// With `.willSet` a value shows once all of its sinks have run.
    private func expose(_ update: PDefaultsUpdate<Value>) {
        guard declaration.behavior == .willSet else { return }
        tracker.willChange()
        state.withLock { $0.expose(update) }
        tracker.didChange()
    }

    private func runLane() {
        if !MainQueue.isCurrent {
            if state.withLock({ $0.scheduleLane() }) { MainQueue.run { self.runLane() } }
            return
        }
        guard state.withLock({ $0.beginLane() }) else { return }
        while let (update, receivers) = state.withLock({ $0.nextOnLane() }) {
            for subscription in receivers { subscription.handOver() }
            if let update { expose(update) }
        }
        followObject()
    }
}

// MARK: - Subscriptions

extension Property {
    /// - Parameter delivery: nil for the thread that delivers, whichever that is.
    func attach(_ subscription: PropertySubscription<Value>, _ delivery: PDefaultsDelivery?) {
        _ = current
        let isOnMainQueue = MainQueue.isCurrent
        let usesLane =
            switch delivery {
            case .automatic: isOnMainQueue
            case .mainQueue: true
            case nil: false
            }
        if usesLane { subscription.moveToMainQueue() }
        let mustRun = state.withLock { state in
            if usesLane { return state.attachToLane(subscription, isOnMainQueue: isOnMainQueue) }
            state.attach(subscription)
            return false
        }
        if mustRun { runLane() }
    }

    func detach(_ subscription: PropertySubscription<Value>) {
        state.withLock { $0.detach(subscription) }
    }
}

extension Property.Delivery {
    /// The set that this comes from, where somebody of this process said so.
    var writer: WriterID? {
        switch self {
        case .change(let change): change.origin.writer
        case .update(_, let id): id
        case .members: nil
        }
    }
}

extension ChangeOrigin {
    var writer: WriterID? {
        switch self {
        case .set(let id), .reset(let id), .migration(let id): id
        case .otherProcess, .refused: nil
        }
    }
}

extension PDefaultsOrigin {
    /// The origin of a change that the property did not make itself.
    init(_ origin: ChangeOrigin) {
        self =
            switch origin {
            case .set: .thisProcess
            case .reset: .reset
            case .migration: .migration
            case .otherProcess: .otherProcess
            case .refused: .refused
            }
    }
}
