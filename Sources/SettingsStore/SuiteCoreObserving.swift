import PropertyList

// How a suite is observed, and its storage watched.
extension SuiteCore {
    var status: SuiteStatus { withLoadedState(\.status) }

    /// Why the content could not be read; nil if it could.
    var contentError: SettingsError? { withLoadedState(\.contentError) }

    /// Whether the storage did not answer when it was last used.
    var isOutOfReach: Bool { state.withLock(\.contentError)?.isOutage == true }

    /// Registers an observer, of one key or of everything, and returns the value to start from.
    func observe(
        _ key: String?,
        lazily: Bool = false,
        _ receive: @escaping @Sendable (SuiteEvent) -> Void
    ) -> (initial: PropertyListValue?, observation: SuiteObservation) {
        if lazily { startWatchingLater() } else { startWatching() }
        let observer = Observer(ofKey: key, receive)
        let initial = withLoadedState { $0.add(observer) }
        return (initial, SuiteObservation(observer, of: self))
    }

    func remove(_ observer: Observer) { state.withLock { $0.remove(observer) } }

    /// Begins to watch the storage, once, and reads after that, so that no change falls in between.
    func startWatching() {
        if state.withLock({ $0.watch != nil }) { return }
        storage.withLock { storage in
            if state.withLock({ $0.watch != nil }) { return }
            watch(storage)
            checkRights(storage)
            read(&storage)
        }
        deliver()
        reportFailures()
    }

    func watch(_ storage: any SuiteStorage) {
        let watch = storage.watch { [weak self] in self?.somethingMayHaveChanged() }
        state.withLock { $0.watchStarted(watch) }
    }

    /// Begins to watch in a while, so that a program that is over by then has not paid for it.
    func watchLater() {
        scheduler.run(after: 0.1) { [weak self] in
            guard let self else { return }
            state.withLock { $0.watchTimeHasCome() }
            startWatching()
        }
    }

    /// Reads now, and begins to watch in a while, where a watch is dear.
    private func startWatchingLater() {
        if state.withLock(\.willBeWatched) { return }
        let isDear = storage.withLock { storage in
            if !storage.isWatchDear { return false }
            checkRights(storage)
            read(&storage)
            return true
        }
        guard isDear else { return startWatching() }
        deliver()
        reportFailures()
        if state.withLock({ $0.beginWatchingLater() }) { watchLater() }
    }

    private func somethingMayHaveChanged() {
        let isFirst = state.withLock { state in
            defer { state.isReadScheduled = true }
            return !state.isReadScheduled
        }
        if isFirst { scheduler.runHere { self.readInBackground() } }
    }

    private func readInBackground() {
        storage.withLock { storage in
            // From here on a hint means another reading.
            state.withLock { $0.isReadScheduled = false }
            read(&storage)
        }
        deliver()
        // What is new goes first.
        storage.withLock { checkRights($0) }
        deliver()
        reportFailures()
        exportLate()
    }

    func checkRights(_ storage: any SuiteStorage) {
        let reason = storage.readOnlyReason()
        state.withLock { $0.rightsFound(reason) }
    }

    /// Tells of failures that there was no caller for.
    func reportFailures() {
        for var error in state.withLock({ $0.takeUnreported() }) {
            if case .conflict(var current) = error {
                for key in current.keys where declarations.hasSecret(key) { current[key] = .some(nil) }
                error = .conflict(current: current)
            }
            SuiteFailures.report(location, error)
        }
    }

    /// Tells the observers what there is to tell, unless somebody is doing so already.
    func deliver() {
        if state.withLock({ $0.beginDelivering() }) { drain() }
    }

    var hasMoreToTell: Bool { state.withLock(\.hasMoreToTell) }

    func drain() {
        while let (event, observers) = state.withLock({ $0.nextDelivery() }) {
            for observer in observers { observer.tell(event) }
        }
    }
}
