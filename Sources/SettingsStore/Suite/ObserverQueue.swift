// Every observer must see the same changes in the same order, and observers may call the suite. So changes wait in one
// queue, and one thread at a time takes them out and notifies, with no lock held. Without the queue, an observer that
// sets a value would wait for itself, or two threads would notify in different orders.

import PropertyList

/// The observers of a suite, and the notifications that they have not got yet, in order. Plain state without a lock.
///
/// One thread at a time delivers, also what is added meanwhile.
struct ObserverQueue {
    /// The observers that get an event. Observers of all keys get the changes of the user's layer, and observers of one
    /// key those of the value that programs read. Usually that is the same event.
    private enum Audience { case everyone, observersOfAllKeys, observersOfTheKey }

    private struct Entry {
        let event: SuiteEvent
        var audience = Audience.everyone
    }

    /// The number of the last change, whether or not the observers have got it yet.
    private(set) var lastSequence: UInt64 = 0
    private var observersOfAllKeys: [Observer] = []
    private var observersByKey: [String: [Observer]] = [:]
    /// The first `delivered` events are delivered.
    private var queue: [Entry] = []
    private var delivered = 0
    private var isDelivering = false

    /// Delivered events stay in the queue up to this number, because each removal moves all later ones.
    private static let deliveredLimit = 1024
    /// A queue with room for up to this number of events keeps its memory.
    private static let keptCapacity = 128

    /// Adds a change of the user's layer. Consumes it, because a copy of two values takes longer than a lock.
    mutating func add(_ key: String, _ replaced: consuming SuiteValues.Replaced, _ origin: ChangeOrigin) {
        lastSequence += 1
        if isUnobserved { return }
        queue.append(
            Entry(
                event: .change(
                    Change(
                        key: key,
                        old: replaced.old,
                        new: replaced.new,
                        origin: origin,
                        sequence: lastSequence
                    )
                ),
                audience: replaced.layered == nil ? .everyone : .observersOfAllKeys
            )
        )
        guard let layered = replaced.layered else { return }
        // The writer of a key expects a notification, even of an equal value.
        if layered.isVisible || layered.changesOnlyLayer || origin != .otherProcess {
            append(key, layered, origin)
        }
    }

    /// Adds a change of another layer.
    mutating func add(_ key: String, _ change: LayeredChange) {
        guard change.isVisible || change.changesOnlyLayer else { return }
        if change.isVisible { lastSequence += 1 }
        if !isUnobserved { append(key, change, .otherProcess) }
    }

    private mutating func append(_ key: String, _ layered: LayeredChange, _ origin: ChangeOrigin) {
        let change = Change(key: key, layered, origin: origin, sequence: lastSequence)
        queue.append(Entry(event: .change(change), audience: .observersOfTheKey))
    }

    /// While an earlier event is in the queue, an observer that joins needs all later ones too.
    private var isUnobserved: Bool {
        observersOfAllKeys.isEmpty && observersByKey.isEmpty && delivered == queue.count
    }

    /// Adds an event for the observers of all keys.
    mutating func add(_ event: SuiteEvent) {
        if !observersOfAllKeys.isEmpty { queue.append(Entry(event: event, audience: .observersOfAllKeys)) }
    }

    /// Returns whether the caller has to deliver: there is an event, and no thread is delivering.
    mutating func begin() -> Bool {
        if isDelivering || delivered == queue.count { return false }
        isDelivering = true
        return true
    }

    /// Whether an observer of all keys will get another event. One key's change can have two events, one for each kind of
    /// observers.
    var hasMore: Bool { queue[delivered...].contains { $0.audience != .observersOfTheKey } }

    /// The next event and its receivers. nil, if all is delivered, ends the delivery.
    mutating func next() -> (event: SuiteEvent, observers: [Observer])? {
        guard delivered < queue.count else {
            let keepsCapacity = queue.capacity <= Self.keptCapacity
            // Usually the queue is empty, and removing nothing takes as long as a lock.
            if !queue.isEmpty || !keepsCapacity { queue.removeAll(keepingCapacity: keepsCapacity) }
            delivered = 0
            isDelivering = false
            return nil
        }
        let entry = takeFirst()
        let (event, audience) = (entry.event, entry.audience)
        guard audience != .observersOfAllKeys, case .change(let change) = event else {
            return (event, observersOfAllKeys)
        }
        let keyed = observersByKey[change.key] ?? []
        if audience == .observersOfTheKey || observersOfAllKeys.isEmpty { return (event, keyed) }
        return (event, keyed + observersOfAllKeys)
    }

    private mutating func takeFirst() -> Entry {
        // Usually there is one entry. It is moved out, because a copy counts references for longer than a lock takes.
        if queue.count == 1 { return queue.removeLast() }
        let entry = queue[delivered]
        delivered += 1
        if delivered >= Self.deliveredLimit, delivered * 2 >= queue.count {
            queue.removeFirst(delivered)
            delivered = 0
        }
        return entry
    }

    /// Adds an observer, which gets every event that is not delivered yet.
    ///
    /// - Parameter value: the current value of the observer's key.
    /// - Returns: the value to start from: the one after the last delivered change.
    mutating func join(_ observer: Observer, _ value: LayeredValue?) -> LayeredValue? {
        guard let key = observer.key else {
            observersOfAllKeys.append(observer)
            return nil
        }
        observersByKey[key, default: []].append(observer)
        for entry in queue[delivered...] where entry.audience != .observersOfAllKeys {
            guard case .change(let change) = entry.event, change.key == key else { continue }
            return change.old.map { LayeredValue(value: $0, layer: change.oldLayer) }
        }
        return value
    }

    mutating func remove(_ observer: Observer) {
        guard let key = observer.key else { return observersOfAllKeys.removeAll { $0 === observer } }
        observersByKey[key]?.removeAll { $0 === observer }
        if observersByKey[key]?.isEmpty == true { observersByKey[key] = nil }
    }
}
