import PropertyList

extension SuiteStorage {
    /// An update by whoever has no ``SettingsSuite`` of it, which is over for good when this returns: what a program
    /// that knows nothing of it undoes at once is written again.
    ///
    /// - Parameter decide: is given all that is kept, and whether anything is; called as by ``update(_:)``.
    /// - Throws: as ``update(_:)``, and ``SettingsError/overwritten(path:)`` where it is undone each time.
    package mutating func updateAlone(
        _ decide: (_ values: PropertyListEntries, _ exists: Bool) -> StorageWrite
    ) throws(SettingsError) {
        var ground = Ground()
        var written: [String: PropertyListValue?] = [:]
        try update { reading in
            ground.take(reading)
            var write = decide(ground.values, reading.exists)
            write.changes.merge(ground.restoring) { own, _ in own }
            written = write.changes
            return write
        }
        ground.have(written)
        while let reading = try lookAfterUpdate() {
            ground.take(reading)
            written = ground.restoring
            if written.isEmpty { continue }
            try update { reading in
                ground.take(reading)
                written = ground.restoring
                return StorageWrite(changes: written)
            }
            ground.have(written)
        }
    }

    /// What could not be looked at is stored all the same.
    private mutating func lookAfterUpdate() throws(SettingsError) -> StorageReading? {
        do {
            return try readAfterUpdate()
        } catch .overwritten(let path) {
            throw .overwritten(path: path)
        } catch {
            return nil
        }
    }
}

/// What an update rests on.
private struct Ground {
    private(set) var values = PropertyListEntries()
    /// What was undone, as it is to be.
    private(set) var restoring: [String: PropertyListValue?] = [:]

    mutating func take(_ reading: StorageReading) {
        reading.apply(to: &values)
        // What somebody has set since stands.
        switch reading.difference {
        case .none: break
        case .all: restoring = [:]
        case .some(let changes): for key in changes.keys { restoring[key] = nil }
        }
        for key in reading.undone.keys { restoring.updateValue(values[key], forKey: key) }
    }

    mutating func have(_ written: [String: PropertyListValue?]) {
        for (key, value) in written { values[key] = value }
        restoring = [:]
    }
}
