/// A path to watch, and the function to call when it may have changed.
final class WatchRegistration: Sendable {
    let path: WatchedPath
    let notify: @Sendable () -> Void
    /// Why the path is polled; nil if its events are complete.
    let problem = Mutex<String?>(nil)
    /// Whether a program writes the file in place at present.
    let writing = Mutex(InPlaceWriteTracker())

    init(_ path: WatchedPath, _ notify: @escaping @Sendable () -> Void) {
        self.path = path
        self.notify = notify
    }
}

/// The inotify watches that serve a registration.
struct ArmedPath {
    let registration: WatchRegistration
    var walk = WatchedPath.Walk()
    /// The watch of the file where the walk ends; nil if there is none.
    var file: Int32?
    /// Whether the new file is to be watched a moment later.
    var isFileDue = false

    init(registration: WatchRegistration) { self.registration = registration }

    mutating func beginWatchingFile() -> Bool {
        defer { isFileDue = true }
        return !isFileDue
    }
}
