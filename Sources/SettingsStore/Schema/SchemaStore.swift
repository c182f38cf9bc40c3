/// Stores the declared settings of a suite as JSON Schema (``SuiteSchema``), so that editors and other programs can read
/// them: in a file beside the suite's file (``SchemaFile``), or with the service that keeps the suite.
public protocol SchemaStore: Sendable {
    /// The path or URL, to show to people.
    var location: String { get }

    /// Whether a schema is stored. False also if that can't be found out.
    var exists: Bool { get }

    /// The stored schema; an empty one if none is stored.
    ///
    /// - Throws: ``SettingsError/unreadableSchema(path:_:)`` with line and column, or why it could not be read.
    func read() throws(SettingsError) -> SuiteSchema

    /// Adds declarations to the stored schema. Those of other keys do not change. If all of them are stored already,
    /// nothing is written.
    ///
    /// - Returns: false if they can't be stored yet.
    /// - Throws: ``SettingsError/unreadableSchema(path:_:)`` if the stored text is no JSON Schema, which does not change;
    ///   or why it could not be written.
    @discardableResult
    func merge(_ schema: SuiteSchema) throws(SettingsError) -> Bool

    /// The stored text, even if it is no JSON Schema; nil if there is none.
    ///
    /// - Throws: why it could not be read.
    func stored() throws(SettingsError) -> StoredSchema?

    /// Stores a schema byte for byte, if none is stored.
    ///
    /// - Returns: false if one is stored, or if it can't be stored yet.
    /// - Throws: why it could not be written.
    func make(_ schema: StoredSchema) throws(SettingsError) -> Bool

    /// Removes the stored schema if it is equal byte for byte.
    ///
    /// - Returns: false if it differs.
    /// - Throws: why it could not be removed.
    func remove(_ schema: StoredSchema) throws(SettingsError) -> Bool

    /// Calls `notify` whenever the schema may have changed, until the returned watch is released. It is called on another
    /// thread, with no lock held.
    func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch
}
