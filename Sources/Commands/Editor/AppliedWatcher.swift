import DesiredSettings
import Dispatch
import SettingsEditor
import SettingsStore

/// Tells the editor what `pdefaults apply --as` has set in the open suites, now and after each change.
final class AppliedWatcher: Sendable {
    private let mailbox: Mailbox<StoreEvent>
    /// Runs all looks in order.
    private let queue = DispatchQueue(label: "AppliedWatcher")
    /// The files of the suites, by the suites' ids.
    private let suites = Mutex<[String: String]>([:])
    private let watch = Mutex<StorageWatch?>(nil)

    init(_ mailbox: Mailbox<StoreEvent>) { self.mailbox = mailbox }

    /// Adds a suite.
    ///
    /// - Parameter place: The suite's file itself.
    func add(_ id: String, _ place: String) {
        suites.withLock { $0[id] = place }
        watch.withLock { watch in
            if watch != nil { return }
            watch = SettingsFolder(path: AppliedFolder.standard.path).watch { [weak self] in
                guard let self else { return }
                look(at: suites.withLock { $0 })
            }
        }
        look(at: [id: place])
    }

    private func look(at suites: [String: String]) {
        queue.async { [mailbox] in
            let folder = AppliedFolder.standard
            // A damaged file is not reported here. `pdefaults applied` reports it.
            let names = ((try? folder.names()) ?? []).compactMap { name in
                (try? folder.settings(of: name)).flatMap { settings in settings.map { (name, $0, $0.names) } }
            }
            for (id, place) in suites {
                let applied = names.flatMap { name, settings, suites in
                    (suites[place].flatMap { settings.suites[$0] }?.entries ?? [:]).sorted { $0.key < $1.key }
                        .map { AppliedSetting(by: name, $0.key, $0.value) }
                }
                mailbox.put(.applied(id, applied))
            }
        }
    }
}
