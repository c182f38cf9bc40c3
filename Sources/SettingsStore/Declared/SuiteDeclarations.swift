import PropertyList
import Synchronization

/// What this process has declared about the settings of one suite, and how far the file beside the suite
/// knows it.
final class SuiteDeclarations: Sendable {
    private struct Reader {
        let type: ObjectIdentifier
        let isReadable: @Sendable (PropertyListValue) -> Bool
    }

    private struct State {
        var schema = SuiteSchema()
        /// What was declared about a key besides, with values of another kind: a setting whose type
        /// changes in place.
        var others: [String: [SettingDeclaration]] = [:]
        /// Keys that take only some of their type's values.
        var limited: Set<String> = []
        /// Who declared a key, each with what tells whether a value can be read there.
        var readers: [String: [Reader]] = [:]
        /// Whether somebody uses the suite, so that its declarations are told to others.
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
    /// Whether any key takes only some of its type's values.
    private let hasLimits = Atomic(false)

    var schema: SuiteSchema { state.withLock(\.schema) }

    /// Whether the caller has to see to it that the declarations are exported.
    func declare(_ declaration: SettingDeclaration, forKey key: String) -> Bool {
        state.withLock { state in
            if let first = state.schema.declarations[key] {
                if first.shape.kind != declaration.shape.kind {
                    if state.others[key]?.contains(declaration) != true {
                        state.others[key, default: []].append(declaration)
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

    /// Notes who declares a key, and tells whether that is new.
    ///
    /// - Parameter isReadable: whether a stored value can be read there.
    func begin(
        _ key: String,
        by type: ObjectIdentifier,
        isReadable: @escaping @Sendable (PropertyListValue) -> Bool
    ) -> Bool {
        state.withLock { state in
            let known = state.readers[key] ?? []
            if known.contains(where: { $0.type == type }) { return false }
            state.readers[key, default: []].append(Reader(type: type, isReadable: isReadable))
            return true
        }
    }

    /// Those of the values that somebody declared to read there and can't.
    func unreadable(_ values: [String: PropertyListValue]) -> [String: PropertyListValue] {
        let readers = state.withLock(\.readers)
        return values.filter { key, value in
            readers[key]?.contains { !$0.isReadable(value) } ?? false
        }
    }

    /// Whether anybody has declared to read something.
    var hasReaders: Bool { state.withLock { !$0.readers.isEmpty } }

    func hasSecret(_ key: String) -> Bool {
        state.withLock { state in
            state.schema.declarations[key]?.isSecret == true
                || state.others[key]?.contains(where: \.isSecret) == true
        }
    }

    /// - Parameter isOfType: whether the value is known to be of the key's type.
    func problem(with value: PropertyListValue, forKey key: String, isOfType: Bool = false) -> String? {
        // Every set comes by here.
        if isOfType, !hasLimits.load(ordering: .acquiring) { return nil }
        return state.withLock { state in
            if isOfType, !state.limited.contains(key) { return nil }
            guard let problem = state.schema.declarations[key]?.problem(with: value) else { return nil }
            let isAllowed = state.others[key]?.contains { $0.problem(with: value) == nil } ?? false
            return isAllowed ? nil : problem
        }
    }

    // MARK: Exporting

    /// From now on the suite is in use. Whether the caller has to see to it that the declarations are
    /// exported.
    func beginUse() -> Bool {
        state.withLock { state in
            state.isInUse = true
            return state.beginExport()
        }
    }

    /// What is to be exported now; nil where there is nothing, or where that is known already.
    func takeUnexported() -> SuiteSchema? {
        state.withLock { state in
            state.isExportScheduled = false
            guard state.isInUse, !state.isExported else { return nil }
            state.isExported = true
            return state.schema
        }
    }

    /// There was no place for what was taken.
    func putBack() { state.withLock { $0.isExported = false } }

    /// Whether there is something to export.
    var hasUnexported: Bool { state.withLock { $0.isInUse && !$0.isExported } }

    /// Whether there is something to export that no turn is scheduled for.
    func beginExport() -> Bool { state.withLock { $0.beginExport() } }
}
