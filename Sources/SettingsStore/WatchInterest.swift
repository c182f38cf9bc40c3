import Synchronization

/// Somebody who wants to hear of changes at a place.
final class WatchInterest: Sendable {
    let place: WatchedPlace
    let hint: @Sendable () -> Void
    let start = ContinuousClock.now
    /// Why the place is polled; nil where events can be relied on.
    let problem = Mutex<String?>(nil)
    /// When somebody last wrote the file without replacing it.
    let lastWriteInPlace = Mutex<ContinuousClock.Instant?>(nil)
    /// Whether somebody does at present.
    let writing = Mutex(InPlaceWriting())

    init(_ place: WatchedPlace, _ hint: @escaping @Sendable () -> Void) {
        self.place = place
        self.hint = hint
    }
}

/// The watches that serve an interest.
struct ArmedPlace {
    let interest: WatchInterest
    var walk = WatchedPlace.Walk()
    /// Of the file where the walk ends; nil where there is none.
    var file: Int32?
    /// Whether another file is to be watched in a while.
    var isFileDue = false

    init(interest: WatchInterest) { self.interest = interest }

    mutating func beginWatchingFile() -> Bool {
        defer { isFileDue = true }
        return !isFileDue
    }
}
