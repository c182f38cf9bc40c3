import PropertyList

// Observers must hear of foreign changes soon, but a watch on the storage costs time when a process starts and ends. So
// a suite watches its storage only when it has an observer, or has written something.

extension SuiteCore {
    /// Whether the storage did not answer when it was last used.
    var hasOutage: Bool { state.withLock(\.values.hasOutage) }

    /// Registers an observer of one key, or of everything, and returns the value to start from.
    func observe(
        _ key: String?,
        lazily: Bool = false,
        _ receive: @escaping @Sendable (SuiteEvent) -> Void
    ) -> (initial: LayeredValue?, observation: SuiteObservation) {
        if lazily { startWatchingLater() } else { startWatching() }
        let observer = Observer(ofKey: key, receive)
        let initial = withLoadedState { $0.add(observer) }
        return (initial, SuiteObservation(observer, of: self))
    }

    func remove(_ observer: Observer) { state.withLock { $0.observers.remove(observer) } }
}

// MARK: - Watching

extension SuiteCore {
    /// Seconds until a suite that has no urgent observer is watched. A program that has ended by then has not paid for
    /// the watch.
    private static let watchDelay = 0.1

    /// Begins the watch: at once if nothing uses the storage, otherwise on a thread of the store as soon as the
    /// storage is free. A commit may use it for long, and reads the file itself.
    func startWatching() {
        if state.withLock(\.watch.isWatching) { return }
        if storage.withLockIfAvailable({ startWatching(&$0) }) != nil {
            deliver()
            reportFailures()
        } else if state.withLock({ $0.watch.becomeDue() }) {
            scheduler.run { [weak self] in self?.startWatchingInBackground() }
        }
    }

    private func startWatchingInBackground() {
        storage.withLock { startWatching(&$0) }
        deliver()
        reportFailures()
    }

    /// Begins the watch and reads after that, so that no change is missed in between.
    private func startWatching(_ storage: inout any SuiteStorage) {
        if state.withLock(\.watch.isWatching) { return }
        watch(storage)
        checkWriteAccess(storage)
        read(&storage)
    }

    func watch(_ storage: any SuiteStorage) {
        let watch = storage.watch { [weak self] in self?.contentMayHaveChanged() }
        let layers = watchLayers()
        state.withLock { $0.watchStarted(watch, layers: layers) }
        // After the watches, so that no change is missed in between.
        readLayers()
    }

    func watchLater() {
        scheduler.run(after: Self.watchDelay) { [weak self] in
            guard let self else { return }
            _ = state.withLock { $0.watch.becomeDue() }
            startWatchingInBackground()
        }
    }

    /// Reads now, unless a commit is about to. If a watch delays the exit of the process, it begins later.
    private func startWatchingLater() {
        if state.withLock(\.watch.willBeWatched) { return }
        guard traits.delaysExit else { return startWatching() }
        let hasRead: Void? = storage.withLockIfAvailable { storage in
            checkWriteAccess(storage)
            read(&storage)
        }
        if hasRead != nil {
            deliver()
            reportFailures()
        }
        if state.withLock({ $0.watch.beginLater() }) { watchLater() }
    }

    /// The watch has notified.
    private func contentMayHaveChanged() {
        if state.withLock({ $0.watch.beginReading() }) { scheduler.runHere { self.readInBackground() } }
    }

    /// Reads the storage and notifies the observers. Waits for a commit that is using the storage.
    func readInBackground() {
        storage.withLock { storage in
            state.withLock { $0.watch.readingBegins() }
            read(&storage)
        }
        deliver()
        // After the delivery, because the new values are more urgent.
        storage.withLock { checkWriteAccess($0) }
        deliver()
        reportFailures()
        exportIfPossible()
    }
}

// MARK: - Notifying

extension SuiteCore {
    /// Reports the failures that no caller was thrown.
    func reportFailures() {
        for var error in state.withLock({ $0.takeUnreported() }) {
            if case .conflict(var current) = error {
                for key in current.keys where declarations.hasSecret(key) { current[key] = .some(nil) }
                error = .conflict(current: current)
            }
            if case .unusableLayer(let problem) = error, FailureHandler.handler != nil, let layeredSuite,
                !ReportedLayerProblems.insert(problem, layeredSuite.files)
            {
                continue
            }
            FailureHandler.report(location, error)
        }
    }

    /// Notifies the observers, unless another thread is doing so.
    func deliver() {
        if state.withLock({ $0.observers.begin() }) { drain() }
    }

    func drain() {
        while let (event, observers) = state.withLock({ $0.observers.next() }) {
            for observer in observers { observer.notify(event) }
        }
    }
}
