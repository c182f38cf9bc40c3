import Dispatch
import SettingsEditor
import SettingsStore
import Synchronization

/// Is told of what is declared.
struct DeclarationsReceiver: Sendable {
    /// How the suite stands while nobody can be asked.
    let out: @Sendable (SuiteStatus) -> Void
    /// What is declared, or why that can't be read.
    let declared: @Sendable (SuiteSchema, _ problem: String?) -> Void
}

/// A suite that the editor has open, observed once.
final class ObservedSuite: Sendable {
    let suite: SettingsSuite
    private let observation = Mutex<SuiteObservation?>(nil)
    /// The changes behind which others are about to come.
    private let untold = Mutex<[Change]>([])
    private let schemaWatch = Mutex<StorageWatch?>(nil)
    /// The files that values were set aside in when somebody looked last.
    private let setAside = Mutex<[String]>([])

    init(_ suite: SettingsSuite) { self.suite = suite }

    /// Where its file leads, if that is a symbolic link.
    var link: String? {
        // Kept elsewhere it has no file.
        guard suite.schemaPlace is SchemaFile else { return nil }
        return (try? SuiteLink(path: suite.location).target()) ?? nil
    }

    /// Begins to observe; further calls do nothing. What has come at once is told at once: half of a change would
    /// be shown for an instant.
    func observe(
        changes tell: @escaping @Sendable ([Change]) -> Void,
        status tellStatus: @escaping @Sendable (SuiteStatus) -> Void
    ) {
        observation.withLock { observation in
            if observation != nil { return }
            observation = suite.observe { [weak self] event in
                guard let self else { return }
                let changes = untold(behind: event)
                if !changes.isEmpty { tell(changes) }
                // That an attempt has failed the status says too.
                if case .status(let status) = event { tellStatus(status) }
            }
        }
    }

    /// The changes that are to be told now that an event has come.
    private func untold(behind event: SuiteEvent) -> [Change] {
        untold.withLock { changes in
            if case .change(let change) = event {
                changes.append(change)
                if suite.hasMoreToTell { return [] }
            }
            defer { changes = [] }
            return changes
        }
    }

    /// Tells of which keys programs have set values aside, if that has changed, with the newest one's file.
    func findSetAside(_ receive: ([String: String]) -> Void) {
        // Only beside files are values set aside.
        guard suite.schemaPlace is SchemaFile else { return }
        // What can't be looked into has nothing to tell here; `check` says why.
        let files = (try? KeptValues.files(besideSuite: suite.location)) ?? []
        let isNew = setAside.withLock { known in
            defer { known = files }
            return known != files
        }
        if isNew { receive(KeptValues.newestFiles(of: files)) }
    }

    /// Tells what programs have declared, now and whenever that changes, or why it can't be read. `next` is
    /// called once that is told the first time; while no server answers it is told that the suite is stale,
    /// and tried again.
    func observeDeclarations(
        on queue: DispatchQueue,
        _ receiver: DeclarationsReceiver,
        next: @escaping @Sendable () -> Void
    ) {
        let suite = suite
        let read: @Sendable () -> SettingsError? = {
            do throws(SettingsError) {
                receiver.declared(try suite.readSchema(), nil)
            } catch {
                // What was known before stays.
                if error.isOutage { return error }
                receiver.declared(SuiteSchema(), "\(error)")
            }
            return nil
        }
        schemaWatch.withLock { watch in
            if watch == nil { watch = suite.schemaPlace?.watch { _ = read() } }
        }
        @Sendable func begin() {
            guard let outage = read() else { return next() }
            receiver.out(SuiteStatus(content: .stale(outage.reason)))
            queue.asyncAfter(deadline: .now() + 1, execute: begin)
        }
        queue.async(execute: begin)
    }
}
