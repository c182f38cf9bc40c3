import CommandLanguage
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// `watch`: prints changes as they happen, until the reader goes or a signal ends the program.
final class Watch {
    /// What the store's threads hand over.
    private enum Message: Sendable {
        case changed(domain: String, Change, Date)
        /// All that a domain has that was not there when the watch began.
        case appeared(domain: String, [String: PropertyListValue], Date)
        case failed(String)
        case looked(domain: String, SuiteStatus.Watching)
        case listingMayHaveChanged
    }

    private let words: CommandWords
    private let messages: Mailbox<Message>
    private var suites: [String: (domain: Domain, suite: SettingsSuite, observation: SuiteObservation)] = [:]
    /// What was printed last of domains that appeared, whose values and changes may overlap.
    private var shown: [String: [String: PropertyListValue?]] = [:]
    /// The secrets of the domains whose changes are being printed; nil where nobody can know them.
    private var secrets: [String: Set<String>?] = [:]
    /// Why a domain is looked at now and then alone, as it was said last.
    private var pollingReasons: [String: String] = [:]
    /// Why the secrets of a domain can't be known, as it was said last.
    private var problems: [String: String] = [:]

    static func run(_ line: CommandWords, in place: any SuitePlace) throws {
        let watch = try Watch(line)
        if let word = line[0] {
            let domain = try Domain(word, in: place)
            // What is wrong with a file, observing tells.
            if domain.path == nil { _ = try watch.whenThereIsAServer { try domain.values() } }
            if line[1] == nil { _ = try domain.hiddenKeys(line) }
            let suite = domain.suite
            watch.observe(domain, suite)
            if let error = suite.contentError { throw error }
            try watch.printUntilTheReaderGoes(nil)
        } else {
            let messages = watch.messages
            let listWatch = place.watch { messages.put(.listingMayHaveChanged) }
            for name in try watch.whenThereIsAServer({ try place.suiteNames() }) {
                watch.observe(Domain(name, in: place), place.suite(name))
            }
            try withExtendedLifetime(listWatch) { try watch.printUntilTheReaderGoes(place) }
        }
    }

    private init(_ words: CommandWords) throws {
        self.words = words
        messages = try Mailbox()
    }

    /// Waits for a server where none answers, for as long as there is a reader, and says so once.
    private func whenThereIsAServer<Result>(_ ask: () throws -> Result) throws -> Result {
        var isFirst = true
        while true {
            do {
                return try ask()
            } catch let error as SettingsError where error.isOutage {
                if isFirst { Output.error("\(error). Changes are printed from when a server answers.") }
                isFirst = false
            }
            var reader = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            if poll(&reader, 1, 1000) > 0 { throw ExitCode(0) }
        }
    }

    private func observe(_ domain: Domain, _ suite: SettingsSuite) {
        let (messages, name) = (messages, domain.name)
        // Of a cluster's suites the failures say it.
        let isFile = domain.path != nil
        let observation = suite.observe { event in
            switch event {
            case .change(let change): messages.put(.changed(domain: name, change, Date()))
            case .failed(let error): messages.put(.failed("\(error)"))
            case .status(let status): if isFile { messages.put(.looked(domain: name, status.watching)) }
            }
        }
        if isFile {
            if let error = suite.contentError { messages.put(.failed("\(error)")) }
            messages.put(.looked(domain: name, suite.status.watching))
        }
        suites[name] = (domain, suite, observation)
    }

    private func observeNewDomains(of place: any SuitePlace) throws {
        for name in try place.suiteNames() where suites[name.rawValue] == nil {
            let suite = place.suite(name)
            shown[name.rawValue] = [:]
            observe(Domain(name, in: place), suite)
            messages.put(.appeared(domain: name.rawValue, suite.storedValues, Date()))
        }
    }

    private func printUntilTheReaderGoes(_ place: (any SuitePlace)?) throws {
        signal(SIGPIPE, SIG_IGN)
        while true {
            // Whoever reads a pipe and goes is noticed before there is anything to write.
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
                case .changed(let domain, let change, let time):
                    if let last = shown[domain]?[change.key], last == change.new { continue }
                    text += line(domain, change.key, change.old, change.new, time)
                case .appeared(let domain, let values, let time):
                    for (key, value) in values.sorted(by: { $0.key < $1.key })
                    where shown[domain]?[key] == nil {
                        text += line(domain, key, nil, value, time)
                    }
                case .failed(let problem): Output.error(problem)
                case .looked(let domain, let watching): say(watching, of: domain)
                case .listingMayHaveChanged:
                    do {
                        if let place { try observeNewDomains(of: place) }
                    } catch let error as SettingsError where error.isOutage {
                        // When a server answers, that is hinted at again.
                    }
                }
            }
            if text.isEmpty || Output.write(text, to: STDOUT_FILENO) { continue }
            if errno == EPIPE { return }
            throw CommandError("The output could not be written: \(lastSystemError())")
        }
    }

    /// Says why changes come late, once.
    private func say(_ watching: SuiteStatus.Watching, of domain: String) {
        guard case .polling(let reason) = watching else {
            pollingReasons[domain] = nil
            return
        }
        guard pollingReasons.updateValue(reason, forKey: domain) != reason else { return }
        Output.error("\(domain): changes are looked for now and then, and not seen at once: \(reason)")
    }

    private func line(
        _ domain: String,
        _ key: String,
        _ old: PropertyListValue?,
        _ new: PropertyListValue?,
        _ time: Date
    ) -> String {
        if shown[domain] != nil { shown[domain]?[key] = .some(new) }
        if let only = words[1], only != key { return "" }
        let milliseconds = (time.timeIntervalSinceReferenceDate * 1000).rounded() / 1000
        let stamp = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: milliseconds)).editText ?? ""
        let isHidden = isHidden(key, of: domain)
        if words.has(.json) {
            var members: [String: PropertyListValue] = [
                "time": .string(stamp), "domain": .string(domain), "key": .string(key),
                "from": "other process",
            ]
            members["old"] = old
            members["new"] = new
            let hidden = isHidden ? Set(["old", "new"]).places() : []
            return Output.safe(json: PropertyListValue.dictionary(members).typedJSON(hiding: hidden)) + "\n"
        }
        func text(_ value: PropertyListValue?, beside other: PropertyListValue?) -> String {
            guard let value else { return "(none)" }
            return isHidden ? PropertyListValue.hiddenText : differing(value, other)
        }
        return
            "\(stamp) \(lineName(domain)) \(lineName(key)): \(text(old, beside: new)) -> \(text(new, beside: old))\n"
    }

    /// Whether the values of a key are not to be printed. Programs may have declared more since the
    /// changes before these.
    private func isHidden(_ key: String, of domain: String) -> Bool {
        if words[1] != nil { return false }
        if secrets[domain] == nil {
            do {
                secrets[domain] = .some(try suites[domain]?.domain.hiddenKeys(words))
                problems[domain] = nil
            } catch {
                secrets[domain] = .some(nil)
                if problems.updateValue("\(error)", forKey: domain) != "\(error)" { Output.error("\(error)") }
            }
        }
        return secrets[domain]??.contains(key) ?? true
    }
}
