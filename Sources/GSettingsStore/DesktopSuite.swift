// A suite of the desktop is a schema at a path. All storages of it in a process share one GSettings object, because GLib
// asks the desktop's service to report changes for each of them.

#if GSettings
import CGio
import Glibc
import PropertyList
import SettingsStore
import Synchronization

/// The values of one schema at one path.
///
/// Unchecked: the pointer is used on GLib's thread only, and everything else is behind a lock.
final class DesktopSuite: @unchecked Sendable {
    private let schema: DesktopSchema
    private let settings: OpaquePointer
    /// Made once, because GLib parses the sources of all schemas for their texts.
    lazy var declarations = schema.declarations
    private let watchers = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])
    private let isNotifying = Atomic(false)

    private static let known = Mutex<[SuiteName: DesktopSuite]>([:])

    /// The suite, which exists until the process ends. Runs on GLib's thread.
    ///
    /// - Throws: ``SettingsError/unreachable(path:reason:)`` if no such schema is installed.
    static func named(_ name: SuiteName) throws(SettingsError) -> DesktopSuite {
        if let suite = known.withLock({ $0[name] }) { return suite }
        func refusal(_ reason: String) -> SettingsError {
            .unreachable(path: DesktopSettings.gsettings.location + name.rawValue, reason: reason)
        }
        if let problem = backendProblem { throw refusal(problem) }
        let parts = name.rawValue.split(separator: ":", maxSplits: 1).map { String($0) }
        guard let schema = DesktopSchema.named(parts[0]) else {
            throw refusal("no schema “\(parts[0])” is installed. Install the package that has it")
        }
        let path = parts.count > 1 ? parts[1] : nil
        if schema.path == nil, path == nil {
            throw refusal("the schema is relocatable. Write a path after its name: \(parts[0]):/path/")
        }
        if let own = schema.path, let path, own != path {
            throw refusal("the path of the schema is \(own). Leave out the path")
        }
        let suite = DesktopSuite(schema, path)
        known.withLock { $0[name] = suite }
        return suite
    }

    /// Without its usual backend, GLib keeps all values in the memory of the process.
    private static let backendProblem: String? = {
        let backend = g_settings_backend_get_default().flatMap { g_type_name_from_instance($0) }
        let isMemory = backend.map { String(cString: $0) } == "GMemorySettingsBackend"
        if !isMemory || getenv("GSETTINGS_BACKEND") != nil { return nil }
        return
            "dconf is not installed, so nothing would be stored. Install the package dconf-gsettings-backend"
    }()

    private init(_ schema: DesktopSchema, _ path: String?) {
        self.schema = schema
        settings = g_settings_new_full(schema.pointer, nil, path)
        // Changes then wait until they are applied, all in one step.
        g_settings_delay(settings)
        let notify: @convention(c) (OpaquePointer, UInt, UInt32, UnsafeMutableRawPointer) -> gboolean = {
            Unmanaged<DesktopSuite>.fromOpaque($3).takeUnretainedValue().mayHaveChanged()
            // GLib goes on with its own handlers.
            return 0
        }
        let notifyOfKey: @convention(c) (OpaquePointer, UInt32, UnsafeMutableRawPointer) -> gboolean = {
            Unmanaged<DesktopSuite>.fromOpaque($2).takeUnretainedValue().mayHaveChanged()
            return 0
        }
        let (object, this) = (UnsafeMutableRawPointer(settings), Unmanaged.passUnretained(self).toOpaque())
        typealias Handler = @convention(c) () -> Void
        g_signal_connect_data(object, "change-event", unsafeBitCast(notify, to: Handler.self), this, nil, 0)
        g_signal_connect_data(
            object,
            "writable-change-event",
            unsafeBitCast(notifyOfKey, to: Handler.self),
            this,
            nil,
            0
        )
    }

    // MARK: Values, on GLib's thread

    /// The user's values.
    func values() -> [String: PropertyListValue] {
        var values: [String: PropertyListValue] = [:]
        for (name, key) in schema.keys {
            if let value = userValue(name) { values[name] = key.type.value(of: value) }
        }
        return values
    }

    func userValue(_ key: String) -> Variant? { g_settings_get_user_value(settings, key).map(Variant.init) }

    /// The values of a layer besides the user's own.
    func values(of layer: SettingsLayer) -> [String: PropertyListValue] {
        var values: [String: PropertyListValue] = [:]
        for (name, key) in schema.keys {
            if let value = value(of: name, key, in: layer) { values[name] = key.type.value(of: value) }
        }
        return values
    }

    private func value(of name: String, _ key: DesktopSchema.Key, in layer: SettingsLayer) -> Variant? {
        switch layer {
        case .mandatory:
            if g_settings_is_writable(settings, name) != 0 { return nil }
            return Variant(g_settings_get_value(settings, name))
        case .site:
            let value = Variant(g_settings_get_default_value(settings, name))
            return value == key.defaultValue ? nil : value
        default: return key.defaultValue
        }
    }

    /// Why the key can't have the value; nil if it can.
    func problem(with value: PropertyListValue, forKey key: String) -> String? {
        guard let known = schema.keys[key] else { return "the schema has no such key" }
        do throws(VariantProblem) {
            _ = try known.variant(of: value)
            return nil
        } catch {
            return error.text
        }
    }

    /// The values of some keys before and after a write. The backend may not have stored them yet.
    struct Written {
        var before: [String: Variant?] = [:]
        var after: [String: Variant?] = [:]
    }

    /// Writes the changes in one step if some keys still have the values that are known.
    ///
    /// - Returns: nil if they have not.
    func write(
        _ changes: [String: PropertyListValue?],
        ifUnchanged keys: Set<String>,
        from known: [String: PropertyListValue]
    ) throws(SettingsError) -> Written? {
        let now = values()
        if keys.contains(where: { now[$0] != known[$0] }) { return nil }
        var written = Written()
        for (name, value) in changes {
            // The same value as before would replace its spelling, such as the order of a dictionary's keys.
            guard let key = schema.keys[name], now[name] != value else { continue }
            if g_settings_is_writable(settings, name) == 0 {
                throw .locked(key: name, by: DesktopLayer.administrator)
            }
            written.before.updateValue(userValue(name), forKey: name)
            // The caller has checked the values.
            written.after.updateValue(value.flatMap { try? key.variant(of: $0) }, forKey: name)
        }
        for (name, value) in written.after {
            if let value {
                _ = withExtendedLifetime(value) { g_settings_set_value(settings, name, value.pointer) }
            } else {
                g_settings_reset(settings, name)
            }
        }
        g_settings_apply(settings)
        return written
    }

    /// Whether the backend has dropped a write: a key has its value of before.
    func hasLost(_ written: Written) -> Bool {
        written.after.contains { name, value in
            let now = userValue(name)
            return now != value && now == written.before[name]
        }
    }

    // MARK: Watching

    /// A signal has come. Many keys may change at once, and one notification is enough for all of them.
    private func mayHaveChanged() {
        if isNotifying.exchange(true, ordering: .sequentiallyConsistent) { return }
        LiveWorkScheduler().run { [self] in
            isNotifying.store(false, ordering: .sequentiallyConsistent)
            for notify in watchers.withLock({ Array($0.values) }) { notify() }
        }
    }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        let holder = Holder(self)
        watchers.withLock { $0[ObjectIdentifier(holder)] = notify }
        return StorageWatch(heldBy: holder) { _ in .events }
    }

    private final class Holder: Sendable {
        let suite: DesktopSuite

        init(_ suite: DesktopSuite) { self.suite = suite }

        deinit { suite.watchers.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) } }
    }
}

extension StorageWatch {
    /// A watch on something that never changes while the process runs.
    static var never: StorageWatch {
        final class Nothing: Sendable {}
        return StorageWatch(heldBy: Nothing()) { _ in .events }
    }
}
#endif
