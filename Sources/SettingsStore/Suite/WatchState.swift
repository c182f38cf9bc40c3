/// Whether the storage of a suite is watched, and whether a reading is on the way. Part of ``SuiteState``.
///
/// This type decides when a watch begins: at once for an observer, a moment later for a suite that has only written, so
/// that a short program does not pay for it.
struct WatchState {
    private enum Phase {
        case off
        /// The watch begins in a moment.
        case later
        /// The time has come to begin the watch.
        case due
        /// The storage is watched, and the other layers' files.
        case on(StorageWatch, layers: [StorageWatch])
    }

    private var phase = Phase.off
    /// Whether a thread is about to read foreign changes.
    private var isReadScheduled = false
    /// Whether a thread is about to read the other layers.
    private var isLayerReadScheduled = false
}

extension WatchState {
    var isWatching: Bool { if case .on = phase { true } else { false } }

    /// How foreign changes are noticed at present.
    var watching: SuiteStatus.Watching { if case .on(let watch, _) = phase { watch.watching } else { .off } }

    /// Whether the storage is watched now or in a moment.
    var willBeWatched: Bool { if case .off = phase { false } else { true } }

    /// Whether the next commit has to begin the watch.
    var isDue: Bool { if case .due = phase { true } else { false } }

    /// Returns whether the caller has to schedule the beginning of the watch.
    mutating func beginLater() -> Bool {
        if willBeWatched { return false }
        phase = .later
        return true
    }

    /// Has the next commit begin the watch. Returns whether that is new.
    mutating func becomeDue() -> Bool {
        switch phase {
        case .off, .later:
            phase = .due
            return true
        case .due, .on: return false
        }
    }

    mutating func started(_ watch: StorageWatch, layers: [StorageWatch]) {
        phase = .on(watch, layers: layers)
    }

    /// Returns whether the caller has to schedule a reading of the other layers.
    mutating func beginReadingLayers() -> Bool {
        defer { isLayerReadScheduled = true }
        return !isLayerReadScheduled
    }

    /// From now on a notification means another reading of the other layers.
    mutating func readingLayersBegins() { isLayerReadScheduled = false }

    /// Returns whether the caller has to schedule a reading.
    mutating func beginReading() -> Bool {
        defer { isReadScheduled = true }
        return !isReadScheduled
    }

    /// From now on a notification means another reading.
    mutating func readingBegins() { isReadScheduled = false }
}
