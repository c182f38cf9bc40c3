/// What waits for its turn, first in, first out, at most ``limit`` of it.
struct Backlog<Element> {
    /// As many as the kernel queues for a watcher (`/proc/sys/fs/inotify/max_queued_events`).
    static var limit: Int { 16_384 }

    private var elements: [Element?] = []
    /// Where the first one lies; what is before has had its turn.
    private var start = 0

    var isEmpty: Bool { start == elements.count }

    /// Appends, and returns the oldest one where there are too many.
    mutating func append(_ element: Element) -> Element? {
        elements.append(element)
        return elements.count - start > Self.limit ? popFirst() : nil
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        if elements.count == 1 { return elements.removeLast() }
        let first = elements[start]
        elements[start] = nil
        start += 1
        if isEmpty {
            elements.removeAll(keepingCapacity: elements.count <= 64)
            start = 0
        } else if start >= 64, start * 2 >= elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return first
    }
}
