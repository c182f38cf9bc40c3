// A setting can move to another suite or key. The new place must have the value before the old one loses it, and a
// crash in between must not lose or duplicate anything. So the new suite gets the value together with a mark, the old
// value is removed once both are stored, and the mark last. Without the mark, a migration that was interrupted would
// look like one that has not begun, and an old value could replace a newer one.

import Glibc
import PropertyList

/// A migration of a value that is not finished. It is finished in the background, by the next
/// ``SettingsSuite/synchronize()`` of either suite, or at the exit of the process.
protocol UnfinishedMove: AnyObject, Sendable {
    /// The suite that loses the value.
    var source: SuiteCore { get }

    /// Finishes the migration. It may be called several times, and on several threads at once.
    ///
    /// - Throws: why the value can't be removed yet.
    func finish() throws(SettingsError)
}

/// The last steps of a migration to another suite: store the value and the mark in the new suite, remove the value
/// from the old one, remove the mark. A step that fails is retried.
final class MigrationCleanup: UnfinishedMove {
    let source: SuiteCore
    let target: SuiteCore
    private let removal: ConditionalWrite
    private let mark: (key: String, value: PropertyListValue)
    /// Held while one thread finishes the migration; other threads wait. None of the program's code runs meanwhile.
    private let isFinished = Mutex(false)

    init(
        _ removal: ConditionalWrite,
        from source: SuiteCore,
        to target: SuiteCore,
        mark: (key: String, value: PropertyListValue)
    ) {
        self.removal = removal
        self.source = source
        self.target = target
        self.mark = mark
    }

    func finish() throws(SettingsError) {
        defer {
            if target.isPending(mark.key) { try? target.store() }
            source.deliver()
            target.deliver()
        }
        try isFinished.withLock { isFinished throws(SettingsError) in
            if isFinished { return }
            try target.store()
            // Without the mark, the new suite has not adopted the value, or another process has finished the migration.
            if target.storedValue(forKey: mark.key) == mark.value { try removeOldValue() }
            target.end(self)
            source.end(self)
            isFinished = true
        }
    }

    private func removeOldValue() throws(SettingsError) {
        do throws(SettingsError) {
            try source.store(removal)
        } catch {
            target.end(self)
            // A value that was set since stays.
            guard case .conflict = error else { throw error }
        }
        target.removeInMemory(mark.value, forKey: mark.key)
    }
}

/// A migration to another key of the same suite that could not be done at once, because another process had the lock.
final class KeyMove: UnfinishedMove {
    let source: SuiteCore
    private let value: PropertyListValue
    private let oldKey: String
    private let key: String

    init(_ value: PropertyListValue, from oldKey: String, to key: String, in suite: SuiteCore) {
        self.value = value
        self.oldKey = oldKey
        self.key = key
        source = suite
    }

    var write: ConditionalWrite {
        ConditionalWrite(
            changes: [key: value, oldKey: nil],
            expected: [key: nil, oldKey: value],
            origin: .migration(by: nil)
        )
    }

    /// Tries the migration once. If that fails, the next process that uses the setting migrates it.
    func finish() {
        do throws(SettingsError) {
            try source.store(write)
        } catch {
            if case .conflict = error { removeOldValue() }
        }
        source.end(self)
        source.deliver()
    }

    /// The setting was set meanwhile. The old value would be migrated later, after a removal of the new one.
    private func removeOldValue() {
        let removal = ConditionalWrite(
            changes: [oldKey: nil],
            expected: [oldKey: value],
            origin: .migration(by: nil)
        )
        try? source.store(removal)
    }
}

extension SettingsSuite {
    /// Removes a value that another suite has adopted, if it has not changed, after it is stored there durably; then
    /// removes the mark there. Returns before that.
    package func handOver(
        _ value: PropertyListValue,
        ofKey key: String,
        to target: SettingsSuite,
        marked mark: (key: String, value: PropertyListValue),
        origin: ChangeOrigin
    ) {
        let removal = ConditionalWrite(changes: [key: nil], expected: [key: value], origin: origin)
        let cleanup = MigrationCleanup(removal, from: core, to: target.core, mark: mark)
        core.begin(cleanup)
        target.core.begin(cleanup)
        // A failure is retried by the next commit.
        target.core.scheduler.run { try? cleanup.finish() }
    }

    /// Moves a stored value to another key that has none. It happens at once, unless this call would have to wait for
    /// another process or for a long commit; then it happens on a thread of the store.
    ///
    /// - Returns: whether it is finished. Otherwise the caller shows the value meanwhile; the value stays under the
    ///   old key if it can't be moved.
    package func move(_ value: PropertyListValue, from oldKey: String, to key: String) -> Bool {
        if core.problem(with: value, forKey: key) != nil || isLocked(key) || isLocked(oldKey) { return false }
        let move = KeyMove(value, from: oldKey, to: key, in: core)
        defer { core.deliver() }
        do throws(SettingsError) {
            if try core.storeAtOnce(move.write) { return true }
        } catch {
            if case .conflict = error { return true }
            return false
        }
        core.begin(move)
        core.scheduler.run { move.finish() }
        return false
    }
}

extension SuiteCore {
    /// Stores the conditional write and everything that is pending, without waiting for the lock of another process or
    /// for a commit that takes long.
    ///
    /// - Returns: false if a wait is necessary. Then nothing is stored.
    /// - Throws: why the conditional write is not stored.
    func storeAtOnce(_ write: ConditionalWrite) throws(SettingsError) -> Bool {
        loadWithoutNotifying()
        for attempt in 0...Self.triesAtOnce {
            if attempt > 0 { usleep(Self.microsecondsBetweenTries) }
            let isStored: Bool? = try storage.withLockIfAvailable { storage throws(SettingsError) in
                beginDueWatch(of: storage)
                guard storage.tryLock() else { return false }
                try commit(to: &storage, write)
                return true
            }
            guard let isStored else { continue }
            if !isStored { commitSoon() }
            return isStored
        }
        return false
    }

    /// Most commits end after a few milliseconds, so one that takes longer is not waited for.
    private static let triesAtOnce = 50
    private static let microsecondsBetweenTries: UInt32 = 1000

    /// Notes a migration, which the next commit finishes.
    func begin(_ migration: any UnfinishedMove) {
        state.withLock { state in
            state.commit.begin(migration)
            registerForExit(state)
        }
    }

    func end(_ migration: any UnfinishedMove) {
        state.withLock { state in
            state.commit.end(migration)
            registerForExit(state)
        }
    }

    /// Returns why a value of this suite that another suite has adopted can't be removed.
    func finishMigrations() -> SettingsError? {
        var failure: SettingsError?
        for migration in state.withLock(\.commit.migrations) {
            do throws(SettingsError) {
                try migration.finish()
            } catch {
                if migration.source === self { failure = failure ?? error }
            }
        }
        return failure
    }

    /// Removes a value if it has not changed. The removal is pending. Notifies no observer.
    func removeInMemory(_ value: PropertyListValue, forKey key: String) {
        state.withLock { state in
            guard state.values.stored[key] == value else { return }
            state.set(nil, forKey: key, origin: .set(by: nil))
            registerForExit(state)
        }
    }

    func isPending(_ key: String) -> Bool { state.withLock { $0.commit.pending[key] != nil } }

    var hasMigrations: Bool { state.withLock { !$0.commit.migrations.isEmpty } }
}
