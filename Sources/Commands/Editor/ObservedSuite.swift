import Dispatch
import PropertyList
import SettingsEditor
import SettingsStore

/// Receives the declarations of a suite.
struct DeclarationsReceiver: Sendable {
    /// Called with the suite's status while no server answers.
    let out: @Sendable (SuiteStatus) -> Void
    /// Called with the declarations, or with the reason why they cannot be read.
    let declared: @Sendable (SuiteSchema, _ problem: String?) -> Void
}

/// A suite that is open in the editor and is observed once.
final class ObservedSuite: Sendable {
    let suite: SettingsSuite
    private let observation = Mutex<SuiteObservation?>(nil)
    /// Changes that will be reported together with the next ones.
    private let pendingChanges = Mutex<[Change]>([])
    private let schemaWatch = Mutex<StorageWatch?>(nil)
    /// The files with quarantined values at the previous look.
    private let setAside = Mutex<[String]>([])

    private let isStopped = Mutex(false)

    init(_ suite: SettingsSuite) { self.suite = suite }

    /// Ends all reports, because the suite's place was closed. The reports hold this object, so releasing it is not enough.
    func stop() {
        isStopped.withLock { $0 = true }
        _ = observation.withLock { $0.take() }
        _ = schemaWatch.withLock { $0.take() }
    }

    /// The target of the suite's file if it is a symbolic link.
    var link: String? {
        // A suite on a cluster has no file.
        guard suite.schemaPlace is SchemaFile else { return nil }
        return (try? SuiteSymlink(path: suite.location).target()) ?? nil
    }

    /// The line with the error in the suite's unreadable file; nil if the file is readable, huge, not a text, or may have
    /// secrets.
    var badLine: BadLine? {
        guard suite.schemaPlace is SchemaFile, case .unreadable(let path, let error)? = suite.contentError,
            case .line(let line, let column) = error.place,
            (try? suite.readSchema())?.secretKeys.isEmpty == true,
            let bytes = bytesOfFile(path, limit: Self.longestFileToShow)
        else { return nil }
        return BadLine(bytes, line: line, column: column)
    }

    /// The comments of the suite's file, by the paths of their values; nil if it is no JSON file. And the members whose names
    /// occur several times in their objects.
    var comments: ([ValuePath: String]?, repeated: [ValuePath: [RepeatedMember]]) {
        guard suite.schemaPlace is SchemaFile,
            let bytes = bytesOfFile(suite.location, limit: Self.longestFileToShow),
            let document = try? PropertyListDocument.read(
                bytes,
                expecting: .ofNewFile(called: suite.location)
            ).document
        else { return (suite.storesJSON ? [:] : nil, [:]) }
        return document.format == .json ? (document.comments, document.repeatedMembers) : (nil, [:])
    }

    /// The line of a longer file is not looked for.
    private static let longestFileToShow = 16 << 20

    /// Starts to observe. Further calls do nothing.
    ///
    /// Changes that were made together are reported together, because the screen would otherwise show half of
    /// them for a moment.
    func observe(
        changes report: @escaping @Sendable ([Change]) -> Void,
        status reportStatus: @escaping @Sendable (SuiteStatus) -> Void,
        layers reportLayers: @escaping @Sendable (OtherLayers) -> Void
    ) {
        observation.withLock { observation in
            if observation != nil || isStopped.withLock({ $0 }) { return }
            observation = suite.observe { [weak self] event in
                guard let self else { return }
                let changes = changesToReport(after: event)
                if !changes.isEmpty { report(changes) }
                // A failed attempt is also in the status.
                if case .status(let status) = event { reportStatus(status) }
                switch event {
                case .layersChanged, .failed(.unusableLayer): reportLayers(layers)
                default: break
                }
            }
        }
    }

    /// The layers of the suite besides the user's own, and besides the declared defaults.
    var layers: OtherLayers {
        OtherLayers(
            suite.otherLayers.files.filter { $0.layer != .declared }.map {
                OtherLayers.File(layer: $0.layer, location: $0.location, values: $0.values)
            },
            problems: suite.layerProblems
        )
    }

    /// Adds the event's change. Returns the changes to report now.
    private func changesToReport(after event: SuiteEvent) -> [Change] {
        pendingChanges.withLock { changes in
            if case .change(let change) = event {
                changes.append(change)
                if suite.hasMoreToTell { return [] }
            }
            defer { changes = [] }
            return changes
        }
    }

    /// Reports the keys with quarantined values and their newest files, if these have changed.
    func reportQuarantined(_ receive: ([String: String]) -> Void) {
        // Only file suites have quarantined values.
        guard suite.schemaPlace is SchemaFile else { return }
        // An unreadable folder is not reported here. `check` reports it.
        let files = (try? QuarantinedValues.files(besideSuite: suite.location)) ?? []
        let isNew = setAside.withLock { known in
            defer { known = files }
            return known != files
        }
        if isNew { receive(QuarantinedValues.newestFiles(of: files)) }
    }

    /// Reports the declarations now and after each change, or why they cannot be read.
    ///
    /// `next` is called after the first report. While no server answers, the suite is reported as stale and
    /// the read is repeated every second.
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
                // The previous declarations remain valid.
                if error.isOutage { return error }
                receiver.declared(SuiteSchema(), "\(error)")
            }
            return nil
        }
        schemaWatch.withLock { watch in
            if watch == nil { watch = suite.schemaPlace?.watch { _ = read() } }
        }
        @Sendable func begin() {
            if self.isStopped.withLock({ $0 }) { return }
            guard let outage = read() else { return next() }
            receiver.out(SuiteStatus(content: .stale(outage.reason)))
            queue.asyncAfter(deadline: .now() + 1, execute: begin)
        }
        queue.async(execute: begin)
    }
}
