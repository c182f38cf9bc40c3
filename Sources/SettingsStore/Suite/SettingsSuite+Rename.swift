// A rename must not show both suites or neither. A backend that can replace one suite by another in one step does the
// rename as one write (``MovesSuites``). Without it, a crash in the middle of a rename would leave two copies.

import PropertyList

extension SuiteCore {
    /// Held during a rename, the only time that a thread locks two storages. Otherwise two opposite renames would
    /// wait for each other.
    private static let renaming = Mutex(())

    /// Creates this suite with the values of another one, which is removed in the same step.
    ///
    /// - Throws: an error also if the backend can't do that.
    func make(
        _ values: [String: PropertyListValue],
        replacing other: SuiteCore,
        _ origin: ChangeOrigin
    ) throws(SettingsError) {
        if other === self { throw .notWritable(path: location, reason: "the new name is the same") }
        try validate(values)
        try checkLocks(values)
        loadWithoutNotifying()
        defer {
            deliver()
            other.deliver()
        }
        try Self.renaming.withLock { _ throws(SettingsError) in
            other.loadWithoutNotifying()
            try other.storage.withLock { storage throws(SettingsError) in
                try replace(other, &storage, values, origin)
            }
        }
    }

    private func replace(
        _ other: SuiteCore,
        _ otherStorage: inout any SuiteStorage,
        _ values: [String: PropertyListValue],
        _ origin: ChangeOrigin
    ) throws(SettingsError) {
        let expected = values.mapValues { PropertyListValue?.some($0) }
        while true {
            try other.storeChecking(expected, in: &otherStorage)
            let revision = try other.lastRevision(in: &otherStorage)
            let write = ConditionalWrite(
                changes: expected,
                expected: values.mapValues { _ in nil },
                origin: origin,
                action: .create(like: nil, replacing: revision)
            )
            do throws(SettingsError) {
                try storage.withLock { storage throws(SettingsError) in try commit(to: &storage, write) }
                break
            } catch {
                // The other suite has changed since, and may have changed back.
                if case .conflict(let current) = error, current.isEmpty { continue }
                throw error
            }
        }
        let removal = ConditionalWrite(
            changes: values.mapValues { _ in nil },
            expected: expected,
            origin: origin,
            action: .remove
        )
        other.state.withLock { $0.stored(removal) }
    }

    /// Stores what is pending, and checks that exactly the expected values are stored then.
    private func storeChecking(
        _ expected: [String: PropertyListValue?],
        in storage: inout any SuiteStorage
    ) throws(SettingsError) {
        var check = ConditionalWrite(changes: [:], expected: expected, origin: .otherProcess)
        check.expectsNoOtherKeys = true
        do throws(SettingsError) {
            try commit(to: &storage, check)
        } catch {
            guard case .conflict(let current) = error else { throw error }
            let reason = "another process has changed \(MessageText.names(current.keys, quoted: true))"
            throw .notWritable(path: location, reason: reason)
        }
    }

    private func lastRevision(in storage: inout any SuiteStorage) throws(SettingsError) -> SuiteRevision {
        guard var replaceable = storage as? any MovesSuites else {
            let reason = "a suite can't replace another one here"
            throw .notWritable(path: location, reason: reason)
        }
        defer { storage = replaceable }
        return try replaceable.lastRevision()
    }
}
