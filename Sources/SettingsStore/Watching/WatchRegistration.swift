/// A path to watch, and the function to call when it may have changed.
final class WatchRegistration: Sendable {
    let path: WatchedPath
    let notify: @Sendable () -> Void
    /// Why the path is polled; nil if its events are complete.
    let problem = Mutex<String?>(nil)

    init(_ path: WatchedPath, _ notify: @escaping @Sendable () -> Void) {
        self.path = path
        self.notify = notify
    }
}

/// The inotify watches that serve a registration.
struct ArmedPath {
    let registration: WatchRegistration
    var walk = WatchedPath.Walk()
}
