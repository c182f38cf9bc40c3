import FoundationEssentials
import PropertyList
import SettingsStore

// The rules for capabilities that only some backends have. Each rule holds at once for a storage without the capability.
extension StorageConformance {
    func checkAcceptedValues(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        guard let validating = storage as? any ValidatesValues else { return }
        for (key, value) in Self.values where validating.refusal(of: value, forKey: key) == nil {
            try write([key: value], to: &storage)
        }
    }

    func checkWriteAccess(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        guard let reporting = storage as? any ReportsWriteAccess else { return }
        let reason = reporting.readOnlyReason()
        try require(reason == nil, "says that it is read-only: \(reason ?? "")")
        try write(["a": 1], to: &storage)
        try requireKept(["a": 1], makeStorage)
    }

    func checkLockAhead(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        try write(["a": 1], to: &storage)
        guard storage.traits.hasLock else { return }
        var first = makeStorage()
        var second = makeStorage()
        try require(first.tryLock(), "a free lock was not taken")
        try require(!second.tryLock(), "the lock was taken twice")
        try first.update { _ in StorageWrite(changes: ["a": 2]) }
        try require(second.tryLock(), "the update did not release the lock")
        try second.update { _ in StorageWrite(changes: ["b": 3]) }
        try requireKept(["a": 2, "b": 3], makeStorage)
    }

    /// The values are large, because a storage may cache only large content.
    func checkReleasedCache(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        let text = PropertyListValue.string(String(repeating: "large ", count: 100_000))
        var expected: [String: PropertyListValue] = ["large": text, "a": 1]
        try write(expected, to: &storage)
        guard storage.hasReleasableCache else { return }
        var other = makeStorage()
        _ = try other.read()
        for round in 2...3 {
            let value = PropertyListValue.integer(PropertyListInteger(Int64(round)))
            storage.releaseCache()
            try requireNone(try storage.read())
            try write(["a": value], to: &other)
            let seen = try applying(try storage.read(), to: expected)
            expected["a"] = value
            try require(seen == expected, "a foreign change was misread after the cache was released")
            storage.releaseCache()
            expected["own \(round)"] = true
            try write(["own \(round)": true], to: &storage)
            _ = try other.read()
        }
        try requireKept(expected, makeStorage)
    }

    func checkRecovery(_ makeStorage: Maker) throws {
        guard var storage = makeStorage() as? any Recoverable else { return }
        try require(
            try storage.recover(with: StorageWrite(changes: ["c": 3])) == nil,
            "something was set aside although the suite does not exist"
        )
        try storage.update { _ in StorageWrite(changes: ["a": 1]) }
        var other = makeStorage()
        try write(["b": 2], to: &other)
        try require(
            try storage.recover(with: StorageWrite(changes: ["c": 3])) == nil,
            "something was set aside that can be read"
        )
        let seen = try applying(try storage.read(), to: ["a": 1])
        try require(seen == ["a": 1, "b": 2], "the foreign change was reported as \(seen)")
        try requireKept(["a": 1, "b": 2], makeStorage)
    }

    func checkSchema(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        guard let store = (storage as? any StoresSchema)?.schemaStore, let other = makeStorage().schemaPlace
        else {
            return
        }
        try require(try !store.exists && store.read().isEmpty, "a suite that does not exist has a schema")
        try write(["a": 1], to: &storage)
        let schema = SuiteSchema(["a": SettingDeclaration(.integer(), title: "A number")])
        try require(try store.merge(schema), "the schema was not stored")
        try require(other.exists, "another storage does not see the schema")
        let expected = storage.traits.storesJSON ? schema.inJSON : schema
        try require(try other.read() == expected, "another storage reads a different schema")
        guard let stored = try other.stored() else {
            throw ConformanceFailure(
                rule: self,
                problem: "another storage can't read the bytes of the schema"
            )
        }
        try require(try !other.remove(StoredSchema(Data("{}".utf8))), "a different schema was removed")
        try require(try other.remove(stored), "the schema was not removed")
        try require(try !store.exists && store.read().isEmpty, "the removed schema is still there")
        try requireKept(["a": 1], makeStorage)
    }

    func checkTemplate(_ makeStorage: Maker) throws {
        var storage = makeStorage()
        guard let providing = makeStorage() as? any ProvidesTemplate else { return }
        try require(try providing.template() == nil, "a suite that does not exist is a template")
        try write(["a": 1], to: &storage)
        try require(try providing.template() != nil, "a suite that exists is no template")
    }

    func checkSuiteRemoval(_ makeStorage: Maker) throws {
        guard var storage = makeStorage() as? any RemovesSuites else { return }
        try storage.update { _ in StorageWrite(changes: ["a": 1, "b": 2]) }
        try require(try storage.removeAll(), "nothing was removed")
        var other = makeStorage()
        try requireAll([:], exists: false, try other.read())
    }
}
