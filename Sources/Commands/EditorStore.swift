import Dispatch
import FoundationEssentials
import PropertyList
import SettingsEditor
import SettingsStore
import Synchronization

/// Does what the editor wants of its suites, on other threads; what comes of it goes into the mailbox. Belongs to
/// the loop's thread.
final class EditorStore {
    private let subject: EditorLoop.Subject
    private let mailbox: Mailbox<EditorAction>
    private let writer = WriterID()
    /// Writes take place here, one after the other, so that a disk that hangs does not hold up the keys.
    private let writes = DispatchQueue(label: "EditorStore.writes")
    private let reads = DispatchQueue(label: "EditorStore.reads", attributes: .concurrent)
    /// Suites that are only looked into are read here, one after the other.
    private let passing = DispatchQueue(label: "EditorStore.passing")
    /// Counts what was to be read so; only the last is.
    private let reading = Counter()
    private let binaryFiles = BinaryFiles()
    private var suites: [String: ObservedSuite] = [:]

    init(_ subject: EditorLoop.Subject, _ mailbox: Mailbox<EditorAction>) {
        self.subject = subject
        self.mailbox = mailbox
        if case .domain(let domain) = subject { suites[domain.name] = ObservedSuite(domain.suite) }
    }

    /// Reads a suite on another thread, and tells of its changes from then on.
    func load(_ id: String) {
        guard let suite = suite(id) else { return }
        let (mailbox, passing, writes, binaryFiles) = (mailbox, passing, writes, binaryFiles)
        // Where it is changed, so that no older news come behind newer.
        let tellLink: @Sendable () -> Void = {
            writes.async { mailbox.put(.link(id, to: suite.link)) }
        }
        let tellSetAside: @Sendable () -> Void = {
            passing.async { suite.findSetAside { mailbox.put(.setAside(id, $0)) } }
        }
        // First, so that no secret is shown before it is known for one.
        let tell = DeclarationsReceiver(
            out: { mailbox.put(.status(id, $0)) },
            declared: { mailbox.put(.declared(id, $0, problem: $1)) }
        )
        suite.observeDeclarations(on: reads, tell) {
            suite.observe(
                changes: { changes in
                    // What takes long is shown as changed before it is known how.
                    let read = ReadChange.of(changes) { mailbox.put(.changing(id, keys: $0)) }
                    mailbox.put(.changed(id, changes, read))
                    if changes.contains(where: { $0.origin == .otherProcess }) { tellSetAside() }
                },
                status: {
                    mailbox.put(.status(id, $0))
                    tellLink()
                }
            )
            _ = binaryFiles.have(suite.suite.location)
            mailbox.put(.loaded(id, values: suite.suite.storedEntries, suite.suite.status))
            tellLink()
            tellSetAside()
        }
    }

    /// Reads suites one after the other, without keeping them.
    func read(_ ids: [String]) {
        guard case .place(let place) = subject else { return }
        let (mailbox, reading) = (mailbox, reading)
        let number = reading.next()
        passing.async {
            var reader = PassingReader(place, suites: ids.count)
            for id in ids {
                guard reading.current == number else { return }
                mailbox.put(reader.read(id))
            }
        }
    }

    func findRevisions(of key: String, in id: String) {
        let (mailbox, subject) = (mailbox, subject)
        reads.async {
            do {
                let domain =
                    switch subject {
                    case .domain(let domain): domain
                    case .place(let place): Domain(try SuiteName(id), in: place)
                    }
                mailbox.put(
                    .revisions(id, key: key, .success(try domain.history(ofKey: key, limit: 1000) ?? []))
                )
            } catch {
                mailbox.put(.revisions(id, key: key, .failure(RevisionsError("\(error)"))))
            }
        }
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

    func removePart(of id: String) {
        guard let suite = suite(id)?.suite else { return }
        let mailbox = mailbox
        writes.async {
            do throws(SettingsError) {
                let problem = try suite.removePart() ? nil : "by now it is whole, or gone"
                mailbox.put(.removedPart(id, problem: problem))
            } catch {
                mailbox.put(.removedPart(id, problem: "\(error)"))
            }
        }
    }

    private func suite(_ id: String) -> ObservedSuite? {
        if let suite = suites[id] { return suite }
        guard case .place(let place) = subject, let name = try? SuiteName(id) else { return nil }
        let suite = ObservedSuite(place.suite(name))
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
        let former = request.inPlaceOf.flatMap { self.suite($0)?.suite }
        let (isOfFiles, binaryFiles) = (subject.kind == .files, binaryFiles)
        writes.async { [model, isLink] in
            let result: WriteResult
            do throws(SettingsError) {
                // A new file is written like the one that it is modelled on.
                let isXML = isOfFiles && !binaryFiles.have((model ?? suite).location)
                let written = RoundedWrite(request, isXML: isXML)
                let (old, new) = (written.changes.mapValues(\.old), written.changes.mapValues(\.new))
                let origin = ChangeOrigin.set(by: writer)
                switch request.whole {
                case .made?:
                    let values = new.compactMapValues(\.self)
                    let moved =
                        if let former {
                            try suite.make(values, inPlaceOf: former, origin: origin)
                        } else {
                            try suite.make(
                                values,
                                like: model,
                                asLink: isLink,
                                declaredAs: declared,
                                origin: origin
                            )
                        }
                    if moved != .moved { mailbox.put(.declarationsStay(request.id, moved)) }
                case .removed?:
                    let values = old.compactMapValues(\.self)
                    let moved = try suite.remove(expecting: values, declaredAs: declared, origin: origin)
                    if moved != .moved { mailbox.put(.declarationsStay(request.id, moved)) }
                case .linked(let target)?: try SuiteLink(path: suite.location).make(to: target)
                case .unlinked(let target)?: try SuiteLink(path: suite.location).remove(leadingTo: target)
                case nil: try suite.replace(new, expecting: old, origin: origin)
                }
                result = .done
                if !written.rounded.isEmpty { mailbox.put(.rounded(request.id, written.rounded)) }
            } catch {
                if case .conflict(let current) = error {
                    result = .conflict(current: current)
                } else {
                    let cause =
                        error.isUnfinished ? WriteResult.Cause.making : error.isOutage ? .outage : .refusal
                    result = .failed("\(error)", cause)
                }
            }
            if request.whole != nil { mailbox.put(.link(request.suite, to: observed.link)) }
            mailbox.put(.wrote(request.id, result))
        }
    }
}

/// Counts what several threads know of.
private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    var current: Int { count.load(ordering: .relaxed) }
}
