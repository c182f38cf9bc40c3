import PropertyList
import SettingsStore

extension Property {
    /// Begins to observe the suite that is to be used now, and takes over its value. Where two
    /// threads do so at once, the first wins.
    func connectToSuite(_ isReporting: Bool) {
        let (source, previous) = state.withLock { ($0.wantedSource, $0.connection) }
        guard let place = declaration.place else {
            state.withLock { state in
                if state.connection == nil { state.install(SuiteConnection(source, nil), state.exposed) }
            }
            return followObject()
        }
        let suite = suite(for: source, place)
        if suite != place.suite { introduce(place, to: suite) }
        if source == .suite { suite.useDeclared() }
        let older = valueOfOldKey(place, in: suite)
        let connection = SuiteConnection(source, suite)
        let (stored, observation) = suite.observeLazily(place.key) { change in
            self.receive(change, from: connection)
        }
        let (update, errors) = readFirst(stored ?? older, place, in: suite)
        if previous == nil { UsedProperties.shared.insert(self) } else { tracker.willChange() }
        let (isFirst, old) = state.withLock { state in
            if state.connection !== previous || state.hasEnded {
                return (false, observation as SuiteObservation?)
            }
            defer { state.observation = observation }
            state.install(connection, update)
            return (true, state.observation)
        }
        if previous != nil { tracker.didChange() }
        // An observation ends outside the lock.
        withExtendedLifetime(old) {}
        if isFirst, isReporting { for error in errors { PDefaultsConfiguration.report(error) } }
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

    /// What shows at first: what an argument gives, else what is stored. The errors, if there are any, are
    /// still to be reported.
    private func readFirst(
        _ stored: PropertyListValue?,
        _ place: Declaration<Value>.Place,
        in suite: SettingsSuite
    ) -> (Update<Value>, [PDefaultsError]) {
        let argument = suite.arguments[place.key]
        var argumentError: PDefaultsError?
        if let argument {
            do throws(PDefaultsError) {
                let value = try place.decode(argument: argument, in: suite)
                return (update(value, .argument, .initial), [])
            } catch {
                argumentError = error
            }
        }
        let (update, error) = read(stored, place, in: suite, .initial)
        if let reason = argumentError?.reason {
            let problem = PDefaultsError.Problem.unusableArgument(
                argument,
                showsStored: update.state == .stored
            )
            argumentError = place.address.error(problem, reason)
        }
        return (update, [argumentError, error].compactMap(\.self))
    }

    /// Converts what is stored; the error, if there is one, is still to be reported.
    func read(
        _ stored: PropertyListValue?,
        _ place: Declaration<Value>.Place,
        in suite: SettingsSuite,
        _ origin: PDefaultsOrigin
    ) -> (Update<Value>, PDefaultsError?) {
        guard let stored else { return (defaultUpdate(in: suite, origin), nil) }
        func instead(_ state: PDefaultsState) -> Update<Value> {
            let value = defaultUpdate(in: suite, origin).value
            return update(value, state, origin)
        }
        do throws(PDefaultsError) {
            let value = try place.decode(stored, in: suite)
            // A null that somebody stored as JSON is nil like nothing stored.
            if declaration.isOptional, isNilValue(value) { return (defaultUpdate(in: suite, origin), nil) }
            return (self.stored(value, origin), nil)
        } catch {
            let isInvalid = if case .invalidStored = error.problem { true } else { false }
            return (instead(isInvalid ? .invalid(error) : .undecodable(error)), error)
        }
    }
}

// MARK: - Old keys

extension Property {
    /// Moves what is stored under an old key of the setting to its own, if there is nothing.
    ///
    /// - Returns: what to show instead of nothing where it could not be moved, which the next process
    ///   tries again.
    private func valueOfOldKey(_ place: Declaration<Value>.Place, in suite: SettingsSuite)
        -> PropertyListValue?
    {
        if place.oldKeys.isEmpty || suite.storedValue(forKey: place.key) != nil { return nil }
        for oldKey in place.oldKeys {
            guard let stored = suite.storedValue(forKey: oldKey) else { continue }
            do throws(PDefaultsError) {
                _ = try place.decode(stored, in: suite)
            } catch {
                PDefaultsConfiguration.report(error)
                return nil
            }
            do throws(SettingsError) {
                // Whoever was quicker has set something newer, or moved it already.
                let expected = [place.key: nil, oldKey: stored]
                let changes = [place.key: stored, oldKey: nil]
                try suite.replace(changes, expecting: expected, origin: .migration(by: nil))
                return nil
            } catch {
                if case .conflict = error { return nil }
                return stored
            }
        }
        return nil
    }
}

// MARK: - The default

extension Property {
    /// Tells a suite of the setting: its default, and what was declared about it.
    func introduce(_ place: Declaration<Value>.Place, to suite: SettingsSuite) {
        registerDefault(of: place, in: suite)
        let coding = place.coding
        let readable = place.address.readable
        let isNew = suite.beginDeclaring(place.key, by: Value.self) {
            readable.contains($0) || (try? coding.decode($0)) != nil
        }
        // Of one type, two properties may say different things.
        guard isNew || !place.traits.isEmpty else { return }
        // Where it can't be encoded, that has been reported.
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

    private func registerDefault(of place: Declaration<Value>.Place, in suite: SettingsSuite) {
        guard place.registersDefault else { return }
        do throws(PDefaultsError) {
            guard let value = try declaration.encode(declaration.defaultValue, place) else { return }
            if suite.register([place.key: value]).isEmpty { return }
            guard let first = suite.registeredValues[place.key] else { return }
            let problem = PDefaultsError.Problem.otherDefault(registered: first, declared: value)
            throw place.address.error(problem, "the one that was registered holds")
        } catch {
            PDefaultsConfiguration.report(error)
        }
    }
}
