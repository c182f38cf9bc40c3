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
        if let first = state.withLock({ $0.beginDelivering() }) { drain(first) }
    }

    final func receive(_ change: Change, from connection: SuiteConnection) {
        // What others store doesn't show as long as an argument does.
        if change.origin == .otherProcess, connection.suite?.arguments[change.key] != nil { return }
        if let first = state.withLock({ $0.receive(change, from: connection) }) { drain(first) }
    }

    private func drain(_ first: DeliveryStep) {
        var next: DeliveryStep? = first
        while let step = next {
            switch step {
            case .hand(let update, let receivers): hand(update, to: receivers)
            case .tell(let update, let id): tell(update, from: id)
            case .convert(let change): tell(convert(change), from: change.origin.writer)
            case .members(let followed): tell(membersOf: followed)
            }
            next = state.withLock { $0.nextDelivery() }
        }
        followObject()
    }

    /// Tells of an object again whose members were set, if it is still the one that shows.
    private func tell(membersOf followed: FollowedObject) {
        let update = state.withLock(\.exposed)
        if object(of: update) === followed.object { tell(update, from: nil) }
    }

    /// Tells of a value that does not show yet.
    private func tell(_ update: AnyUpdate, from id: WriterID?) {
        let showsNow = behavior == .didSet
        if showsNow { tracker.willChange() }
        let receivers = state.withLock { $0.tell(update, from: id) }
        if showsNow { tracker.didChange() }
        hand(update, to: receivers)
    }

    private func hand(_ update: AnyUpdate, to receivers: Receivers) {
        for subscription in receivers.atOnce { subscription.hand(update) }
        switch receivers.onMainQueue {
        case .nobody: expose(update)
        case .later: runLane()
        case .now(let subscriptions):
            for subscription in subscriptions { subscription.hand(update) }
            expose(update)
            continueLane()
        }
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
        if state.withLock({ $0.beginLane() }) { continueLane() }
    }

    private func continueLane() {
        while let step = state.withLock({ $0.nextOnLane() }) {
            switch step {
            case .tell(let update, let receivers):
                for subscription in receivers { subscription.hand(update) }
                expose(update)
            case .handOver(let subscription): subscription.handOver()
            }
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
