/// Whether the storage of a suite is watched, and whether a reading is on the way. Part of ``SuiteState``.
///
/// This type decides when a watch begins: at once for an observer, a moment later for a suite that has only written, so
/// that a short program does not pay for it.
struct WatchState {
    /// nil before the suite is watched.
    private(set) var watch: StorageWatch?
    /// The watches of the other layers' files.
    private var layerWatches: [StorageWatch] = []
    /// Whether a thread is about to read the other layers.
    private var isLayerReadScheduled = false
    /// Whether the watch begins in a moment.
    private var isScheduled = false
    /// Whether the time has come to begin the watch.
    private var isTime = false
    /// Whether a thread is about to read foreign changes.
    private var isReadScheduled = false
}

extension WatchState {
    var isWatching: Bool { watch != nil }

    /// How foreign changes are noticed at present.
    var watching: SuiteStatus.Watching { watch?.watching ?? .off }

    /// Whether the storage is watched now or in a moment.
    var willBeWatched: Bool { watch != nil || isScheduled }

    /// Whether the next commit has to begin the watch.
    var isDue: Bool { isTime && watch == nil }

    /// Returns whether the caller has to schedule the beginning of the watch.
    mutating func beginLater() -> Bool {
        if willBeWatched { return false }
        isScheduled = true
        return true
    }

    /// Has the next commit begin the watch. Returns whether that is new.
    mutating func becomeDue() -> Bool {
        defer { isTime = true }
        return !isTime
    }

    mutating func started(_ watch: StorageWatch, layers: [StorageWatch]) {
        self.watch = watch
        layerWatches = layers
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
