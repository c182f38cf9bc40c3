import PropertyList

extension SuiteCore {
    /// Makes this suite with what another one holds, which goes in the same step.
    ///
    /// - Throws: also where the place has no such step.
    func make(
        _ values: [String: PropertyListValue],
        inPlaceOf other: SuiteCore,
        _ origin: ChangeOrigin
    ) throws(SettingsError) {
        defer { other.deliver() }
        try other.goInOneStep(expecting: values, origin) { ground throws(SettingsError) in
            try self.replace(
                values.mapValues { .some($0) },
                expecting: values.mapValues { _ in nil },
                origin: origin,
                whole: .made(like: nil, inPlaceOf: ground)
            )
        }.get()
    }

    /// Tells nobody. Nobody else of this process reads or writes meanwhile.
    ///
    /// - Parameter make: what this one goes with.
    private func goInOneStep(
        expecting values: [String: PropertyListValue],
        _ origin: ChangeOrigin,
        with make: (SuiteGround) throws(SettingsError) -> Void
    ) -> Result<Void, SettingsError> {
        let expected = values.mapValues { PropertyListValue?.some($0) }
        return withStorage { storage in
            do throws(SettingsError) {
                while true {
                    try self.verify(expected, in: &storage)
                    guard let ground = try storage.ground() else {
                        let reason = "no suite takes the place of another one here in one step"
                        throw .notWritable(path: self.location, reason: reason)
                    }
                    do throws(SettingsError) {
                        try make(ground)
                    } catch {
                        // It has changed since, and maybe back.
                        if case .conflict(let current) = error, current.isEmpty { continue }
                        throw error
                    }
                    break
                }
            } catch {
                return .failure(error)
            }
            let removal = ConditionalWrite(
                changes: values.mapValues { _ in nil },
                expected: expected,
                origin: origin,
                whole: .removed
            )
            self.state.withLock { $0.stored(removal) }
            return .success(())
        }
    }

    /// - Throws: where anything else is stored.
    private func verify(
        _ expected: [String: PropertyListValue?],
        in storage: inout any SuiteStorage
    ) throws(SettingsError) {
        var check = ConditionalWrite(changes: [:], expected: expected, origin: .otherProcess)
        check.expectsAll = true
        do throws(SettingsError) {
            try commit(to: &storage, check).get()
        } catch {
            guard case .conflict(let current) = error else { throw error }
            let names = current.keys.sorted().prefix(5).map { "“\($0)”" }.joined(separator: ", ")
            let reason = "others have changed \(names)\(current.count > 5 ? ", …" : "") meanwhile"
            throw .notWritable(path: location, reason: reason)
        }
    }

    /// Removes what somebody has begun to make of the suite and not finished.
    func removePart() throws(SettingsError) -> Bool {
        let result: Result<Bool, SettingsError> = withStorage { storage in
            do throws(SettingsError) {
                return .success(try storage.removeAll(onlyPart: true))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
