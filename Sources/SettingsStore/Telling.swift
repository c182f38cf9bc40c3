import PropertyList

/// Who observes a suite, and what is still to be told to them, in its order: plain state.
///
/// One thread tells at a time, without a lock; what is added meanwhile is told by it too.
struct Telling {
    private var lastSequence: UInt64 = 0
    private var observersOfAll: [Observer] = []
    private var observersByKey: [String: [Observer]] = [:]
    /// What lies before `told` has been told.
    private var queue: [SuiteEvent] = []
    private var told = 0
    private var isUnderWay = false

    mutating func add(
        _ key: String,
        old: PropertyListValue?,
        new: PropertyListValue?,
        _ origin: ChangeOrigin
    ) {
        lastSequence += 1
        // What is still to be told has to be followed by all that came after it: an observer may
        // join in between.
        if observersOfAll.isEmpty && observersByKey.isEmpty && told == queue.count { return }
        queue.append(
            .change(Change(key: key, old: old, new: new, origin: origin, sequence: lastSequence))
        )
    }

    /// Adds what only those hear who observe everything.
    mutating func add(_ event: SuiteEvent) {
        if !observersOfAll.isEmpty { queue.append(event) }
    }

    /// Whether the caller has to tell: there is something, and nobody is at it.
    mutating func begin() -> Bool {
        if isUnderWay || told == queue.count { return false }
        isUnderWay = true
        return true
    }

    var hasMore: Bool { told < queue.count }

    /// The next event and who is to hear it; nil, once all is told, ends the telling.
    mutating func next() -> (event: SuiteEvent, observers: [Observer])? {
        guard told < queue.count else {
            queue.removeAll(keepingCapacity: queue.count <= 64)
            told = 0
            isUnderWay = false
            return nil
        }
        let event = queue[told]
        told += 1
        if told >= 1024, told * 2 >= queue.count {
            queue.removeFirst(told)
            told = 0
        }
        guard case .change(let change) = event else { return (event, observersOfAll) }
        let keyed = observersByKey[change.key] ?? []
        return (event, observersOfAll.isEmpty ? keyed : keyed + observersOfAll)
    }

    /// Adds an observer, who hears of everything that is not told yet.
    ///
    /// - Parameter value: what the observer's key has now.
    /// - Returns: the value after which the observer hears of everything: that of the last change told.
    mutating func join(_ observer: Observer, _ value: PropertyListValue?) -> PropertyListValue? {
        guard let key = observer.key else {
            observersOfAll.append(observer)
            return nil
        }
        observersByKey[key, default: []].append(observer)
        for case .change(let change) in queue[told...] where change.key == key { return change.old }
        return value
    }

    mutating func remove(_ observer: Observer) {
        guard let key = observer.key else { return observersOfAll.removeAll { $0 === observer } }
        observersByKey[key]?.removeAll { $0 === observer }
        if observersByKey[key]?.isEmpty == true { observersByKey[key] = nil }
    }
}
