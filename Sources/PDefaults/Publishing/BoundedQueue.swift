/// A first-in, first-out queue with numbered elements and a limit.
///
/// Problem: values wait for a subscriber that is slow or asks for none, and a program may set values faster than that
/// for as long as it runs. Approach: an array with a moving start, which gives up its oldest element when it has
/// ``limit`` elements; every element keeps its number while it waits, so that several readers can each remember where
/// they are. Without it, memory would grow without end, or each set would cost more the more values wait.
///
/// Our own code, since the only alternative is `Deque` of swift-collections: a dependency for fifty lines, and it
/// neither numbers its elements nor gives back the memory of a long backlog.
struct BoundedQueue<Element> {
    /// The largest number of elements. The kernel queues as many events for a watcher
    /// (`/proc/sys/fs/inotify/max_queued_events`).
    static var limit: Int { 16_384 }

    private var slots: [Element?] = []
    /// The index of the first element. The slots before it are empty.
    private var start = 0
    /// The number of the first element. The first element that was ever appended has number 0.
    private(set) var first = 0

    /// The number of the next element to be appended.
    var end: Int { first + slots.count - start }

    /// The element with a number from ``first`` to below ``end``; nil for any other number.
    subscript(number: Int) -> Element? {
        number < first || number >= end ? nil : slots[start + number - first]
    }

    /// Appends an element, and returns the oldest one if there are too many.
    mutating func append(_ element: Element) -> Element? {
        slots.append(element)
        return slots.count - start > Self.limit ? popFirst() : nil
    }

    mutating func popFirst() -> Element? {
        if start == slots.count { return nil }
        first += 1
        if slots.count == 1 { return slots.removeLast() }
        let element = slots[start]
        slots[start] = nil
        start += 1
        if start == slots.count {
            slots.removeAll(keepingCapacity: slots.count <= 64)
            start = 0
        } else if start >= 64, start * 2 >= slots.count {
            slots.removeFirst(start)
            start = 0
        }
        return element
    }
}
