// SettingsStore works with any storage that can read, update and watch a suite. This storage keeps a suite where the desktop
// keeps its settings: with GSettings, and so usually in dconf.

#if GSettings
import CGio
import PropertyList
import SettingsStore

/// A suite of the desktop's settings.
///
/// A write is one transaction of the backend, and has returned when the backend has stored it. A conditional write compares
/// and writes without any other write of this process in between. Another process may write in between, because no backend
/// can exclude that.
public struct GSettingsStorage: SuiteStorage, Sendable {
    let name: SuiteName
    /// The values that were read or written last. Nil before the first reading.
    private var known: [String: PropertyListValue]?

    public init(_ name: SuiteName) { self.name = name }

    public var location: String { DesktopSettings.gsettings.location + name.rawValue }

    public var traits: StorageTraits {
        var traits = StorageTraits()
        traits.refusesWhileUnreachable = true
        return traits
    }

    /// Runs the body on GLib's thread with the suite.
    private func run<Success>(
        _ body: @escaping (DesktopSuite) throws(SettingsError) -> Success
    ) throws(SettingsError) -> Success {
        try GLibThread.run { () throws(SettingsError) in try body(try DesktopSuite.named(name)) }
    }

    public mutating func read() throws(SettingsError) -> StorageReading {
        let values = try run { $0.values() }
        defer { known = values }
        return StorageReading.of(values, since: known)
    }

    public mutating func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        while true {
            let write = decide(try read())
            if write.changes.isEmpty { return }
            for (key, value) in write.changes.sorted(by: { $0.key < $1.key }) {
                if let value, let error = valueCheck(value, key) { throw error }
            }
            let conditions = write.basis.union(write.unlessChanged)
            let before = known ?? [:]
            let written = try run { suite throws(SettingsError) in
                try suite.write(write.changes, ifUnchanged: conditions, from: before)
            }
            guard let written else { continue }
            g_settings_sync()
            if try run({ $0.hasLost(written) }) {
                throw .unreachable(
                    path: location,
                    reason:
                        "the change was not stored. Start a session bus (for example with “dbus-run-session”), "
                        + "and install the package dconf-service"
                )
            }
            for (key, value) in write.changes { known?[key] = value }
            return
        }
    }

    public func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        // A schema that is missing now is missing as long as this process runs.
        (try? run { $0.watch(notify) }) ?? .never
    }
}

extension GSettingsStorage: ValidatesValues {
    public var valueCheck: ValueCheck {
        { [self] value, key in
            do throws(SettingsError) {
                guard let problem = try run({ $0.problem(with: value, forKey: key) }) else { return nil }
                let error = PropertyListError(.path(ValuePath([.key(key)])), .unrepresentable, problem)
                return .unrepresentable(path: location, key: key, error)
            } catch {
                return error
            }
        }
    }
}

extension GSettingsStorage: StoresSchema {
    public var schemaStore: any SchemaStore { DesktopSchemaStore(name: name) }
}

extension GSettingsStorage: HasLayers {
    package var layeredSuite: LayeredSuite {
        .own(name, [.mandatory, .site, .declared].map { ($0, DesktopLayer(layer: $0, name: name)) })
    }
}

/// A layer besides the user's: the keys that an administrator has locked, the administrator's defaults, or the schema's. It is
/// only read.
struct DesktopLayer: SuiteStorage, Sendable {
    let layer: SettingsLayer
    let name: SuiteName
    private var known: [String: PropertyListValue]?

    init(layer: SettingsLayer, name: SuiteName) {
        self.layer = layer
        self.name = name
    }

    static let administrator = "the administrator’s GSettings"

    var location: String { layer == .declared ? DesktopSchemaStore(name: name).location : Self.administrator }

    mutating func read() throws(SettingsError) -> StorageReading {
        let values = try GLibThread.run { [name, layer] () throws(SettingsError) in
            try DesktopSuite.named(name).values(of: layer)
        }
        defer { known = values }
        return StorageReading.of(values, since: known)
    }

    func update(_ decide: (StorageReading) -> StorageWrite) throws(SettingsError) {
        throw .notWritable(path: location, reason: "only the administrator changes it")
    }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        GSettingsStorage(name).watch(notify)
    }
}

extension StorageReading {
    /// The reading of all values after one that has found the known ones.
    fileprivate static func of(
        _ values: [String: PropertyListValue],
        since known: [String: PropertyListValue]?
    ) -> StorageReading {
        guard let known else {
            return StorageReading(.all(PropertyListEntries(values)), exists: !values.isEmpty)
        }
        var changes: [String: PropertyListValue?] = [:]
        for (key, value) in values where known[key] != value { changes.updateValue(value, forKey: key) }
        for key in known.keys where values[key] == nil { changes.updateValue(nil, forKey: key) }
        return StorageReading(changes.isEmpty ? .none : .some(changes), exists: !values.isEmpty)
    }
}
#endif
