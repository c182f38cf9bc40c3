import PropertyList

extension SuiteStorage {
    /// Updates a storage that no ``SettingsSuite`` uses, as a command does that writes once.
    ///
    /// - Parameter decide: gets all stored values and whether the suite exists. It may be called several times, as by
    ///   ``update(_:)``.
    /// - Throws: also ``SettingsError/locked(key:by:)`` if it sets a locked key. Then nothing is written.
    package mutating func updateAlone(
        _ decide: (_ values: PropertyListEntries, _ exists: Bool) -> StorageWrite
    ) throws(SettingsError) {
        var values = PropertyListEntries()
        var searchList = SearchList(around: self)
        searchList?.readLocks()
        let locks = searchList?.values ?? LayerValues()
        var refusal: SettingsError?
        var stored: [String: PropertyListValue?] = [:]
        do throws(SettingsError) {
            try update { reading in
                reading.apply(to: &values)
                let write = decide(values, reading.exists)
                refusal = locks.refusal(of: write.changes)
                guard refusal == nil else { return StorageWrite(changes: [:]) }
                stored = write.changes
                return write
            }
        } catch {
            guard case .overwritten = error else { throw error }
            try updateAgain(stored, values)
        }
        if let refusal { throw refusal }
    }

    /// Stores once more what an unlocked writer has overwritten.
    ///
    /// - Parameters:
    ///   - own: the changes of the update.
    ///   - values: the stored values before the update. There may be values of other programs among them that were
    ///     overwritten too.
    private mutating func updateAgain(
        _ own: [String: PropertyListValue?],
        _ values: PropertyListEntries
    ) throws(SettingsError) {
        var values = values
        var changes: [String: PropertyListValue?] = [:]
        func write(after reading: StorageReading) -> StorageWrite {
            reading.apply(to: &values)
            // A later change of another program stays.
            if case .some(let differences) = reading.difference {
                for key in differences.keys { changes.removeValue(forKey: key) }
            }
            let lost = reading.exists ? Set(reading.overwritten.keys) : Set(own.keys)
            for key in lost { changes.updateValue(own[key] ?? values[key], forKey: key) }
            return StorageWrite(changes: changes)
        }
        do throws(SettingsError) {
            try update { write(after: $0) }
        } catch {
            guard case .overwritten = error, let reading = try? read(), reading.exists else { throw error }
            // If only values of other programs are lost, this update has succeeded.
            if reading.overwritten.keys.contains(where: own.keys.contains) { throw error }
        }
    }

    /// Removes all keys of a storage that no ``SettingsSuite`` uses.
    ///
    /// - Returns: whether there were any.
    package mutating func removeAllKeys() throws(SettingsError) -> Bool {
        var hadKeys = false
        try updateAlone { values, _ in
            hadKeys = !values.isEmpty
            return StorageWrite(changes: Dictionary(uniqueKeysWithValues: values.map { ($0.key, nil) }))
        }
        return hadKeys
    }
}
