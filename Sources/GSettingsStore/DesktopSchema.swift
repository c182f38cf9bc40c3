// GLib ends the process if it is asked for a schema or key that does not exist. So everything is looked up here first, and
// the schema's keys are known before any is used. A schema is also the declaration of its settings, for editors and commands.

#if GSettings
import CGio
import PropertyList
import SettingsStore

/// An installed schema: the keys of a suite, with their types, defaults, limits and descriptions.
///
/// Unchecked: GLib's schemas never change while a process runs.
final class DesktopSchema: @unchecked Sendable {
    struct Key {
        let pointer: OpaquePointer
        /// The type in GVariant's letters.
        let letters: String
        let type: VariantType
        let defaultValue: Variant

        /// The value as one of this key.
        ///
        /// - Throws: also if the schema does not allow the value.
        func variant(of value: PropertyListValue) throws(VariantProblem) -> Variant {
            let variant = try type.variant(of: value, type: letters)
            let isAllowed = withExtendedLifetime(variant) {
                g_settings_schema_key_range_check(pointer, variant.pointer) != 0
            }
            if isAllowed { return variant }
            throw VariantProblem("the schema does not allow \(variant.text)")
        }
    }

    let pointer: OpaquePointer
    /// The path of its values; nil if it is relocatable.
    let path: String?
    let keys: [String: Key]

    /// Runs on GLib's thread.
    private init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        path = g_settings_schema_get_path(pointer).map { String(cString: $0) }
        var keys: [String: Key] = [:]
        for name in strings(g_settings_schema_list_keys(pointer)) {
            guard let key = g_settings_schema_get_key(pointer, name),
                let defaultValue = g_settings_schema_key_get_default_value(key)
            else { continue }
            let value = Variant(defaultValue)
            // The type of the key and of its default are the same.
            keys[name] = Key(
                pointer: key,
                letters: value.type,
                type: VariantType(value.type),
                defaultValue: value
            )
        }
        self.keys = keys
    }

    private static let known = Mutex<[String: DesktopSchema]>([:])

    /// The installed schema of this name; nil if there is none. Runs on GLib's thread.
    static func named(_ name: String) -> DesktopSchema? {
        if let schema = known.withLock({ $0[name] }) { return schema }
        guard let source = g_settings_schema_source_get_default(),
            let pointer = g_settings_schema_source_lookup(source, name, 1)
        else { return nil }
        let schema = DesktopSchema(pointer)
        known.withLock { $0[name] = schema }
        return schema
    }

    /// The names of the installed schemas. Runs on GLib's thread.
    static func names() -> (fixed: [String], relocatable: [String]) {
        guard let source = g_settings_schema_source_get_default() else { return ([], []) }
        var fixed: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
        var relocatable = fixed
        g_settings_schema_source_list_schemas(source, 1, &fixed, &relocatable)
        return (strings(fixed), strings(relocatable))
    }
}

// MARK: - Declarations

extension DesktopSchema {
    /// The schema as declarations. Runs on GLib's thread.
    var declarations: SuiteSchema { SuiteSchema(keys.mapValues(\.declaration)) }
}

extension DesktopSchema.Key {
    fileprivate var declaration: SettingDeclaration {
        var declaration = SettingDeclaration(type.shape, defaultValue: type.value(of: defaultValue))
        declaration.title = g_settings_schema_key_get_summary(pointer).map { String(cString: $0) }
        declaration.help = g_settings_schema_key_get_description(pointer).map { String(cString: $0) }
        if type == .text {
            let note = "The value is GVariant text of the type “\(letters)”."
            declaration.help = declaration.help.map { "\($0) \(note)" } ?? note
        }
        guard let range = g_settings_schema_key_get_range(pointer) else { return declaration }
        // A string that says what the range is, and the range itself in a variant.
        let parts = Variant(range).children
        guard parts.count == 2, case .string(let kind) = VariantType("s").value(of: parts[0]),
            let limits = parts[1].children.first
        else { return declaration }
        switch kind {
        case "enum": declaration.cases = limits.cases
        case "flags":
            declaration.shape = .array(of: .declared(SettingDeclaration(.string(), cases: limits.cases)))
        case "range":
            let bounds = limits.children.map { type.value(of: $0) }
            if case .integer(let least)? = bounds.first, case .integer(let most)? = bounds.last {
                declaration.shape = .integer(Bounds(least, most))
            } else if case .real(let least)? = bounds.first, case .real(let most)? = bounds.last {
                declaration.shape = .real(Bounds(least, most))
            }
        default: break
        }
        return declaration
    }
}

extension Variant {
    fileprivate var cases: [SettingCase] { children.map { SettingCase(VariantType("s").value(of: $0)) } }
}

extension VariantType {
    fileprivate var shape: ValueShape {
        switch self {
        case .boolean: .boolean
        case .real: .real()
        case .data: .data
        case .integer(let letter): .integer(Self.bounds(of: letter))
        case .string, .text: .string()
        case .array(let element): .array(of: element.shape)
        case .dictionary(let member): .dictionary(of: member.shape)
        case .anything: .anything
        }
    }

    private static func bounds(of letter: Character) -> Bounds<PropertyListInteger> {
        func all<Number: FixedWidthInteger>(_: Number.Type) -> Bounds<PropertyListInteger> {
            Bounds(PropertyListInteger(exactly: Number.min), PropertyListInteger(exactly: Number.max))
        }
        return switch letter {
        case "y": all(UInt8.self)
        case "n": all(Int16.self)
        case "q": all(UInt16.self)
        case "i", "h": all(Int32.self)
        case "u": all(UInt32.self)
        case "t": all(UInt64.self)
        default: all(Int64.self)
        }
    }
}

/// The declarations of a suite, which are those of its schema. Programs can add none.
struct DesktopSchemaStore: SchemaStore {
    let name: SuiteName

    var location: String { "the schema of \(DesktopSettings.gsettings.location)\(name)" }

    var exists: Bool { GLibThread.run { (try? DesktopSuite.named(name)) != nil } }

    func read() throws(SettingsError) -> SuiteSchema {
        try GLibThread.run { () throws(SettingsError) in try DesktopSuite.named(name).declarations }
    }

    func merge(_ schema: SuiteSchema) throws(SettingsError) -> Bool { true }

    func stored() throws(SettingsError) -> StoredSchema? { nil }

    func make(_ schema: StoredSchema) throws(SettingsError) -> Bool { false }

    func remove(_ schema: StoredSchema) throws(SettingsError) -> Bool { false }

    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch { .never }
}
#endif
