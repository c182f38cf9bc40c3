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
        try update { reading in
            reading.apply(to: &values)
            let write = decide(values, reading.exists)
            refusal = locks.refusal(of: write.changes)
            return refusal == nil ? write : StorageWrite(changes: [:])
        }
        if let refusal { throw refusal }
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
