import PropertyList
import SettingsStore

// The value of a property while no layer has one, and the declaration of the setting in its suite.

extension Property {
    /// Declares the setting in a suite: its default, its type and its limits.
    func introduce(_ place: PropertyConfiguration<Value>.Place, to suite: SettingsSuite) {
        registerDefault(of: place, in: suite)
        let isNew = suite.beginDeclaring(place.key, by: Value.self)
        // Two properties of one type may declare different limits.
        guard isNew || !place.traits.isEmpty else { return }
        // `registerDefault` has reported a default that can't be encoded.
        let defaultValue = try? declaration.encode(declaration.defaultValue, place)
        let setting = place.setting(default: defaultValue)
        suite.declareWhenUsed(setting, forKey: place.key)
        if let defaultValue, let problem = setting.problem(with: defaultValue) {
            PDefaultsConfiguration.report(place.address.error(.invalidDefault, problem))
        }
    }

    /// The update that shows while no value is stored.
    func defaultUpdate(in suite: SettingsSuite?, _ origin: PDefaultsOrigin) -> PropertyUpdate<Value> {
        let shown = defaultValue(in: suite)
        return update(shown.value, .default, origin, shown.layer)
    }

    /// The default that the program registered in the suite, if this property can read it; else the default that this
    /// property declares. The default of another property is never used.
    func defaultValue(in suite: SettingsSuite?) -> (value: Value, layer: SettingsLayer) {
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
