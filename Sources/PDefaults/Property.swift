import PropertyList
import SettingsStore

/// One declared property: the value it shows, and the delivery of changes to its subscribers.
///
/// It connects to its suite on first access and is told of changes from then on. No lock is held
/// while a suite is asked, a value is converted, or others' code runs.
///
/// Unchecked, since the default may be of a type that isn't `Sendable`; see ``Locked``.
final class Property<Value>: @unchecked Sendable {
    let declaration: Declaration<Value>
    /// The store of the tasks that this property is for; nil for the declared one.
    private let store: MockStore?
    let state: Locked<State>

    init(_ declaration: Declaration<Value>, in store: MockStore? = nil) {
        self.declaration = declaration
        self.store = store
        state = Locked(State(declaration, isForTasks: store != nil))
        if store == nil, let place = declaration.place { registerDefault(of: place, in: place.suite) }
    }

    /// What shows now, read from the suite the first time.
    var reading: Reading<Value> {
        if let reading = state.withLock({ $0.isConnected ? $0.exposed : nil }) { return reading }
        connect()
        return state.withLock(\.exposed)
    }

    var value: Value { reading.value }

    var isMocked: Bool { state.withLock(\.isMocked) }

    func setMocked(_ isMocked: Bool) {
        let mustConnect = state.withLock { state in
            state.isMocked = isMocked
            return state.connection != nil && !state.isConnected
        }
        if mustConnect { connect() }
    }
}

// MARK: - Setting

extension Property {
    /// Sets the value; one that can't be encoded is reported and changes nothing.
    func set(_ value: Value) {
        do throws(PDefaultsError) { try store(value) } catch { PDefaultsConfiguration.report(error) }
    }

    /// - Throws: why the value can't be encoded; nothing has changed then.
    func store(_ value: Value) throws(PDefaultsError) {
        let suite = connected()
        guard let place = declaration.place, let suite else {
            let reading = isNilValue(value) ? defaultReading(in: nil) : Reading(value: value, state: .stored)
            return change(to: reading) { id in self.deliver(.reading(reading, id)) }
        }
        let encoded: PropertyListValue?
        do {
            encoded = try place.coding.encode(value)
        } catch {
            throw place.error(.unencodable, sentence(of: error), in: suite)
        }
        let reading = encoded == nil ? defaultReading(in: suite) : Reading(value: value, state: .stored)
        change(to: reading) { id in suite.set(encoded, forKey: place.key, origin: .set(by: id)) }
    }

    func reset() {
        let suite = connected()
        let reading = defaultReading(in: suite)
        change(to: reading) { id in
            if let place = self.declaration.place, let suite {
                suite.set(nil, forKey: place.key, origin: .reset(by: id))
            } else {
                self.deliver(.reading(reading, id))
            }
        }
    }

    /// Shows the value at once, unless it is to show after its delivery, and has it delivered.
    private func change(to reading: Reading<Value>, _ send: (WriterID) -> Void) {
        let id = WriterID()
        state.withLock { $0.expect(reading, from: id) }
        send(id)
    }
}

// MARK: - The suite

extension Property {
    /// The suite in use; nil for a property that lives in memory alone.
    private func connected() -> SettingsSuite? {
        if let connection = state.withLock({ $0.isConnected ? $0.connection : nil }) {
            return connection.suite
        }
        connect()
        return state.withLock(\.connection)?.suite
    }

    /// Begins to observe the suite that is to be used now, and takes over its value. Where two
    /// threads do so at once, the first wins.
    private func connect() {
        let (source, previous) = state.withLock { ($0.wantedSource, $0.connection) }
        guard let place = declaration.place else {
            return state.withLock { state in
                if state.connection == nil { state.install(Connection(source, nil), state.exposed) }
            }
        }
        let suite = suite(for: source, place)
        if suite != place.suite { registerDefault(of: place, in: suite) }
        let connection = Connection(source, suite)
        let (stored, observation) = suite.observe(place.key) { [weak self] change in
            self?.receive(change, from: connection)
        }
        let (reading, error) = read(stored, place, in: suite)
        let (isFirst, old) = state.withLock { state in
            if state.connection !== previous { return (false, observation as Observation?) }
            defer { state.observation = observation }
            state.install(connection, reading)
            return (true, state.observation)
        }
        // An observation ends outside the lock.
        withExtendedLifetime(old) {}
        if isFirst, let error { PDefaultsConfiguration.report(error) }
        deliver()
    }

    private func suite(for source: Source, _ place: Declaration<Value>.Place) -> SettingsSuite {
        switch source {
        case .suite: store?.suite(for: place.suite) ?? place.suite
        case .ownMock: .inMemory()
        case .processMock: PDefaultsConfiguration.mockSuite(for: place.suite)
        }
    }

    private func receive(_ change: Change, from connection: Connection) {
        let isCurrent = state.withLock { $0.receive(change, from: connection) }
        if isCurrent { deliver() }
    }

    /// Converts what is stored; the error, if there is one, is still to be reported.
    func read(
        _ stored: PropertyListValue?,
        _ place: Declaration<Value>.Place,
        in suite: SettingsSuite
    ) -> (Reading<Value>, PDefaultsError?) {
        guard let stored else { return (defaultReading(in: suite), nil) }
        do {
            return (Reading(value: try place.coding.decode(stored), state: .stored), nil)
        } catch {
            let error = place.error(.undecodable(stored: stored), sentence(of: error), in: suite)
            return (Reading(value: defaultReading(in: suite).value, state: .undecodable(error)), error)
        }
    }
}

// MARK: - The default

extension Property {
    /// What shows while nothing is stored: the default that was registered first, if it is of the
    /// kind that this property declares, else the declared one.
    func defaultReading(in suite: SettingsSuite?) -> Reading<Value> {
        let declared = Reading(value: declaration.defaultValue, state: .default)
        guard let place = declaration.place, let registered = suite?.registeredValues[place.key] else {
            return declared
        }
        // Encodable or not: where it isn't, that has been reported.
        let own = try? place.coding.encode(declaration.defaultValue)
        if let own, own == registered || own.kind != registered.kind { return declared }
        guard let value = try? place.coding.decode(registered) else { return declared }
        return Reading(value: value, state: .default)
    }

    private func registerDefault(of place: Declaration<Value>.Place, in suite: SettingsSuite) {
        guard place.registersDefault else { return }
        do {
            guard let value = try place.coding.encode(declaration.defaultValue) else { return }
            if suite.register([place.key: value]).isEmpty { return }
            guard let first = suite.registeredValues[place.key] else { return }
            let problem = PDefaultsError.Problem.otherDefault(registered: first, declared: value)
            PDefaultsConfiguration.report(place.error(problem, "the first one holds", in: suite))
        } catch {
            PDefaultsConfiguration.report(place.error(.unencodable, sentence(of: error), in: suite))
        }
    }
}

extension Declaration.Place {
    func error(_ problem: PDefaultsError.Problem, _ reason: String, in suite: SettingsSuite) -> PDefaultsError
    {
        PDefaultsError(key: key, location: suite.location, problem: problem, reason: reason)
    }
}
