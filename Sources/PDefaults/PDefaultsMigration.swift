import PropertyList
import SettingsStore

/// What became of a migration.
public enum PDefaultsMigration: Sendable {
    /// The value went over; the source shows its default.
    case migrated
    /// The source has no stored value, or none that hasn't been migrated before.
    case nothingToMigrate
    /// A migration that the end of the process had cut short is completed: the target keeps what it
    /// has, which may be newer.
    case completed
    /// The source can't be decoded, the mapping threw, or its result can't be encoded. Both
    /// properties are as they were.
    case failed(any Error)
}

extension PDefaults {
    /// Moves the stored value to another property, if there is one.
    ///
    /// Both properties show the new state when this returns. The source's stored value is removed once
    /// the target's is stored durably, which `synchronize()` of either suite and the end of the process
    /// wait for. With the same suite and key for both, this changes the type in place.
    @discardableResult
    public func migrate(to target: PDefaults<Value>) -> PDefaultsMigration {
        reference.property.migrate(to: target.reference.property) { $0 }
    }

    /// The same, with the value that the mapping makes.
    @discardableResult
    public func migrate<Other>(
        to target: PDefaults<Other>,
        _ mapping: (Value) throws -> Other
    ) -> PDefaultsMigration {
        reference.property.migrate(to: target.reference.property, mapping)
    }
}

extension Property {
    func migrate<Other>(
        to target: Property<Other>,
        _ mapping: (Value) throws -> Other
    ) -> PDefaultsMigration {
        guard let place = declaration.place else { return .nothingToMigrate }
        // Of two types in one place, one can't read what the other has stored.
        let isInPlace = target.declaration.place?.address.isSame(as: place.address) ?? false
        guard let suite = connectedSuite(isReporting: !isInPlace) else { return .nothingToMigrate }
        let targetSuite = target.connectedSuite(isReporting: !isInPlace)
        let mark = Mark(from: place.key, in: suite, to: target)
        guard let stored = suite.storedValue(forKey: place.key) else {
            mark?.remove()
            return .nothingToMigrate
        }
        if let mark, mark.isSet {
            giveUp(stored, place, suite, after: mark)
            return .completed
        }
        if isInPlace, targetSuite == suite, !canRead(stored), target.canRead(stored) {
            return .nothingToMigrate
        }
        let source: Value
        do throws(PDefaultsError) {
            source = try place.decode(stored, in: suite)
        } catch {
            // Where it was to be reported when the suite was read, it has been.
            if isInPlace { PDefaultsConfiguration.report(error) }
            return .failed(error)
        }
        do {
            let result = try mapping(source)
            return try move(stored, source, place, suite, to: target, result, mark)
        } catch {
            if let error = error as? PDefaultsError { PDefaultsConfiguration.report(error) }
            return .failed(error)
        }
    }

    private func move<Other>(
        _ stored: PropertyListValue,
        _ source: Value,
        _ place: Declaration<Value>.Place,
        _ suite: SettingsSuite,
        to target: Property<Other>,
        _ result: Other,
        _ mark: Mark?
    ) throws(PDefaultsError) -> PDefaultsMigration {
        guard let targetPlace = target.declaration.place, let targetSuite = target.connectedSuite() else {
            target.set(result)
            giveUp(stored, place, suite, after: nil)
            return .migrated
        }
        let isInPlace = targetSuite == suite && targetPlace.key == place.key
        if isInPlace, target.wrote(stored, targetPlace), !wrote(stored, place) { return .nothingToMigrate }
        let encoded = try target.declaration.encode(result, targetPlace)
        if let encoded { try targetPlace.address.check(encoded, in: targetSuite) }
        if let encoded, let refusal = targetSuite.refusal(of: encoded, forKey: targetPlace.key) {
            throw targetPlace.address.error(.unencodable, "\(refusal)")
        }
        let update =
            encoded == nil
            ? target.defaultUpdate(in: targetSuite, .migration) : target.stored(result, .migration)
        var changes = [targetPlace.key: encoded]
        if targetSuite == suite, !isInPlace {
            changes[place.key] = .some(nil)
        } else if let mark {
            changes[mark.key] = mark.value
        }
        target.change(to: update) { id in
            if targetSuite == suite, !isInPlace { show(removalBy: id) }
            targetSuite.setChecked(changes, origin: .migration(by: id))
        }
        if targetSuite != suite { giveUp(stored, place, suite, after: mark) }
        return .migrated
    }

    private func canRead(_ stored: PropertyListValue) -> Bool {
        (try? declaration.place?.coding.decode(stored)) != nil
    }

    /// Whether what is stored is in the very form in which this property stores it.
    private func wrote(_ stored: PropertyListValue, _ place: Declaration<Value>.Place) -> Bool {
        guard let value = try? place.coding.decode(stored) else { return false }
        return (try? place.coding.encode(value)) == stored
    }

    /// Shows the default from now on. The removal of what is stored, which comes later, is not told
    /// again.
    private func show(removalBy id: WriterID) {
        let update = defaultUpdate(in: state.withLock(\.connection)?.suite, .migration)
        state.withLock {
            $0.ignore(id)
            $0.expect(update, from: id)
        }
        deliver(.update(update, id))
    }

    /// Removes what is stored, if it is still what was migrated, once the target has it for good. Should that
    /// fail to the end of the process, the next run finds the mark and goes on.
    private func giveUp(
        _ stored: PropertyListValue,
        _ place: Declaration<Value>.Place,
        _ suite: SettingsSuite,
        after mark: Mark?
    ) {
        let id = WriterID()
        show(removalBy: id)
        if let mark {
            suite.handOver(
                stored,
                ofKey: place.key,
                to: mark.suite,
                marked: (mark.key, mark.value),
                origin: .migration(by: id)
            )
        } else {
            suite.setChecked(nil, forKey: place.key, origin: .migration(by: id))
        }
    }
}

/// Says in the target's suite that a value came over from another suite and is not yet removed there,
/// so that a migration that was cut short is told from one that has not begun.
private struct Mark: Sendable {
    let suite: SettingsSuite
    let key: String
    let value: PropertyListValue

    /// Nil where none is needed: the target is kept nowhere, or one step stores both.
    init?<Other>(from key: String, in source: SettingsSuite, to target: Property<Other>) {
        guard let place = target.declaration.place, let suite = target.connectedSuite(), suite != source
        else {
            return nil
        }
        self.suite = suite
        self.key = "PDefaults.migration." + place.key
        value = .array([.string(source.location), .string(key)])
    }

    var isSet: Bool { suite.storedValue(forKey: key) == value }

    func remove() {
        if isSet { suite.set(nil, forKey: key) }
    }
}
