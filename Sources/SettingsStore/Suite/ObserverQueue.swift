// Every observer must see the same changes in the same order, and observers may call the suite. So changes wait in one
// queue, and one thread at a time takes them out and notifies, with no lock held. Without the queue, an observer that
// sets a value would wait for itself, or two threads would notify in different orders.

import PropertyList

/// The observers of a suite, and the notifications that they have not got yet, in order. Plain state without a lock.
///
/// One thread at a time delivers, also what is added meanwhile.
struct ObserverQueue {
    private(set) var lastSequence: UInt64 = 0
    private var observersOfAllKeys: [Observer] = []
    private var observersByKey: [String: [Observer]] = [:]
    /// The first `delivered` events are delivered.
    private var queue: [SuiteEvent] = []
    private var delivered = 0
    private var isDelivering = false

    /// Delivered events stay in the queue up to this number, because each removal moves all later ones.
    private static let deliveredLimit = 1024
    /// A queue of up to this length keeps its memory.
    private static let keptCapacity = 64

    mutating func add(
        _ key: String,
        old: PropertyListValue?,
        new: PropertyListValue?,
        _ origin: ChangeOrigin
    ) {
        lastSequence += 1
        // While an earlier event is in the queue, an observer that joins needs all later ones too.
        if observersOfAllKeys.isEmpty && observersByKey.isEmpty && delivered == queue.count { return }
        queue.append(
            .change(Change(key: key, old: old, new: new, origin: origin, sequence: lastSequence))
        )
    }

    /// Adds an event for the observers of all keys.
    mutating func add(_ event: SuiteEvent) {
        if !observersOfAllKeys.isEmpty { queue.append(event) }
    }

    /// Returns whether the caller has to deliver: there is an event, and no thread is delivering.
    mutating func begin() -> Bool {
        if isDelivering || delivered == queue.count { return false }
        isDelivering = true
        return true
    }

    /// A forked child does not have the thread that was delivering. Of the parent's undelivered events it keeps one
    /// change for each key and the last status.
    ///
    /// While an observer is slow, any number of changes may wait, and the child's first set delivers all of them.
    /// Without this, a child that sets a value and exits would take as long as the observer for which its parent waits.
    mutating func resetInChild() {
        isDelivering = false
        var oldValues: [String: PropertyListValue?] = [:]
        var lastChanges: [Change] = []
        var lastStatus: SuiteEvent?
        for event in queue[delivered...] {
            switch event {
            case .change(let change):
                if !oldValues.keys.contains(change.key) {
                    oldValues.updateValue(change.old, forKey: change.key)
                }
                // Sequence numbers have no gaps.
                lastSequence -= 1
            case .status: lastStatus = event
            case .failed: break
            }
        }
        var keys: Set<String> = []
        for case .change(let change) in queue[delivered...].reversed() where keys.insert(change.key).inserted
        {
            lastChanges.append(change)
        }
        queue = lastStatus.map { [$0] } ?? []
        delivered = 0
        for change in lastChanges.reversed() {
            lastSequence += 1
            let merged = Change(
                key: change.key,
                old: oldValues[change.key] ?? nil,
                new: change.new,
                origin: change.origin,
                sequence: lastSequence
            )
            queue.append(.change(merged))
        }
    }

    var hasMore: Bool { delivered < queue.count }

    /// The next event and its receivers. nil, if all is delivered, ends the delivery.
    mutating func next() -> (event: SuiteEvent, observers: [Observer])? {
        guard delivered < queue.count else {
            queue.removeAll(keepingCapacity: queue.count <= Self.keptCapacity)
            delivered = 0
            isDelivering = false
            return nil
        }
        let event = queue[delivered]
        delivered += 1
        if delivered >= Self.deliveredLimit, delivered * 2 >= queue.count {
            queue.removeFirst(delivered)
            delivered = 0
        }
        guard case .change(let change) = event else { return (event, observersOfAllKeys) }
        let keyed = observersByKey[change.key] ?? []
        return (event, observersOfAllKeys.isEmpty ? keyed : keyed + observersOfAllKeys)
    }

    /// Adds an observer, which gets every event that is not delivered yet.
    ///
    /// - Parameter value: the current value of the observer's key.
    /// - Returns: the value to start from: the one after the last delivered change.
    mutating func join(_ observer: Observer, _ value: PropertyListValue?) -> PropertyListValue? {
        guard let key = observer.key else {
            observersOfAllKeys.append(observer)
            return nil
        }
        observersByKey[key, default: []].append(observer)
        for case .change(let change) in queue[delivered...] where change.key == key { return change.old }
        return value
    }

    mutating func remove(_ observer: Observer) {
        guard let key = observer.key else { return observersOfAllKeys.removeAll { $0 === observer } }
        observersByKey[key]?.removeAll { $0 === observer }
        if observersByKey[key]?.isEmpty == true { observersByKey[key] = nil }
    }
}
