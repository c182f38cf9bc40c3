import PropertyList
import SettingsStore

extension Property {
    /// Begins to observe the suite that is wanted now, and shows its value. If two threads do so at once, the first one
    /// wins.
    func connectToSuite(_ isReporting: Bool) {
        let (source, previous) = state.withLock { ($0.wantedSource, $0.connection) }
        guard let place = declaration.place else {
            _ = state.withLock { $0.install(SuiteConnection(source, nil), $0.exposed, replacing: nil) }
            return followObject()
        }
        let suite = suite(for: source, place)
        if suite != place.suite { introduce(place, to: suite) }
        if source == .suite { suite.useDeclared() }
        let older = valueOfOldKey(place, in: suite)
        let connection = SuiteConnection(source, suite)
        let (found, observation) = suite.observeLazily(place.key) { change in
            self.receive(change, from: connection)
        }
        var first = found
        // The user's value under an old key comes before the layers below the user's.
        if let older, first.map({ $0.layer <= .user }) ?? true {
            first = LayeredValue(value: older, layer: .user)
        }
        let (read, errors) = readAny(first, place, in: suite, .initial)
        if previous == nil { PropertyRegistry.shared.insert(self) } else { tracker.willChange() }
        let result = install(connection, observation, read, replacing: previous)
        if previous != nil { tracker.didChange() }
        if case .installed(let delivery) = result {
            if isReporting { for error in errors { PDefaultsConfiguration.report(error) } }
            deliver(delivery)
        }
        followObject()
    }

    /// Shows the value that was read, or a later one if the suite has reported changes since.
    private func install(
        _ connection: SuiteConnection,
        _ observation: SuiteObservation,
        _ read: AnyPropertyUpdate,
        replacing previous: SuiteConnection?
    ) -> PropertyState.Installation {
        var update = read
        var errors: [PDefaultsError] = []
        defer { for error in errors { PDefaultsConfiguration.report(error) } }
        while true {
            let (result, old) = state.withLock { state in
                let result = state.install(connection, update, replacing: previous)
                guard case .installed = result else { return (result, nil as SuiteObservation?) }
                defer { state.observation = observation }
                return (result, state.observation)
            }
            // The previous observation ends outside the lock.
            withExtendedLifetime(old) {}
            guard case .outdated(let change) = result else { return result }
            let (newUpdate, newErrors) = convert(change, from: connection)
            (update, errors) = (newUpdate, errors + newErrors)
        }
    }

    private func suite(for source: PropertySource, _ place: PropertyConfiguration<Value>.Place)
        -> SettingsSuite
    {
        switch source {
        case .suite: place.suite
        case .ownMock, .processMock: .inMemory()
        }
    }

    /// Converts the value of the highest layer. The caller reports the errors.
    func readAny(
        _ found: LayeredValue?,
        _ place: PropertyConfiguration<Value>.Place,
        in suite: SettingsSuite,
        _ origin: PDefaultsOrigin
    ) -> (PropertyUpdate<Value>, [PDefaultsError]) {
        guard let found, found.layer == .arguments else {
            let (update, error) = read(found, place, in: suite, origin)
            return (update, [error].compactMap(\.self))
        }
        let argumentError: PDefaultsError
        do throws(PDefaultsError) {
            let value = try place.decode(argument: found.value, in: suite)
            return (update(value, .argument, origin, .arguments), [])
        } catch {
            argumentError = error
        }
        let lower = suite.sources(forKey: place.key).first { $0.layer < .arguments && $0.layer > .registered }
        let next = lower.map { LayeredValue(value: $0.value, layer: $0.layer) }
        let (update, error) = read(next, place, in: suite, origin)
        let problem = PDefaultsError.Problem.unusableArgument(
            found.value,
            showsStored: update.state == .stored
        )
        return (update, [place.address.error(problem, argumentError.reason), error].compactMap(\.self))
    }

    /// Converts the value of a file. The caller reports the error.
    private func read(
        _ found: LayeredValue?,
        _ place: PropertyConfiguration<Value>.Place,
        in suite: SettingsSuite,
        _ origin: PDefaultsOrigin
    ) -> (PropertyUpdate<Value>, PDefaultsError?) {
        guard let found else { return (defaultUpdate(in: suite, origin), nil) }
        do throws(PDefaultsError) {
            let value = try place.decode(found.value, in: suite)
            // JSON's null means nil, as no value does.
            if declaration.isOptional, isNilValue(value) { return (defaultUpdate(in: suite, origin), nil) }
            return (update(value, .stored, origin, found.layer), nil)
        } catch {
            let error = found.layer == .user ? error : error.located(suite, found.layer)
            let isInvalid = if case .invalidStored = error.problem { true } else { false }
            if found.layer == .user, !isInvalid { suite.noteUnreadable(found.value, forKey: place.key) }
            let state: PDefaultsState = isInvalid ? .invalid(error) : .undecodable(error)
            let shown = defaultValue(in: suite)
            return (update(shown.value, state, origin, shown.layer), error)
        }
    }
}
