import CommandLanguage
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// Runs `watch`: prints changes of effective values as they happen, until the reader closes the output or a signal ends
/// the program.
final class Watch {
    private struct FollowedSuite {
        let target: SuiteTarget
        let suite: SettingsSuite
        let observation: SuiteObservation
        /// The layers besides the user's, as they were printed last.
        var others: SuiteLayers
    }

    /// A message from a thread of the store.
    private enum Message: Sendable {
        case changed(target: String, Change, Date)
        /// Values of other layers have changed.
        case layersChanged(target: String, Date)
        /// All values of a suite that was created after the watch began.
        case appeared(target: String, [String: PropertyListValue], Date)
        case failed(String)
        case looked(target: String, SuiteStatus.Watching)
        case listingMayHaveChanged
    }

    private let words: ParsedCommand
    private let messages: Mailbox<Message>
    private var suites: [String: FollowedSuite] = [:]
    /// The printed values of new suites. Their first values and their changes can overlap, and must be
    /// printed once.
    private var shown: [String: [String: PropertyListValue?]] = [:]
    /// The secrets of the suites, while one batch of changes is printed. Nil if they are unknown.
    private var secrets: [String: Set<String>?] = [:]
    /// The last reported reason why a suite is polled.
    private var pollingReasons: [String: String] = [:]
    /// The last reported reason why a suite's secrets are unknown.
    private var problems: [String: String] = [:]

    static func run(_ line: ParsedCommand, in backend: any SuiteBackend) throws {
        if line.has(.commands), line.has(.json) {
            throw UsageError("Use either --commands or --json.", of: .watch)
        }
        let watch = try Watch(line)
        if let word = line[0] {
            let target = try SuiteTarget(word, in: backend)
            // For a file, observing reports such a problem.
            if target.path == nil { _ = try watch.retryUntilAnswered { try target.values() } }
            if line[1] == nil { _ = try target.hiddenKeys(line) }
            let suite = target.suite
            watch.observe(target, suite)
            if let error = suite.contentError { throw error }
            try watch.printUntilOutputCloses(nil)
        } else {
            let messages = watch.messages
            let listWatch = backend.watchAllLayers { messages.put(.listingMayHaveChanged) }
            for name in try watch.retryUntilAnswered({ try backend.suiteNamesOfAllLayers() }) {
                watch.observe(SuiteTarget(name, in: backend), backend.suite(name))
            }
            try withExtendedLifetime(listWatch) { try watch.printUntilOutputCloses(backend) }
        }
    }

    private init(_ words: ParsedCommand) throws {
        self.words = words
        messages = try Mailbox()
    }

    /// Retries until a server answers, and says so once. Ends the program if the output is closed meanwhile.
    private func retryUntilAnswered<Result>(_ ask: () throws -> Result) throws -> Result {
        var isFirst = true
        while true {
            do {
                return try ask()
            } catch let error as SettingsError where error.isOutage {
                if isFirst { Output.error("\(error). Changes are printed after a server answers.") }
                isFirst = false
            }
            var reader = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            if poll(&reader, 1, 1000) > 0 { throw ExitCode(0) }
        }
    }

    private func observe(_ target: SuiteTarget, _ suite: SettingsSuite) {
        let (messages, name) = (messages, target.name)
        // For a suite on a cluster, the failures report the same.
        let isFile = target.path != nil
        let observation = suite.observe { event in
            switch event {
            case .change(let change): messages.put(.changed(target: name, change, Date()))
            case .layersChanged: messages.put(.layersChanged(target: name, Date()))
            case .failed(let error): messages.put(.failed("\(error)"))
            case .status(let status): if isFile { messages.put(.looked(target: name, status.watching)) }
            }
        }
        if isFile {
            if let error = suite.contentError { messages.put(.failed("\(error)")) }
            messages.put(.looked(target: name, suite.status.watching))
        }
        suites[name] = FollowedSuite(
            target: target,
            suite: suite,
            observation: observation,
            others: otherLayers(of: suite)
        )
    }

    /// The layers as the suite has read them. A reading of our own could have a value that is gone before the suite reads
    /// it; the suite would then report no change, and its end would not be printed.
    private func otherLayers(of suite: SettingsSuite) -> SuiteLayers {
        SuiteLayers(layers: suite.otherLayers.files.map(SuiteLayers.Layer.init), problems: [])
    }

    private func observeNewSuites(of backend: any SuiteBackend) throws {
        for name in try backend.suiteNamesOfAllLayers() {
            let target = SuiteTarget(name, in: backend)
            if suites[target.name] != nil { continue }
            let suite = backend.suite(name)
            shown[target.name] = [:]
            observe(target, suite)
            messages.put(.appeared(target: target.name, suite.storedValues, Date()))
        }
    }

    private func printUntilOutputCloses(_ backend: (any SuiteBackend)?) throws {
        signal(SIGPIPE, SIG_IGN)
        while true {
            // Notices a closed output before there is anything to write.
            var entries = [
                pollfd(fd: messages.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
            ]
            if poll(&entries, 2, -1) < 0 {
                if errno == EINTR { continue }
                throw CommandError("poll failed: \(lastSystemError())")
            }
            if entries[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return }
            var text = ""
            secrets = [:]
            for message in messages.take() {
                switch message {
                case .changed(let target, let change, _) where words.has(.commands):
                    if let last = shown[target]?[change.key], last == change.new { continue }
                    text += commands(target, change.key, change.old, change.new)
                case .layersChanged where words.has(.commands): continue
                case .appeared(let target, let values, _) where words.has(.commands):
                    for (key, value) in values.sorted(by: { $0.key < $1.key })
                    where shown[target]?[key] == nil {
                        text += commands(target, key, nil, value)
                    }
                case .changed(let target, let change, let time):
                    guard let others = suites[target]?.others else { continue }
                    let old = others.source(of: change.key, user: change.old)
                    let new = others.source(of: change.key, user: change.new)
                    if old?.value == new?.value { continue }
                    if let last = shown[target]?[change.key], last == new?.value { continue }
                    text += line(target, change.key, old?.value, new, time)
                case .layersChanged(let target, let time):
                    guard let suite = suites[target] else { continue }
                    let others = otherLayers(of: suite.suite)
                    suites[target]?.others = others
                    for key in suite.others.keys.union(others.keys).sorted() {
                        let value = suite.suite.storedValue(forKey: key)
                        let old = suite.others.source(of: key, user: value)
                        let new = others.source(of: key, user: value)
                        if old?.value != new?.value { text += line(target, key, old?.value, new, time) }
                    }
                case .appeared(let target, let values, let time):
                    guard let others = suites[target]?.others else { continue }
                    for key in others.keys.union(values.keys).sorted() where shown[target]?[key] == nil {
                        text += line(target, key, nil, others.source(of: key, user: values[key]), time)
                    }
                case .failed(let problem): Output.error(problem)
                case .looked(let target, let watching): say(watching, of: target)
                case .listingMayHaveChanged:
                    do {
                        if let backend { try observeNewSuites(of: backend) }
                    } catch let error as SettingsError where error.isOutage {
                        // The watch reports again when a server answers.
                    }
                }
            }
            if text.isEmpty || Output.write(text, to: STDOUT_FILENO) { continue }
            if errno == EPIPE { return }
            throw CommandError("The output could not be written: \(lastSystemError())")
        }
    }

    /// Reports once why changes arrive late.
    private func say(_ watching: SuiteStatus.Watching, of target: String) {
        guard case .polling(let reason) = watching else {
            pollingReasons[target] = nil
            return
        }
        guard pollingReasons.updateValue(reason, forKey: target) != reason else { return }
        Output.error("\(target): changes may be reported late: \(reason)")
    }

    private func line(
        _ target: String,
        _ key: String,
        _ old: PropertyListValue?,
        _ source: (value: PropertyListValue, layer: SettingsLayer)?,
        _ time: Date
    ) -> String {
        let new = source?.value
        if shown[target] != nil { shown[target]?[key] = .some(new) }
        if let only = words[1], only != key { return "" }
        let stamp = timeStamp(time)
        let isHidden = isHidden(key, of: target)
        if words.has(.json) {
            var members: [String: PropertyListValue] = [
                "time": .string(stamp), "suite": .string(target), "key": .string(key),
                "from": "other process",
            ]
            members["old"] = old
            members["new"] = new
            members["layer"] = source.map { .string($0.layer.rawValue) }
            let hidden = isHidden ? Set(["old", "new"]).places() : []
            return Output.safe(json: PropertyListValue.dictionary(members).typedJSON(hiding: hidden)) + "\n"
        }
        func text(_ value: PropertyListValue?, beside other: PropertyListValue?) -> String {
            guard let value else { return "(none)" }
            return isHidden ? PropertyListValue.hiddenText : differing(value, other)
        }
        let layer = source.flatMap { $0.layer == .user ? nil : " (\($0.layer.rawValue))" } ?? ""
        return "\(stamp) \(lineName(target)) \(lineName(key)): \(text(old, beside: new)) -> "
            + "\(text(new, beside: old))\(layer)\n"
    }

    /// Returns the lines that repeat a change in a shell.
    private func commands(
        _ name: String,
        _ key: String,
        _ old: PropertyListValue?,
        _ new: PropertyListValue?
    ) -> String {
        if shown[name] != nil { shown[name]?[key] = .some(new) }
        guard words[1] ?? key == key, let target = suites[name]?.target else { return "" }
        let subject = "# \(lineName(name)) \(lineName(key)): "
        if new != nil, isHidden(key, of: name) {
            return subject + "The value is a secret. Use --show-secrets to print it.\n"
        }
        do {
            return try target.changeCommands(words).commands(for: key, from: old, to: new)
                .reduce("") { $0 + $1.text + "\n" }
        } catch {
            return subject + "\(error)\n"
        }
    }

    /// Returns a time in RFC 3339's form with milliseconds, so that all lines begin with the same number of characters.
    private func timeStamp(_ time: Date) -> String {
        let milliseconds = Int64((time.timeIntervalSince1970 * 1000).rounded())
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let date = Date(timeIntervalSince1970: Double(seconds))
        guard let text = PropertyListValue.date(date).editText, text.hasSuffix("Z") else { return "" }
        return text.dropLast() + "." + String(String(1000 + rest).dropFirst()) + "Z"
    }

    /// Whether the values of a key must not be printed. The declarations are read again for each batch,
    /// because programs might have declared more.
    private func isHidden(_ key: String, of target: String) -> Bool {
        if words[1] != nil { return false }
        if secrets[target] == nil {
            do {
                secrets[target] = .some(try suites[target]?.target.hiddenKeys(words))
                problems[target] = nil
            } catch {
                secrets[target] = .some(nil)
                if problems.updateValue("\(error)", forKey: target) != "\(error)" { Output.error("\(error)") }
            }
        }
        return secrets[target]??.contains(key) ?? true
    }
}
