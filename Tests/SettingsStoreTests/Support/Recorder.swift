import SettingsStore
import Synchronization

/// Records the events that an observer receives.
final class Recorder<Element: Sendable>: Sendable {
    private let state = Mutex<[Element]>([])

    var all: [Element] { state.withLock { $0 } }

    func note(_ element: Element) { state.withLock { $0.append(element) } }
}
