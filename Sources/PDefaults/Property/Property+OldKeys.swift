import PropertyList
import SettingsStore

// Settings that were renamed keep their values.

extension Property {
    /// Moves the value of an old key of the setting to its present key, if that has no value.
    ///
    /// - Returns: the value to show until it is moved. If the move fails, the next process tries again.
    func valueOfOldKey(_ place: PropertyConfiguration<Value>.Place, in suite: SettingsSuite)
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
