/// Where the declared settings of a suite are told to others, as JSON Schema (``SuiteSchema``): in a file
/// beside the suite's own (``SchemaFile``), or with the service that keeps the suite.
public protocol SchemaPlace: Sendable {
    /// Where this is, for people: a path or a URL.
    var location: String { get }

    /// Whether anything is there, as far as can be found out.
    var exists: Bool { get }

    /// What is declared; an empty schema where there is nothing.
    ///
    /// - Throws: ``SettingsError/unreadableSchema(path:_:)`` with line and column, or why it could not be
    ///   looked at.
    func read() throws(SettingsError) -> SuiteSchema

    /// Has the place say what a schema says, and leaves what it says about other keys as it is. Nothing is
    /// written where it says so already.
    ///
    /// - Returns: false where it can't be said there yet.
    /// - Throws: ``SettingsError/unreadableSchema(path:_:)`` where what is there is no JSON Schema, which is
    ///   left alone; or why it could not be written.
    @discardableResult
    func merge(_ schema: SuiteSchema) throws(SettingsError) -> Bool

    /// What is there, understood or not; nil where nothing is.
    ///
    /// - Throws: why it could not be looked at.
    func stored() throws(SettingsError) -> StoredSchema?

    /// Puts a schema there, byte for byte, where nothing is.
    ///
    /// - Returns: false where something is there, or it can't be put there yet.
    /// - Throws: why it could not be written.
    func make(_ schema: StoredSchema) throws(SettingsError) -> Bool

    /// Takes away what is there, if it is this, byte for byte.
    ///
    /// - Returns: false where something else is there.
    /// - Throws: why it could not be removed.
    func remove(_ schema: StoredSchema) throws(SettingsError) -> Bool

    /// Hints, on another thread, whenever this may have changed, for as long as the watch is held.
    func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch
}
