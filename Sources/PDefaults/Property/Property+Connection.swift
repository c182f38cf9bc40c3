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
        _ read: AnyUpdate,
        replacing previous: SuiteConnection?
    ) -> PropertyState.Installation {
        var update = read
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
            update = convert(change, from: connection)
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
    ) -> (Update<Value>, [PDefaultsError]) {
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
    ) -> (Update<Value>, PDefaultsError?) {
        guard let found else { return (defaultUpdate(in: suite, origin), nil) }
        do throws(PDefaultsError) {
            let value = try place.decode(found.value, in: suite)
            // JSON's null means nil, as no value does.
            if declaration.isOptional, isNilValue(value) { return (defaultUpdate(in: suite, origin), nil) }
            return (update(value, .stored, origin, found.layer), nil)
        } catch {
            let error = found.layer == .user ? error : error.located(suite, found.layer)
            let isInvalid = if case .invalidStored = error.problem { true } else { false }
            let state: PDefaultsState = isInvalid ? .invalid(error) : .undecodable(error)
            let shown = defaultValue(in: suite)
            return (update(shown.value, state, origin, shown.layer), error)
        }
    }
}

// MARK: - Old keys

extension Property {
    /// Moves the value of an old key of the setting to its present key, if that has no value.
    ///
    /// - Returns: the value to show until it is moved. If the move fails, the next process tries again.
    private func valueOfOldKey(_ place: PropertyConfiguration<Value>.Place, in suite: SettingsSuite)
        -> PropertyListValue?
    {
        if place.oldKeys.isEmpty || suite.storedValue(forKey: place.key) != nil { return nil }
        // The user's value stays where it is until the lock is gone.
        if suite.isLocked(place.key) { return nil }
        for oldKey in place.oldKeys where !suite.isLocked(oldKey) {
            guard let stored = suite.storedValue(forKey: oldKey) else { continue }
            do throws(PDefaultsError) {
                _ = try place.decode(stored, in: suite)
            } catch {
                PDefaultsConfiguration.report(error)
                return nil
            }
            // If the move is refused, another process has set a newer value, or has moved this one already.
            return suite.move(stored, from: oldKey, to: place.key) ? nil : stored
        }
        return nil
    }
}

// MARK: - The default

extension Property {
    /// Declares the setting in a suite: its default, its type and its limits.
    func introduce(_ place: PropertyConfiguration<Value>.Place, to suite: SettingsSuite) {
        registerDefault(of: place, in: suite)
        let coding = place.coding
        let readable = place.address.readable
        let isNew = suite.beginDeclaring(place.key, by: Value.self) {
            readable.contains($0) || (try? coding.decode($0)) != nil
        }
        // Two properties of one type may declare different limits.
        guard isNew || !place.traits.isEmpty else { return }
        // `registerDefault` has reported a default that can't be encoded.
        let defaultValue = try? declaration.encode(declaration.defaultValue, place)
        let setting = place.setting(default: defaultValue)
        let first = suite.declared.declarations[place.key]
        suite.declareWhenUsed(setting, forKey: place.key)
        if let first, let problem = place.limitsProblem(setting, after: first) {
            PDefaultsConfiguration.report(place.address.error(.otherLimits, problem))
        }
        if let defaultValue, let problem = setting.problem(with: defaultValue) {
            PDefaultsConfiguration.report(place.address.error(.invalidDefault, problem))
        }
    }

    /// The update that shows while no value is stored.
    func defaultUpdate(in suite: SettingsSuite?, _ origin: PDefaultsOrigin) -> Update<Value> {
        let shown = defaultValue(in: suite)
        return update(shown.value, .default, origin, shown.layer)
    }

    /// The default that the program registered in the suite, if this property can read it; else the default that this
    /// property declares. The default of another property is never used.
    private func defaultValue(in suite: SettingsSuite?) -> (value: Value, layer: SettingsLayer) {
        guard let place = declaration.place, let suite,
            let registered = suite.registeredValue(forKey: place.key),
            let value = try? place.decode(registered, in: suite)
        else { return (declaredDefault, .declared) }
        return (value, .registered)
    }

    /// The declared default. If it is an object that has changed since it was declared, this is a new object.
    private var declaredDefault: Value {
        guard let declaredForm, declaredForm != declaration.encodedDefault else {
            return declaration.defaultValue
        }
        return newDefault
    }

    /// The default as it was declared. An object is a new one.
    var newDefault: Value {
        let made = declaredForm.flatMap { try? declaration.place?.coding.decode($0) }
        return made ?? declaration.defaultValue
    }

    /// Registers the default for code that reads the key through the suite. The property itself does not read it there.
    private func registerDefault(of place: PropertyConfiguration<Value>.Place, in suite: SettingsSuite) {
        guard place.registersDefault else { return }
        do throws(PDefaultsError) {
            guard let value = try declaration.encode(declaration.defaultValue, place) else { return }
            let first = suite.declareDefault(value, forKey: place.key)
            if first == value { return }
            let problem = PDefaultsError.Problem.otherDefault(registered: first, declared: value)
            throw place.address.error(
                problem,
                "the suite uses that one for code that reads the key, and this property uses its own"
            )
        } catch {
            PDefaultsConfiguration.report(error)
        }
    }
}
