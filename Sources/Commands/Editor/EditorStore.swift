import Dispatch
import FoundationEssentials
import PropertyList
import SettingsEditor
import SettingsStore
import Synchronization

/// Loads, reads and writes suites for the editor on other threads, and puts the results into the mailbox.
///
/// The store belongs to the loop's thread. Reading a network file system or writing to a busy disk can take
/// seconds, and the keys must keep working meanwhile.
final class EditorStore {
    /// The open places. An id of a suite leads to its place and to its name there.
    private var subjects: [EditorLoop.Subject] = []
    private let mailbox: Mailbox<StoreEvent>
    private let writer = WriterID()
    /// Runs all writes in order, away from the loop's thread, so that a slow disk does not block the keys.
    private let writes = DispatchQueue(label: "EditorStore.writes")
    private let reads = DispatchQueue(label: "EditorStore.reads", attributes: .concurrent)
    /// Reads suites that are not open, in order.
    private let searchReads = DispatchQueue(label: "EditorStore.searchReads")
    /// The number of the latest request to read such suites. Earlier requests stop.
    private let reading = Counter()
    private var suites: [String: ObservedSuite] = [:]
    private let applied: AppliedWatcher

    init(_ mailbox: Mailbox<StoreEvent>) {
        self.mailbox = mailbox
        applied = AppliedWatcher(mailbox)
    }

    /// Adds a place, so that its suites can be loaded.
    func open(_ subject: EditorLoop.Subject) { subjects.append(subject) }

    func isOpen(_ place: String) -> Bool { subjects.contains { $0.place.id == place } }

    /// Forgets the suites of a place, and stops to watch them.
    func close(_ place: String) {
        guard let index = subjects.firstIndex(where: { $0.place.id == place }) else { return }
        let closed = subjects.remove(at: index)
        for id in suites.keys where closed.place.name(ofSuite: id) != nil {
            suites.removeValue(forKey: id)?.stop()
        }
    }

    /// The place of a suite, and the suite's name there; nil if the place is closed.
    private func find(_ id: String) -> (subject: EditorLoop.Subject, name: String)? {
        subjects.lazy.compactMap { subject in subject.place.name(ofSuite: id).map { (subject, $0) } }.first
    }

    /// Loads a suite on another thread and reports its changes from then on.
    func load(_ id: String) {
        guard let suite = suite(id) else { return }
        let (mailbox, searchReads, writes) = (mailbox, searchReads, writes)
        // On the queue of the writes, so that an older state is never reported after a newer one.
        let reportLink: @Sendable () -> Void = {
            writes.async { mailbox.put(.link(id, to: suite.link)) }
        }
        let reportBadLine: @Sendable () -> Void = {
            searchReads.async { mailbox.put(.badLine(id, suite.badLine)) }
        }
        let reportComments: @Sendable () -> Void = {
            searchReads.async {
                let (comments, repeated) = suite.comments
                mailbox.put(.comments(id, comments, repeated: repeated))
            }
        }
        let reportQuarantined: @Sendable () -> Void = {
            searchReads.async { suite.reportQuarantined { mailbox.put(.setAside(id, $0)) } }
        }
        // The declarations come first, so that a secret value is never shown before it is known to be secret.
        let tell = DeclarationsReceiver(
            out: { mailbox.put(.status(id, $0)) },
            declared: { mailbox.put(.declared(id, $0, problem: $1)) }
        )
        suite.observeDeclarations(on: reads, tell) {
            suite.observe(
                changes: { changes in
                    mailbox.put(.changed(id, changes, PreparedDiff.of(changes)))
                    if suite.suite.storesJSON { reportComments() }
                    if changes.contains(where: { $0.origin == .otherProcess }) { reportQuarantined() }
                },
                status: {
                    mailbox.put(.status(id, $0))
                    reportLink()
                    reportBadLine()
                },
                layers: { mailbox.put(.layers(id, $0)) }
            )
            mailbox.put(.layers(id, suite.layers))
            mailbox.put(.loaded(id, values: suite.suite.storedEntries, suite.suite.status))
            reportLink()
            reportBadLine()
            reportComments()
            reportQuarantined()
        }
        if let (subject, name) = find(id), subject.place.kind == .files,
            let target = try? subject.suiteTarget(name)
        {
            applied.add(id, target.place)
        }
    }

    /// Reads suites in order without opening them.
    func read(_ ids: [String]) {
        let (mailbox, reading) = (mailbox, reading)
        let number = reading.next()
        // A file is loaded when it is opened.
        let found = ids.compactMap { id in find(id).map { (id, $0.subject, $0.name) } }
        searchReads.async {
            var readers: [String: OneShotReader] = [:]
            for (id, subject, name) in found {
                guard reading.current == number else { return }
                guard case .folder(let backend) = subject.content else { continue }
                mailbox.put(readers[subject.place.id, default: OneShotReader(backend)].read(name, as: id))
            }
        }
    }

    func findRevisions(of key: String, in id: String) {
        guard let (subject, name) = find(id) else { return }
        let mailbox = mailbox
        reads.async {
            do {
                let target = try subject.suiteTarget(name)
                mailbox.put(
                    .revisions(id, key: key, .success(try target.history(ofKey: key, limit: 1000) ?? []))
                )
            } catch {
                mailbox.put(.revisions(id, key: key, .failure(RevisionsError("\(error)"))))
            }
        }
    }

    func importFile(_ path: String, into id: String) {
        let mailbox = mailbox
        reads.async { mailbox.put(.file(id, path: path, fileToImport(path))) }
    }

    func export(_ id: String, to path: String, replaces: Bool) {
        guard let suite = suite(id)?.suite else { return }
        let mailbox = mailbox
        // After all writes, so that the file has what the editor shows.
        writes.async { mailbox.put(.file(id, path: path, exportFile(suite, to: path, replaces: replaces))) }
    }

    func recover(_ id: String) {
        guard let suite = suite(id)?.suite else { return }
        let mailbox = mailbox
        writes.async {
            let result: RecoverResult
            do throws(SettingsError) {
                let place = try suite.recover()
                result = place.map { RecoverResult.setAside($0) } ?? .notNeeded
            } catch {
                result = .failed("\(error)")
            }
            mailbox.put(.recovered(id, result))
        }
    }

    private func suite(_ id: String) -> ObservedSuite? {
        if let suite = suites[id] { return suite }
        guard let (subject, name) = find(id), let target = try? subject.suiteTarget(name) else { return nil }
        let suite = ObservedSuite(target.suite)
        suites[id] = suite
        return suite
    }

    func write(_ request: Write) {
        guard let observed = suite(request.suite) else { return }
        let suite = observed.suite
        let (mailbox, writer) = (mailbox, writer)
        var model: SettingsSuite?
        var isLink = false
        if case .made(let like?, let asLink, _)? = request.whole {
            (model, isLink) = (self.suite(like)?.suite, asLink)
        }
        let declared = request.whole?.declaredAs.flatMap { self.suite($0)?.suite }
        writes.async { [model, isLink] in
            let result: WriteResult
            do throws(SettingsError) {
                let (old, new) = (request.changes.mapValues(\.old), request.changes.mapValues(\.new))
                let origin = ChangeOrigin.set(by: writer)
                switch request.whole {
                case .made?:
                    let values = new.compactMapValues(\.self)
                    let moved = try suite.make(
                        values,
                        like: model,
                        asLink: isLink,
                        declaredAs: declared,
                        origin: origin
                    )
                    if moved != .moved { mailbox.put(.declarationsStay(request.id, moved)) }
                case .removed?:
                    let values = old.compactMapValues(\.self)
                    let moved = try suite.remove(expecting: values, declaredAs: declared, origin: origin)
                    if moved != .moved { mailbox.put(.declarationsStay(request.id, moved)) }
                case .linked(let target)?: try SuiteSymlink(path: suite.location).make(to: target)
                case .unlinked(let target)?: try SuiteSymlink(path: suite.location).remove(leadingTo: target)
                case nil: try suite.replace(new, expecting: old, origin: origin)
                }
                result = .done
            } catch {
                if case .conflict(let current) = error {
                    result = .conflict(current: current)
                } else {
                    result = .failed("\(error)", error.isOutage ? .outage : .refusal)
                }
            }
            if request.whole != nil { mailbox.put(.link(request.suite, to: observed.link)) }
            mailbox.put(.wrote(request.id, result))
        }
    }
}

extension EditorLoop.Subject {
    fileprivate func suiteTarget(_ name: String) throws -> SuiteTarget {
        switch content {
        case .file(let target): target
        case .folder(let backend): SuiteTarget(try backend.suiteName(name), in: backend)
        }
    }
}

/// A counter that several threads use.
private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    var current: Int { count.load(ordering: .relaxed) }
}
