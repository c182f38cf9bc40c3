import PropertyList
import Synchronization

/// Collects the settings that this process declares for one suite.
///
/// Properties declare themselves one after the other and on any thread, but the schema file should be written once. So
/// the declarations are kept here until an export stores all of them.
final class SuiteDeclarations: Sendable {
    private struct State {
        var schema = SuiteSchema()
        /// Further declarations of a key with another kind of value, for a setting whose type changes.
        var alternatives: [String: [SettingDeclaration]] = [:]
        /// Keys that can have only some values of their type.
        var limited: Set<String> = []
        /// The types that the program reads under each key.
        var types: [String: Set<ObjectIdentifier>] = [:]
        /// Whether the suite is used, so that its declarations are stored.
        var isInUse = false
        var isExported = true
        var isExportScheduled = false

        mutating func beginExport() -> Bool {
            if !isInUse || isExported || isExportScheduled { return false }
            isExportScheduled = true
            return true
        }
    }

    private let state = Mutex(State())
    /// Whether any key can have only some values of its type.
    private let hasLimits = Atomic(false)

    var schema: SuiteSchema { state.withLock(\.schema) }

    /// Returns whether the caller has to schedule an export.
    func declare(_ declaration: SettingDeclaration, forKey key: String) -> Bool {
        state.withLock { state in
            if let first = state.schema.declarations[key] {
                if first.shape.kind != declaration.shape.kind {
                    if state.alternatives[key]?.contains(declaration) != true {
                        state.alternatives[key, default: []].append(declaration)
                    }
                    return false
                }
                let both = first.completed(by: declaration)
                if both == first { return false }
                state.schema.declarations[key] = both
            } else {
                state.schema.declarations[key] = declaration
            }
            if state.schema.declarations[key]?.limitsText != nil {
                state.limited.insert(key)
                hasLimits.store(true, ordering: .releasing)
            }
            state.isExported = false
            return state.beginExport()
        }
    }

    /// Notes a type that the program reads under a key. Returns whether that is new.
    func begin(_ key: String, by type: ObjectIdentifier) -> Bool {
        state.withLock { $0.types[key, default: []].insert(type).inserted }
    }

    func hasSecret(_ key: String) -> Bool {
        state.withLock { state in
            state.schema.declarations[key]?.isSecret == true
                || state.alternatives[key]?.contains(where: \.isSecret) == true
        }
    }

    /// Whether any key is secret. Then no error may quote the file.
    var hasSecrets: Bool { state.withLock { !$0.schema.secretKeys.isEmpty } }

    /// Why a key can't have a value; nil if it can.
    ///
    /// - Parameter isOfType: whether the value is known to have the key's type.
    func problem(with value: PropertyListValue, forKey key: String, isOfType: Bool = false) -> String? {
        // Every set calls this, so the common case takes no lock.
        if isOfType, !hasLimits.load(ordering: .acquiring) { return nil }
        return state.withLock { state in
            if isOfType, !state.limited.contains(key) { return nil }
            guard let problem = state.schema.declarations[key]?.problem(with: value) else { return nil }
            let isAllowed = state.alternatives[key]?.contains { $0.problem(with: value) == nil } ?? false
            return isAllowed ? nil : problem
        }
    }

    // MARK: Exporting

    /// Notes that the suite is used. Returns whether the caller has to schedule an export.
    func beginUse() -> Bool {
        state.withLock { state in
            state.isInUse = true
            return state.beginExport()
        }
    }

    /// The declarations to export; nil if all are exported.
    func takeUnexported() -> SuiteSchema? {
        state.withLock { state in
            state.isExportScheduled = false
            guard state.isInUse, !state.isExported else { return nil }
            state.isExported = true
            return state.schema
        }
    }

    /// The declarations that were taken could not be exported.
    func putBack() { state.withLock { $0.isExported = false } }

    /// Whether there is something to export.
    var hasUnexported: Bool { state.withLock { $0.isInUse && !$0.isExported } }

    /// Returns whether the caller has to schedule an export.
    func beginExport() -> Bool { state.withLock { $0.beginExport() } }
}
