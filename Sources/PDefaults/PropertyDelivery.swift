import SettingsStore

// Values reach those who receive at once through `deliver`, and those who receive on the main queue
// through the main lane, which the main thread runs at once when it set the value itself.

extension PropertyCore {
    final func deliver(_ delivery: PropertyDelivery) {
        state.withLock { $0.put(delivery) }
        deliver()
    }

    /// Tells the subscribers what there is to tell, unless somebody is doing so already.
    final func deliver() {
        if state.withLock({ $0.beginDelivering() }) { drain() }
    }

    final func receive(_ change: Change, from connection: SuiteConnection) {
        // What others store doesn't show as long as an argument does.
        if change.origin == .otherProcess, connection.suite?.arguments[change.key] != nil { return }
        if state.withLock({ $0.receive(change, from: connection) && $0.beginDelivering() }) { drain() }
    }

    private func drain() {
        while let (delivery, ownUpdate) = state.withLock({ $0.nextDelivery() }) {
            let isOwn = ownUpdate != nil
            switch delivery {
            case .update(let update, let id): tell(update, from: id, isOwn: isOwn)
            case .change(let change):
                tell(ownUpdate ?? convert(change), from: delivery.writer, isOwn: isOwn)
            case .members(let followed): tell(membersOf: followed)
            }
        }
        followObject()
    }

    /// Tells of an object again whose members were set, if it is still the one that shows.
    private func tell(membersOf followed: FollowedObject) {
        let update = state.withLock(\.exposed)
        if object(of: update) === followed.object { tell(update, from: nil, isOwn: false) }
    }

    /// - Parameter isOwn: whether it comes from a set through this property, which shows already, unless
    ///   it is to show after its delivery.
    private func tell(_ update: AnyUpdate, from id: WriterID?, isOwn: Bool) {
        let showsNow = behavior == .didSet && !isOwn
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
    private func expose(_ update: AnyUpdate) {
        guard behavior == .willSet else { return }
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

extension PropertyCore {
    /// - Parameter delivery: nil for the thread that delivers, whichever that is.
    final func attach(_ subscription: PropertySubscription, _ delivery: PDefaultsDelivery?) {
        _ = current
        connectedSuite()?.beginWatching()
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

    final func detach(_ subscription: PropertySubscription) {
        state.withLock { $0.detach(subscription) }
    }
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
