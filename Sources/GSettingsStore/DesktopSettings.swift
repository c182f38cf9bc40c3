// Programs, commands and the editor work with places where suites are kept, without knowing GSettings. These extensions make
// the desktop's settings such a place: they open suites and list them.

#if GSettings
import CGio
import PropertyList
import SettingsStore

/// The settings of the desktop, which all programs with GSettings share.
///
/// ```swift
/// let suite = try SettingsSuite(named: "org.gnome.desktop.interface", in: .gsettings)
/// ```
///
/// Each installed schema is a suite. A relocatable schema is one at each of its paths: `schema:/path/`.
public struct DesktopSettings: Sendable, Hashable {
    /// The settings of the user whose process this is.
    public static let gsettings = DesktopSettings()

    private init() {}
}

extension SettingsSuite {
    /// Opens a suite of the desktop's settings. Suites with the same name share their values in this process.
    ///
    /// A schema that is not installed is reported by the first use of the suite, as
    /// ``SettingsError/unreachable(path:reason:)``.
    ///
    /// - Throws: ``SuiteNameError`` if no schema can have the name.
    public init(named name: String, in desktop: DesktopSettings) throws(SuiteNameError) {
        self = desktop.suite(try desktop.suiteName(name))
    }
}

extension DesktopSettings: SuiteBackend {
    private static let suites = SuiteRegistry<SuiteName>()

    public var location: String { "gsettings:" }

    public var kind: BackendKind { .desktop }

    public func isThere() throws(SettingsError) -> Bool { true }

    public func suite(_ name: SuiteName) -> SettingsSuite {
        SettingsSuite(sharedAs: name, in: Self.suites) { GSettingsStorage(name) }
    }

    public func storage(of name: SuiteName) -> sending any SuiteStorage { GSettingsStorage(name) }

    public func suiteName(_ name: String) throws(SuiteNameError) -> SuiteName {
        try SuiteName(ofSchema: name)
    }

    /// The installed schemas, sorted. A relocatable one is listed at each path that a setting names for it: a list of
    /// paths in the schema whose name it continues.
    public func suiteNames() throws(SettingsError) -> [SuiteName] {
        let (fixed, relocatable) = GLibThread.run { DesktopSchema.names() }
        var names = fixed.compactMap { try? suiteName($0) }
        for schema in relocatable {
            guard let dot = schema.lastIndex(of: "."), let parent = try? suiteName(String(schema[..<dot])),
                names.contains(parent)
            else { continue }
            let values = try GLibThread.run { () throws(SettingsError) in
                try DesktopSuite.named(parent).values()
            }
            for case .array(let elements) in values.values {
                for case .string(let path) in elements where path.hasPrefix("/") {
                    if let name = try? suiteName("\(schema):\(path)") { names.append(name) }
                }
            }
        }
        return Set(names).sorted()
    }

    public func readOnlyReason() -> String? { "each suite is an installed schema" }

    /// Discards what GLib and its backends would print on standard error, for programs that report errors themselves.
    ///
    /// Call it once, because GLib ends a process that does it twice.
    package static func discardMessages() {
        // 1: the message is handled.
        g_log_set_writer_func({ _, _, _, _ in 1 }, nil, nil)
    }

    public func versions(of names: [SuiteName]) -> [SuiteName: SuiteVersion] {
        GLibThread.run {
            var versions: [SuiteName: SuiteVersion] = [:]
            for name in names {
                versions[name] = (try? DesktopSuite.named(name)).map { SuiteVersion(of: $0.values()) }
            }
            return versions
        }
    }

    public func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        StorageWatch(all: ((try? suiteNames()) ?? []).map { GSettingsStorage($0).watch(notify) })
    }
}
#endif
