import PropertyList
import Synchronization

/// The end of a value's way from one suite to another: once the new one has it for good, the old one's value
/// goes, and then the mark in the new one by which a way that was cut short is told from one that has not
/// begun.
///
/// What can't be done now is tried again when one of the suites is stored the next time, by
/// ``SettingsSuite/synchronize()`` of either, and at the end of the process.
final class Handover: Sendable {
    let source: SuiteCore
    let target: SuiteCore
    private let removal: ConditionalWrite
    private let mark: (key: String, value: PropertyListValue)
    /// Held by who is at it, with nothing told meanwhile; who comes second waits.
    private let isFinished = Mutex(false)

    init(
        _ removal: ConditionalWrite,
        from source: SuiteCore,
        to target: SuiteCore,
        mark: (key: String, value: PropertyListValue)
    ) {
        self.removal = removal
        self.source = source
        self.target = target
        self.mark = mark
    }

    /// - Throws: why the value can't be removed yet.
    func finish() throws(SettingsError) {
        defer {
            source.deliver()
            target.deliver()
        }
        let result: Result<Void, SettingsError> = isFinished.withLock { isFinished in
            if isFinished { return .success(()) }
            if case .failure(let error) = target.store() { return .failure(error) }
            // Without the mark the new suite has not taken it, or another one of these was quicker.
            if target.storedValue(forKey: mark.key) == mark.value {
                let removed = source.store(removal)
                target.end(self)
                switch removed {
                // A value that was set since stays.
                case .success, .failure(.conflict): break
                case .failure: return removed
                }
                target.removeNow(mark.value, forKey: mark.key)
            }
            target.end(self)
            source.end(self)
            isFinished = true
            return .success(())
        }
        try result.get()
    }
}

extension SettingsSuite {
    /// Removes the value that another suite has taken over, if it is still this one, when that is stored
    /// there durably, and then the mark that says so there. Returns before that.
    package func handOver(
        _ value: PropertyListValue,
        ofKey key: String,
        to target: SettingsSuite,
        marked mark: (key: String, value: PropertyListValue),
        origin: ChangeOrigin
    ) {
        let removal = ConditionalWrite(changes: [key: nil], expected: [key: value], origin: origin)
        let handover = Handover(removal, from: core, to: target.core, mark: mark)
        core.begin(handover)
        target.core.begin(handover)
        // What fails is tried again.
        target.core.scheduler.run { try? handover.finish() }
    }
}

extension SuiteCore {
    /// What goes over from or to another suite. It ends before the suite is stored the next time.
    func begin(_ handover: Handover) {
        state.withLock { state in
            state.handovers.append(handover)
            registerUnstored(state)
        }
    }

    func end(_ handover: Handover) {
        state.withLock { state in
            state.handovers.removeAll { $0 === handover }
            registerUnstored(state)
        }
    }

    /// Returns why something of this suite that another one has can't be removed.
    func finishHandovers() -> SettingsError? {
        var failure: SettingsError?
        for handover in state.withLock(\.handovers) {
            do throws(SettingsError) {
                try handover.finish()
            } catch {
                if handover.source === self { failure = failure ?? error }
            }
        }
        return failure
    }

    /// Removes a value, if it is this one, and tries to have it stored. Tells nobody.
    func removeNow(_ value: PropertyListValue, forKey key: String) {
        let isThere = state.withLock { state in
            guard state.values[key] == value else { return false }
            state.set(nil, forKey: key, origin: .set(by: nil))
            registerUnstored(state)
            return true
        }
        if isThere { _ = store() }
    }

    var hasHandovers: Bool { state.withLock { !$0.handovers.isEmpty } }
}
