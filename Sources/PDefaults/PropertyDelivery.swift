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
            case .reading(let reading, let id): tell(reading, from: id)
            case .change(let change): tell(convert(change), from: delivery.writer)
            }
        }
    }

    private func convert(_ change: Change) -> Reading<Value> {
        if let own = state.withLock({ $0.ownReading(change.origin.writer) }) { return own }
        let (suite, place) = (state.withLock(\.connection)?.suite, declaration.place)
        guard let suite, let place else { return defaultReading(in: nil) }
        let (reading, error) = read(change.new, place, in: suite)
        if let error { PDefaultsConfiguration.report(error) }
        return reading
    }

    private func tell(_ reading: Reading<Value>, from id: WriterID?) {
        let (subscriptions, isForLane) = state.withLock { state in
            let receivers = state.tell(reading, from: id)
            for subscription in receivers.subscriptions { subscription.enqueue(reading.value) }
            return receivers
        }
        for subscription in subscriptions { subscription.handOver() }
        if isForLane { runLane() } else { expose(reading) }
    }

    /// With `.willSet` a value shows once all of its sinks have run.
    private func expose(_ reading: Reading<Value>) {
        if declaration.behavior == .willSet { state.withLock { $0.expose(reading) } }
    }

    private func runLane() {
        if !MainQueue.isCurrent {
            if state.withLock({ $0.scheduleLane() }) { MainQueue.run { self.runLane() } }
            return
        }
        guard state.withLock({ $0.beginLane() }) else { return }
        while let (reading, receivers) = state.withLock({ $0.nextOnLane() }) {
            for subscription in receivers { subscription.handOver() }
            if let reading { expose(reading) }
        }
    }
}

// MARK: - Subscriptions

extension Property {
    func attach(_ subscription: PropertySubscription<Value>, _ delivery: PDefaultsDelivery) {
        _ = value
        let isOnMainQueue = MainQueue.isCurrent
        let usesLane =
            switch delivery {
            case .automatic: isOnMainQueue
            case .mainQueue: true
            case .deliveringThread: false
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
        case .reading(_, let id): id
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
