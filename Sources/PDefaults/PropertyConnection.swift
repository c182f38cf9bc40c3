import PropertyList
import SettingsStore

extension Property {
    /// Begins to observe the suite that is to be used now, and takes over its value. Where two
    /// threads do so at once, the first wins.
    func connectToSuite() {
        let (source, previous) = state.withLock { ($0.wantedSource, $0.connection) }
        guard let place = declaration.place else {
            state.withLock { state in
                if state.connection == nil { state.install(SuiteConnection(source, nil), state.exposed) }
            }
            return followObject()
        }
        let suite = suite(for: source, place)
        if suite != place.suite { registerDefault(of: place, in: suite) }
        let connection = SuiteConnection(source, suite)
        let (stored, observation) = suite.observeLazily(place.key) { change in
            self.receive(change, from: connection)
        }
        let (update, error) = read(stored, place, in: suite, .initial)
        if previous != nil { tracker.willChange() }
        let (isFirst, old) = state.withLock { state in
            if state.connection !== previous { return (false, observation as SuiteObservation?) }
            defer { state.observation = observation }
            state.install(connection, update)
            return (true, state.observation)
        }
        if previous != nil { tracker.didChange() }
        // An observation ends outside the lock.
        withExtendedLifetime(old) {}
        if isFirst, let error { PDefaultsConfiguration.report(error) }
        followObject()
        deliver()
    }

    private func suite(for source: PropertySource, _ place: Declaration<Value>.Place) -> SettingsSuite {
        switch source {
        case .suite: place.suite
        case .ownMock: .inMemory()
        case .processMock: PDefaultsConfiguration.mockSuite(for: place.suite)
        }
    }

    /// Converts what is stored; the error, if there is one, is still to be reported.
    func read(
        _ stored: PropertyListValue?,
        _ place: Declaration<Value>.Place,
        in suite: SettingsSuite,
        _ origin: PDefaultsOrigin
    ) -> (Update<Value>, PDefaultsError?) {
        guard let stored else { return (defaultUpdate(in: suite, origin), nil) }
        do {
            return (self.stored(try place.coding.decode(stored), origin), nil)
        } catch {
            let error = place.error(.undecodable(stored: stored), sentence(of: error))
            let value = defaultUpdate(in: suite, origin).value
            return (self.update(value, .undecodable(error), origin), error)
        }
    }
}

// MARK: - The default

extension Property {
    /// What shows while nothing is stored: the default that was registered first, if it is of the
    /// kind that this property declares, else the declared one.
    func defaultUpdate(in suite: SettingsSuite? = nil, _ origin: PDefaultsOrigin) -> Update<Value> {
        let value = registeredDefault(in: suite) ?? declaredDefault
        return update(value, .default, origin)
    }

    /// The default; made anew where it is an object that has changed since it was declared.
    private var declaredDefault: Value {
        guard let declaredForm, declaredForm != declaration.encodedDefault else {
            return declaration.defaultValue
        }
        return defaultOfItsOwn
    }

    /// The default as it was declared; an object is one that nobody else has.
    var defaultOfItsOwn: Value {
        let made = declaredForm.flatMap { try? declaration.place?.coding.decode($0) }
        return made ?? declaration.defaultValue
    }

    private func registeredDefault(in suite: SettingsSuite?) -> Value? {
        guard let place = declaration.place, let registered = suite?.registeredValues[place.key] else {
            return nil
        }
        // Where it can't be encoded, that has been reported.
        let own = try? declaration.encode(declaration.defaultValue, place)
        if let own, own == registered || own.kind != registered.kind { return nil }
        return try? place.coding.decode(registered)
    }

    func registerDefault(of place: Declaration<Value>.Place, in suite: SettingsSuite) {
        guard place.registersDefault else { return }
        do throws(PDefaultsError) {
            guard let value = try declaration.encode(declaration.defaultValue, place) else { return }
            if suite.register([place.key: value]).isEmpty { return }
            guard let first = suite.registeredValues[place.key] else { return }
            let problem = PDefaultsError.Problem.otherDefault(registered: first, declared: value)
            throw place.error(problem, "the one that was registered holds")
        } catch {
            PDefaultsConfiguration.report(error)
        }
    }
}
