import PropertyList
import SettingsStore

/// The result of a migration.
public enum PDefaultsMigration: Sendable {
    /// The target has the value, and the source shows its default.
    case migrated
    /// The source has no stored value, or its value was migrated before.
    case nothingToMigrate
    /// A migration that an earlier process did not finish is completed. The target keeps its value, which may be newer.
    case completed
    /// The source can't be decoded, the mapping threw, or its result can't be encoded. Both properties are unchanged.
    case failed(any Error)
}

extension PDefaults {
    /// Moves the stored value to another property, if there is a stored value.
    ///
    /// Both properties show the new state when this returns. The stored value of the source is removed after the
    /// target's is on disk. `synchronize()` of either suite and the end of the process wait for that. If both
    /// properties have the same suite and key, this changes the type in place.
    @discardableResult
    public func migrate(to target: PDefaults<Value>) -> PDefaultsMigration {
        reference.property.migrate(to: target.reference.property) { $0 }
    }

    /// Moves the stored value to another property, converted by the mapping.
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
        // Of two types on one key, one can't read the value of the other, which is not an error.
        let isInPlace = target.declaration.place?.address.isSame(as: place.address) ?? false
        guard let suite = connectedSuite(isReporting: !isInPlace) else { return .nothingToMigrate }
        let targetSuite = target.connectedSuite(isReporting: !isInPlace)
        let mark = Mark(from: place.key, in: suite, to: target)
        guard let stored = suite.storedValue(forKey: place.key) else {
            mark?.remove()
            return .nothingToMigrate
        }
        if let path = suite.lock(ofKey: place.key) {
            let error = PDefaultsError(lockOf: place.key, by: path, at: suite.location)
            PDefaultsConfiguration.report(error)
            return .failed(error)
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
            // In all other cases the first read of the suite has reported it.
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
        _ place: PropertyConfiguration<Value>.Place,
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

    /// Whether the stored value has exactly the form in which this property stores it.
    private func wrote(_ stored: PropertyListValue, _ place: PropertyConfiguration<Value>.Place) -> Bool {
        guard let value = try? place.coding.decode(stored) else { return false }
        return (try? place.coding.encode(value)) == stored
    }

    /// Shows the default from now on, and ignores the suite's report of the removal, which comes later.
    private func show(removalBy id: WriterID) {
        let suite = state.withLock(\.connection)?.suite
        let update = defaultUpdate(in: suite, .migration)
        // If another layer has a value too, the report brings it.
        let isOnlyValue = declaration.place.map { place in
            suite?.sources(forKey: place.key).allSatisfy { $0.layer == .user || $0.layer <= .registered }
                ?? true
        }
        state.withLock {
            if isOnlyValue ?? true { $0.ignore(id) }
            $0.expect(update, from: id)
        }
        publish(update, from: id)
    }

    /// Removes the migrated value after the target's is on disk, unless it has changed since. If the process ends
    /// before, the next process finds the mark and removes the value.
    private func giveUp(
        _ stored: PropertyListValue,
        _ place: PropertyConfiguration<Value>.Place,
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

/// A mark in the target's suite for a value that was migrated and is not yet removed from its source. It
/// distinguishes an unfinished migration from one that has not begun.
private struct Mark: Sendable {
    let suite: SettingsSuite
    let key: String
    let value: PropertyListValue

    /// Nil if no mark is needed: the target only lives in memory, or one transaction stores both.
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
